"""From the parsed corpus to the index: built beside the old one, then swapped in whole.

``<build>/search/`` holds the Whoosh index, ``documents.jsonl`` (words of each document with their offsets), a copy of
the language and term files that it was made with, and ``manifest.json``.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter, defaultdict
from pathlib import Path

from whoosh.index import create_in

from corpus import language, store
from corpus.library import Library
from corpus.model import CONTAINERS, FRAMES, Node
from index import schema
from index.analyser import analyse
from index.concept import Concepts, Found
from index.lexicon import Lexicon, read_everyday, read_lookalikes, read_table

SCHEMA = 3
# What a word weighs by where it stands. Judged on the tuned half of tests/cases/queries.
HEADING, HEADWORD, TEXT = 2.5, 4.0, 1.0
ABOVE_HEADING, ABOVE_TEXT, BELOW_HEADING, BELOW_TEXT = 1.0, 0.5, 0.6, 0.3


def build(library: Library, build_dir: Path) -> int:
    """Write ``<build_dir>/search``; returns the number of documents."""
    count = 0

    def fill(folder: Path) -> None:
        nonlocal count
        copy_data(store.corpus_dir(), folder)
        count = write_documents(library, folder)
        write_manifest(folder, build_dir)

    store.swap_in(build_dir / "search", fill)
    return count


def copy_data(corpus: Path, folder: Path) -> None:
    """The word lists that the documents are analysed with belong to the index: a query must be read with the same ones."""
    for name, pattern in (("languages", "*.toml"), ("terms", "*")):
        (folder / name).mkdir()
        for path in sorted((corpus / name).glob(pattern)):
            if path.is_file():
                shutil.copyfile(path, folder / name / path.name)


def write_manifest(folder: Path, build_dir: Path) -> None:
    """Digests of all files and of the corpus that they were made from."""
    files = {str(p.relative_to(folder)): store.digest(p) for p in sorted(folder.rglob("*")) if p.is_file()}
    data = {"schema": SCHEMA, "corpus": corpus_digest(build_dir), "files": files}
    (folder / "manifest.json").write_text(json.dumps(data, indent=1), encoding="utf-8")


def corpus_digest(build_dir: Path) -> str | None:
    """Digest of the manifest of the parsed corpus, None when there is none."""
    path = build_dir / "corpus" / "manifest.json"
    return store.digest(path) if path.exists() else None


def read_lexicons(folder: Path, counts: dict[str, Counter]) -> dict[str, Lexicon]:
    """A lexicon for every language file of a folder; ``counts``: language → form → how often it stands in the texts."""
    out = {}
    for path in sorted((folder / "languages").glob("*.toml")):
        code = path.stem
        terms = folder / "terms"
        out[code] = Lexicon(
            language.load(folder / "languages", code),
            read_table(terms / f"lemmas-{code}.tsv"),
            dict(counts.get(code, {})),
            read_lookalikes(terms / "lookalikes.tsv", code),
            read_everyday(terms / "everyday.tsv", code),
        )
    return out


def is_document(node: Node) -> bool:
    """Provisions, definitions and footnotes with words of their own; a printed subject index is no text to be searched."""
    return node.kind != "index" and bool(node.heading or node.text.strip())


def write_documents(library: Library, folder: Path) -> int:
    """Analyse and index all documents of the library into a folder."""
    nodes = [n for n in library.nodes.values() if is_document(n)]
    analysed = {n.id: (analyse(n.heading or ""), analyse(n.text)) for n in nodes}
    counts: dict[str, Counter] = defaultdict(Counter)
    for node in nodes:
        heading, text = analysed[node.id]
        counts[node.lang].update(w.form for w in (*heading, *text))
    lexicons = read_lexicons(folder, counts)
    concepts = Concepts.read(folder / "terms", lexicons)
    named = {n.id: [concepts.in_text(n.lang, words) for words in analysed[n.id]] for n in nodes}
    terms = {
        n.id: tuple(_terms(words, found, lexicons[n.lang]) for words, found in zip(analysed[n.id], named[n.id]))
        for n in nodes
    }
    notes = {m.target: n for n in library.nodes.values() for m in n.marks}
    langs = sorted({n.lang for n in nodes})
    (folder / "postings").mkdir()
    writer = create_in(folder / "postings", schema.schema(langs)).writer()
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as file:
        for number, node in enumerate(nodes):
            heading, text = analysed[node.id]
            own = [(t, HEADWORD if node.kind == "definition" else HEADING) for t in terms[node.id][0]]
            own += [(t, TEXT) for t in terms[node.id][1]]
            writer.add_document(
                id=node.id,
                number=number,
                **{
                    schema.own(node.lang): schema.given(own),
                    schema.around(node.lang): schema.given(_around(library, node, terms, notes)),
                    schema.forms(node.lang): schema.given([(w.form, 1.0) for w in (*heading, *text)]),
                },
            )
            row = {"id": node.id}
            for where, words, found in zip(("heading", "text"), analysed[node.id], named[node.id]):
                row[where] = [(w.form, w.start, w.end) for w in words]
                row[f"{where}_concepts"] = [(f.concept, f.first, f.last) for f in found]
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    writer.commit()
    return len(nodes)


def _terms(words, found: list[Found], lexicon: Lexicon) -> list[str]:
    """Lemmas of the words that count, and the concepts that they name."""
    return [lemma for w in words if w.form not in lexicon.stopwords for lemma in lexicon.lemmas(w.form)] + [
        f.concept for f in found
    ]


def _around(library: Library, node: Node, terms: dict, notes: dict[str, Node]) -> list[tuple[str, float]]:
    """What a reader has read before coming to a provision, and what stands under it."""
    out: list[tuple[str, float]] = []
    above = library.ancestors(node)
    if node.kind == "footnote" and node.id in notes:
        above = [*library.ancestors(notes[node.id]), notes[node.id]]
    for step in above:
        if step.id in terms and step.kind not in CONTAINERS:
            heading, text = terms[step.id]
            out += [(t, ABOVE_HEADING) for t in heading] + [(t, ABOVE_TEXT) for t in text]
    if node.kind not in FRAMES:
        for step in library.subtree(node)[1:]:
            if step.id in terms:
                heading, text = terms[step.id]
                out += [(t, BELOW_HEADING) for t in heading] + [(t, BELOW_TEXT) for t in text]
    return out
