"""What this scan does to letters: each printed sign with the signs it was read as, and how often.

The figures are rough shares counted on the hand-checked sample (laws 27 and 50) and by reading;
they only have to rank.  CHANNEL[printed] = {read: share}.  A sign not listed was read as itself.
"""
import heapq
from math import log10

CHANNEL = {
    'ą': {'a': .6, 'g': .3, 'q': .08, 'ag': .01, 'gq': .004, 'ga': .004, '@': .004, 'aq': .004, 'qg': .002, 'gd': .002,
          'agq': .001},
    'ć': {'c': .3, '¢': .5, 'c¢': .1, 'C': .03, '¢é': .01, 'cC': .01, 'é': .005, '¢c': .005, 'cé': .005, 'l': .001,
          'ç': .005},
    'ę': {'e': .97, 'é': .005, 'eg': .002, 'ee': .002, 'q': .001},
    'ł': {'t': .74, 'l': .15, 'i': .05, 'f': .03, 'h': .01, 'k': .001, 'it': .003, 'lt': .004, 'tt': .003, 'th': .001,
          'd': .001, 'j': .001, '1': .001, '}': .001, 'I': .001, 'ft': .001},
    'ń': {'n': .9, 'ri': .03, 'r': .003, 'h': .003, 'ni': .003, 'fi': .003, 'ii': .003, 'm': .002, 'i': .001, 'nh': .001},
    'ó': {'o': .4, 'd': .35, 'é': .2, 'dé': .005, 'oé': .005, 'do': .01, 'od': .005, 'oO': .003, 'O': .003, 'éo': .003,
          'a': .003, 'O': .003, '6': .005, 'éd': .002, '0': .002},
    'ś': {'s': .55, 'S': .15, '$': .2, 'é': .04, 's$': .01, '$s': .01, '§': .01, 'ś': .5, 'sS': .003, '8': .001},
    'ż': {'z': .9, 'Z': .05, 'zZ': .01, 'Zz': .01, '2': .002, 'i': .0005},
    'ź': {'z': .9, 'Z': .05, 'zZ': .01, '2': .002},
    'z': {'Z': .01, 'zZ': .01, 'Zz': .01, '2': .001}, 's': {'S': .01, '$': .002, 'ss': .0005}, 'c': {'C': .01, '¢': .001, 'gc': .0005},
    'o': {'0': .003, 'O': .003, 'a': .0001, 'é': .0005}, 'O': {'0': .02}, 'l': {'i': .002, '1': .002, 'I': .002, '|': .002, 'li': .0003},
    'j': {'ij': .005, ';j': .004, 'i': .0003, 'jj': .0005}, 'J': {'I': .01}, 'w': {'W': .01, 'vv': .001, 'v': .0005},
    'm': {'rn': .001, 'mM': .005, 'M': .003, 'nn': .0003}, 'n': {'nh': .002, 'hn': .0005, 'h': .0002, 'ri': .0002},
    'a': {'aa': .0005, 'ga': .0003, 'ad': .0002, 'da': .0002, 'q': .0005}, 'e': {'ee': .0005},
    'i': {'1': .001, 'I': .001, 'l': .0003, '|': .001}, 'I': {'l': .005, '|': .01, '1': .005}, 'd': {'dd': .0005},
    't': {'tt': .0003, 'i': .0001}, 'u': {'U': .002}, 'k': {'K': .003}, 'p': {'P': .003}, 'v': {'V': .003},
    'y': {'yi': .001}, 'g': {'q': .001}, 'f': {'t': .0002}, 'h': {'li': .0002}, 'r': {'rr': .0003},
}
COMMON = .01
#: Signs that are no Polish letters: leaving one unread is (nearly) impossible.
NO_LETTER = set('¢$@é§|0123456789;}ç')
KEEP_ODD = -4.0
DROP = -4.5


def _table(least):
    table = {}
    for printed, reads in CHANNEL.items():
        for read, share in reads.items():
            if share >= least:
                table.setdefault(read, []).append((printed, log10(share)))
    return table


USUAL, ALL = _table(COMMON), _table(0)
LONGEST = max(map(len, ALL))


def _search(word, table, known, limit, drop):
    """Uniform-cost search: the fewest and likeliest changes first; `known` filters, `limit` bounds."""
    heap, seen = [(0.0, 0, '', 0.0)], set()
    while heap and limit:
        effort, i, text, share = heapq.heappop(heap)
        if i == len(word):
            limit -= 1
            if text not in seen and known(text):
                yield text, share
            seen.add(text)
            continue
        sign = word[i]
        odd = sign in NO_LETTER
        heapq.heappush(heap, (effort + 4 * odd, i + 1, text + sign, share + KEEP_ODD * odd))
        for size in range(1, min(LONGEST, len(word) - i) + 1):
            for printed, cost in table.get(word[i:i + size], ()):
                heapq.heappush(heap, (effort + .5 - cost / 1.5, i + size, text + printed, share + cost))
        if drop:
            heapq.heappush(heap, (effort + 4.5, i + 1, text, share + DROP))


def readings(word, known):
    """Known words a damaged word can be: {printed: log10 share}.

    A word in capitals or with a capital is searched in small letters and gets its capitals back.
    The usual confusions are tried first; the rare ones only when those give no word.
    """
    if word.isupper() and len(word) > 1:
        restore_case, plain = str.upper, word.lower()
    elif word[:1].isupper():
        restore_case, plain = (lambda w: w[:1].upper() + w[1:]), word[0].lower() + word[1:]
    else:
        restore_case, plain = str, word
    check = lambda form: known(form) or known(restore_case(form))
    found = dict(_search(plain, USUAL, check, 6000, False))
    if not found:
        found = dict(_search(plain, ALL, check, 5000, False)) or dict(_search(plain, ALL, check, 5000, len(word) > 4))
    best = {}
    for form, share in found.items():
        form = restore_case(form)
        best[form] = max(share, best.get(form, -99))
    return best
