"""What the director says, as it is printed: the bids of the address and the answers in the sentences of a row.

:func:`spoken_steps` returns what is said of a row, now and later.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from flask_babel import force_locale

from app.site.wording import format_bid
from corpus.bid import Bid, Overcall
from corpus.situation.model import GivenAnswers, Row, SpokenSentence, Step, Vocabulary, also_applies

# The place of a bid in a sentence, with the words for it when the bid is not known: “{lowest: the lowest bid}”.
_BID_PLACE = re.compile(r"\{(\w+): ([^{}]*)\}")


def sentence_text(sentence: SpokenSentence, lang: str, overcall: Overcall | None) -> str:
    """Return a sentence in a language, with the bids of ``overcall`` in their places."""
    bids = bids_by_place(overcall)

    def name_bid(place: re.Match[str]) -> str:
        bid = bids.get(place[1])
        if bid is None:
            return place[2]
        with force_locale(lang):
            return format_bid(bid)

    return _BID_PLACE.sub(name_bid, sentence.text.get(lang, ""))


def under_condition(condition: str, sentences: Sequence[str], capitalised: Collection[str]) -> str:
    """Return sentences after the condition that all of them have. ``capitalised``: names that keep their capital.

    >>> under_condition("If he asked", ["The card stays."], ["Director"])
    'If he asked, the card stays.'
    >>> under_condition("If he asked", ["Director decides."], ["Director"]), under_condition("If", ["A.", "B."], ())
    ('If he asked, Director decides.', 'If: A. B.')
    """
    if len(sentences) > 1:
        return f"{condition}: {' '.join(sentences)}"
    (only,) = sentences
    keeps = only[1:2].isupper() or only.startswith(tuple(capitalised))
    return f"{condition}, {only if keeps else only[:1].lower() + only[1:]}"


def capitalised_roles(vocabulary: Vocabulary, lang: str) -> list[str]:
    """Return the roles that a language writes with a capital inside a sentence, such as “Director”."""
    return [names[lang] for names in vocabulary.roles.values() if names[lang][:1].isupper()]


def bids_by_place(overcall: Overcall | None) -> Mapping[str, Bid | None]:
    """Return the name of a place in a sentence → the bid that stands there: ``bid`` is the insufficient bid, ``over``
    the one before it, ``lowest`` the lowest sufficient one in the same denomination.
    """
    if overcall is None:
        return {}
    return {"bid": overcall.made, "over": overcall.over, "lowest": overcall.lowest_sufficient}


def sentences_to_say(row: Row, step: Step, given: GivenAnswers) -> Sequence[tuple[SpokenSentence, bool]]:
    """Return (sentence, whether its condition is still open) for the sentences of a step that the answers allow."""
    met = {n: also_applies(also, given) for n, also in enumerate(row.also)}
    said = []
    for sentence in step.say:
        applies = [met[n] for n in sentence.also] if sentence.clause else [True]
        if False not in applies:
            said.append((sentence, None in applies))
    return said


@dataclass(frozen=True)
class SpokenStep:
    """What the director says at one moment, in the reader's language. ``when``: a word of the moments, "" for now.

    ``conditional``: sentences under a condition that no answer has settled.
    """

    when: str
    sentences: tuple[str, ...]
    conditional: tuple[str, ...] = ()


def spoken_steps(
    row: Row,
    given: GivenAnswers,
    lang: str,
    vocabulary: Vocabulary,
    overcall: Overcall | None = None,
    *,
    certain: bool = False,
) -> tuple[SpokenStep, ...]:
    """Return what is said of a row, now and later. Sentences whose condition the answers exclude are left out, and
    with ``certain`` those whose condition is open.
    """
    steps = []
    capitalised = capitalised_roles(vocabulary, lang)
    for step in row.steps:
        sentences: list[str] = []
        by_condition: dict[str, list[str]] = {}  # those under the same condition are read together
        for sentence, still_open in sentences_to_say(row, step, given):
            text = sentence_text(sentence, lang, overcall)
            if not still_open:
                sentences.append(text)
            elif not certain:
                by_condition.setdefault(sentence.clause[lang], []).append(text)
        conditional = tuple(under_condition(c, texts, capitalised) for c, texts in by_condition.items())
        steps.append(SpokenStep(step.when, tuple(sentences), conditional))
    return tuple(step for step in steps if step.sentences or step.conditional)
