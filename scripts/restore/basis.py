"""Why a word was changed: the kind of evidence and a short reason."""
from difflib import SequenceMatcher

from . import agreement, confusions
from .dictionary import analyses, features
from .tokens import split

RULES = {'¢': 'ć', '$': 'ś', '&': '♠', '"': '”', 'q': 'ą'}


def letters(source, published):
    """'jg' → 'ją' gives 'g→ą'; runs of the same length are taken letter by letter."""
    parts = []
    for tag, a, b, c, d in SequenceMatcher(None, source, published, autojunk=False).get_opcodes():
        if tag == 'equal':
            continue
        if b - a == d - c:
            parts += [f'{x}→{y}' for x, y in zip(source[a:b], published[c:d]) if x != y]
        else:
            parts.append(f'{source[a:b] or "∅"}→{published[c:d] or "∅"}')
    return ', '.join(dict.fromkeys(parts))


def readings(core):
    """The dictionary's words a damaged word may have been."""
    return {form for form in confusions.readings(core, lambda f: bool(analyses(f)))} if core else set()


def neighbour(line, column, published):
    """'after »na«' or 'agrees with »kartę«' when case, gender and number say so."""
    words = [split(w)[1] for w in line[:column - 1].split()[-1:]], [split(w)[1] for w in line[column - 1:].split()[1:2]]
    own = features(split(published)[1])
    before, after = (w[0] if w else '' for w in words)
    for word in (before, after):
        for a in features(word) if word else ():
            for b in own:
                if a[0] == 'prep' and word == before and a[2] & b[2]:
                    return f'after »{word}«'
                adjectival = {a[0], b[0]} & agreement.ADJECTIVAL and {a[0], b[0]} & {'subst', 'ger'}
                if adjectival and agreement.agree(a, b):
                    return f'agrees with »{word}«'
    return ''


def judge(change, line, confirmed, settled=''):
    """(basis, reason) of a change; `line` is the published line from the change's place on."""
    what = letters(change.source, change.published)
    source, published = split(change.source)[1], split(change.published)[1]
    if settled:
        return 'proofread', f'{what}; settled: {settled}'
    if len(source) == len(published) and all(x == y or RULES.get(x) == y for x, y in zip(source, published)) and source != published:
        return 'rule', what
    if source == published or not published.isalpha():
        return ('proofread' if confirmed else 'rule'), what
    lost = 'letters lost: ' + what
    found = readings(source)
    if found == {published}:
        return 'dictionary', lost
    if published in found:
        others = ' '.join(sorted(found - {published})[:3])
        reason = '; '.join(filter(None, [lost, neighbour(*line, change.published), f'not {others}']))
    else:
        reason = lost
    return ('proofread' if confirmed else 'context'), reason
