"""``python -m tools.lemmas``: makes the tables of lemmas and of everyday words again."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import click

from corpus import generation, language, letters
from corpus.files import InvalidFile
from corpus.letters import fold
from corpus.library import Library
from corpus.model import Problem
from tools.lemmas import graded, hunspell, sources, tables
from tools.lemmas.dictionaries import Dictionary, ListedDictionary, MorfeuszDictionary
from tools.lemmas.sources import DictionarySource


def open_dictionary(source: DictionarySource, name: str, root: Path, texts: Collection[str]) -> Dictionary:
    """Return the dictionary of a source, which is called ``name``. ``root``: the folder where packages are unpacked;
    ``texts``: the words that lemmas are sought for.

    Raises:
        corpus.files.InvalidFile: the dictionary is another one than its entry says.
    """
    paths = source.paths(root, name)
    if source.kind == "morfeusz":
        morfeusz = MorfeuszDictionary()
        if morfeusz.name != source.says:
            found = f"Its dictionary is {morfeusz.name}, not {source.says}."
            raise InvalidFile([Problem(name, 1, found, f"{source.install}; or write the new version into the entry.")])
        return morfeusz
    if source.kind == "graded":
        levels = [path.read_text(encoding="utf-8").split() for path in paths]
        return ListedDictionary(graded.forms_by_word(levels, source.rules), texts)
    affixes, entries = paths
    return ListedDictionary(hunspell.forms_by_word(affixes, entries, source.apart), texts)


def tables_of_language(
    library: Library, corpus: Path, lang: str, source: DictionarySource, root: Path
) -> dict[str, list[str]]:
    """Return name of the file → its lines, for the two tables of a language. Each begins with the notice of
    its source.
    """
    search, reviewed = (
        language.load_language(corpus / "languages", lang).search,
        letters.read_reviewed_forms(corpus, lang),
    )
    words = tables.count_words(tables.texts_in(library, lang, corpus))
    asked = open_dictionary(source, search.dictionary, root, [word for word in words if fold(word) not in reviewed])
    rows = tables.lemma_table(asked, words)
    tables.join_aspects(rows, search.aspects)
    common = [
        w for row in letters.read_word_list(corpus, "everyday.tsv") if row["lang"] == lang for w in row["words"].split()
    ]
    known = reviewed.union(*rows.values())
    return {
        f"lemmas-{lang}.tsv": [*source.notice_lines(), *tables.table_lines(rows)],
        f"everyday-{lang}.tsv": [
            *source.notice_lines(),
            *tables.table_lines(tables.everyday_table(asked, common, known)),
        ],
    }


@click.command()
@click.argument("languages", nargs=-1)
@click.option(
    "--root", type=click.Path(exists=True, file_okay=False, path_type=Path), default=Path("/"), show_default=True
)
def main(languages: tuple[str, ...], root: Path) -> None:
    """Write the tables of the named languages, else of all; ``root``: the folder where the packages are unpacked."""
    corpus, library = generation.corpus_dir(), Library.open()
    try:
        known = sources.read_dictionary_sources(corpus)
        made: dict[str, list[str]] = {}
        for path in sorted((corpus / "languages").glob("*.toml")):
            search = language.load_language(path.parent, path.stem).search
            if search.dictionary and (not languages or path.stem in languages):
                made |= tables_of_language(library, corpus, path.stem, known[search.dictionary], root)
    except InvalidFile as refused:
        raise click.ClickException(f"{refused}\nNo table was written.") from refused
    for name, lines in made.items():
        (corpus / letters.WORDS_FOLDER / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        click.echo(f"{name}: {len(lines)} lines")


if __name__ == "__main__":
    main()
