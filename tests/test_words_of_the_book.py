"""Every content word of the restored book, in the form it is printed in, is found by the search.

Function words of any language the search knows are skipped by it when they stand alone ("as" is an English one).
"""

import re

from corpus import language
from corpus.letters import fold


def test_every_word_of_the_scanned_book_is_found(library, searcher, corpus_dir):
    edition = next(e for e in library.editions.values() if sum(e.corrections.values()) > len(library.nodes_of(e.id)))
    languages = [
        language.load_language(corpus_dir / "languages", p.stem) for p in (corpus_dir / "languages").glob("*.toml")
    ]
    function_words = {fold(w) for known in languages for w in known.search.stopwords}
    words = {
        w.lower()
        for n in library.nodes_of(edition.id)
        if n.kind != "index"
        for w in re.findall(r"(?<!\w)[^\W\d_]{2,}(?!\w)", f"{n.heading or ''} {n.text}")
    }
    lost = [
        w
        for w in sorted(words)
        if fold(w) not in function_words and not searcher.search(w, editions=(edition.id,), limit=1).total
    ]
    assert len(words) > 3000 and not lost, f"{len(lost)} words find nothing: {lost[:30]}"
