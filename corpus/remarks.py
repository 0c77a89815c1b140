"""Reviewed data about single provisions: spelling errors, paraphrases, and the conditions under which they hold.

**Spellings**, ``editions/<id>/spelling.tsv`` (:func:`read_spellings`): errors of the book that do not change the
meaning, such as typing, grammar and punctuation. The page of the edition lists them. Each row has the line of the
source, the printed words, what was meant, one of ``SPELLING_REASONS``, and perhaps a remark in English. The text
keeps what is printed. Misprints that change the law are in :mod:`corpus.misprint`.

**Paraphrases**, ``paraphrases/<edition>.tsv`` (:func:`read_paraphrases`, docs/add-a-paraphrase.md): everyday words for
what a provision decides, in a column for each language. A reader of the laws writes them, and two others read them
again blind. They are no law, and no page prints them: only the search reads them. Corresponding provisions of other
editions are found by the same words.

**Conditions**, ``conditions/<edition>.tsv`` (:func:`read_conditions`): what holds only behind screens, with bidding
boxes, at teams and so on. A row names a provision, the condition without which it does not hold, and the words that
say so. The words stand in its heading, its text or one of its footnotes; for a footnote, also in the text that has
its mark. Conditions separated by ``|`` mean that it holds under any of them; several rows mean that it needs each.
What lies inside a provision holds where the provision does. A footnote lies inside its law, so the footnote of a part
of the law needs a row of its own. ``conditions/names.toml`` is the closed list of conditions, named in every language
of the site.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpus import address, files, model
from corpus.edition import Edition
from corpus.files import InvalidFile, LocalizedText, TomlFile
from corpus.letters import fold
from corpus.model import Node, NodeId, Problem, Quote, Spelling

# -- Spellings ---

SPELLING_FILE = "spelling.tsv"
SPELLING_COLUMNS = ("line", "printed", "meant", "reason", "remark")
SPELLING_REASONS = ("typing", "form", "word", "lost", "surplus", "punctuation", "sign", "capital", "variant", "order")


def read_spellings(edition: Edition, there: bool = True) -> tuple[tuple[Spelling, ...], list[Problem]]:
    """Return the spelling rows of an edition, and what is wrong with the file. A missing file means no rows.

    The printed words must stand in their line of the source. ``there`` says whether the source could be read; without
    it no row is returned.
    """
    sheet = files.read_tsv(edition.folder / SPELLING_FILE, f"editions/{edition.id}/{SPELLING_FILE}", SPELLING_COLUMNS)
    if not there:
        return (), list(sheet.problems)
    try:
        source = (
            files.read_file_bytes(edition.folder / edition.source, edition.source_name).decode("utf-8-sig").split("\n")
        )
    except (OSError, UnicodeDecodeError, InvalidFile):
        return (), []  # reading the source reports why it cannot be read
    rows, problems = [], list(sheet.problems)
    for number, cells in sheet.rows:
        if wrong := _spelling_fault(cells, source):
            problems.append(sheet.problem(number, *wrong))
        else:
            line, *rest = cells.values()
            rows.append(Spelling(int(line), *rest))
    return tuple(rows), problems


def _spelling_fault(cells: dict[str, str], source: list[str]) -> tuple[str, str] | None:
    """Return (finding, next move) for a row with a fault, else None. ``source``: the lines of the source."""
    line, printed = cells["line"], cells["printed"]
    if not 1 <= (files.parse_number(line) or 0) <= len(source):
        return f"The source has no line “{line}”.", "Correct the number of the line."
    if printed not in source[int(line) - 1]:
        return f"“{printed}” does not stand in line {line} of the source.", "Write the words as they are printed."
    if cells["reason"] not in SPELLING_REASONS:
        return f"The reason is “{cells['reason']}”.", f"Write one of: {', '.join(SPELLING_REASONS)}."
    return None if printed or cells["remark"] else ("A row that says nothing.", "Write the printed words, or a remark.")


# -- Paraphrases ---

PARAPHRASES = "paraphrases"
PATH_COLUMN = "path"


@dataclass(frozen=True)
class Paraphrase:
    """Everyday words for what the provision ``of`` decides: language → a sentence or a few words."""

    of: NodeId
    said: Mapping[str, str]


def read_paraphrases(
    corpus_dir: Path, nodes: Mapping[NodeId, Node], editions: Collection[str], languages: Collection[str]
) -> tuple[tuple[Paraphrase, ...], list[Problem]]:
    """Return every sound row of the tables, checked against the texts, and the problems.

    ``nodes`` are those of the editions that were read. ``editions`` holds the ids of all editions that have a folder.
    """
    paraphrases: list[Paraphrase] = []
    folder, problems = files.find_renamed_folder(corpus_dir, PARAPHRASES)
    earlier: dict[tuple[str, str], tuple[str, NodeId]] = {}
    read_here = {id_.edition for id_ in nodes}
    for path in sorted(folder.glob("*.tsv")):
        sheet = files.read_tsv(path, path.relative_to(corpus_dir).as_posix())
        problems += sheet.problems
        if path.stem not in editions:
            problems.append(sheet.problem(1, f"There is no edition “{path.stem}”.", "Name the file after an edition."))
        if sheet.columns and (sheet.columns[0] != PATH_COLUMN or unknown_columns(sheet.columns, languages)):
            known = ", ".join(sorted(languages))
            finding = f"The header is “{' '.join(sheet.columns)}”."
            problems.append(
                sheet.problem(1, finding, f"Write {PATH_COLUMN}, then codes of languages ({known}), TAB between.")
            )
            continue
        for line, row in sheet.rows if path.stem in read_here else ():
            id_ = NodeId.of(path.stem, row[PATH_COLUMN])
            said = {lang: words.strip() for lang, words in row.items() if lang != PATH_COLUMN}
            faults = list(_paraphrase_faults(id_, said, nodes, earlier))
            problems += (sheet.problem(line, *fault) for fault in faults)
            if not faults:
                place = f"{sheet.name}:{line}"
                earlier |= {(lang, fold(words)): (place, id_) for lang, words in said.items()}
                paraphrases.append(Paraphrase(id_, said))
    return tuple(paraphrases), problems


def unknown_columns(columns: Collection[str], languages: Collection[str]) -> list[str]:
    """Return the columns that are neither the path nor a language."""
    return [c for c in columns if c != PATH_COLUMN and c not in languages]


def _paraphrase_faults(
    id_: NodeId,
    said: Mapping[str, str],
    nodes: Mapping[NodeId, Node],
    earlier: Mapping[tuple[str, str], tuple[str, NodeId]],
) -> Iterator[tuple[str, str]]:
    """Yield (finding, move) for what is wrong with the row of a paraphrase.

    ``said``: language → its words. ``earlier``: (language, folded words) of an earlier row → its place and
    provision.
    """
    if id_ not in nodes:
        yield f"There is no {id_}.", "Correct the path."
    for lang, words in said.items():
        if not words:
            yield f"Nothing is said in “{lang}”.", "Write how it is told there."
        elif before := earlier.get((lang, fold(words))):
            place, other = before
            yield f"“{words}” was said of {other} before ({place}).", "Keep one of the two, or tell them apart."


# -- Conditions ---

CONDITIONS = "conditions"
CONDITION_NAMES = f"{CONDITIONS}/names.toml"
CONDITION_COLUMNS = ("path", "condition", "words", "remark")
ANY_OF = "|"  # separates conditions of which any one is enough


@dataclass(frozen=True)
class StatedCondition:
    """A provision holds only under one of the conditions ``any``; the words of ``quote`` say so."""

    any: tuple[str, ...]
    quote: Quote

    def fails_without(self, without: Collection[str]) -> bool:
        """Whether the provision does not hold for players who have none of the conditions in ``without``."""
        return set(self.any) <= set(without)


@dataclass(frozen=True)
class Conditions:
    """All conditions. ``names``: condition → its name by language, in the order of the list. ``only``: node → the
    conditions that it states.
    """

    names: Mapping[str, LocalizedText] = field(default_factory=dict)
    only: Mapping[NodeId, tuple[StatedCondition, ...]] = field(default_factory=dict)

    def stated_conditions_around(self, id_: NodeId) -> tuple[StatedCondition, ...]:
        """Return what a node and all nodes around it state, the outermost first."""
        outer = [NodeId.of(id_.edition, path) for path in reversed(address.ancestor_paths(id_.path))]
        return tuple(only for at in (*outer, id_) for only in self.only.get(at, ()))

    def required_conditions(self, id_: NodeId) -> tuple[str, ...]:
        """Return the conditions that a node needs, whatever else is met."""
        return tuple(dict.fromkeys(only.any[0] for only in self.stated_conditions_around(id_) if len(only.any) == 1))

    def holds(self, id_: NodeId, without: Collection[str]) -> bool:
        """Whether a node holds for players who have none of the conditions ``without``."""
        return not without or not any(only.fails_without(without) for only in self.stated_conditions_around(id_))


def read_conditions(
    corpus_dir: Path, nodes: Mapping[NodeId, Node], editions: Collection[str]
) -> tuple[Conditions, list[Problem]]:
    """Return the conditions, checked against the texts, and the problems. Without the files there are none.

    ``nodes`` are those of the editions that were read. ``editions`` holds the ids of all editions that have a folder.
    """
    paths = sorted((corpus_dir / CONDITIONS).glob("*.tsv"))
    if not paths and not files.exists_or_is_link(corpus_dir / CONDITION_NAMES):
        return Conditions(), []
    try:
        written = files.read_toml(
            corpus_dir / CONDITION_NAMES,
            CONDITION_NAMES,
            ("There is no file.", "Write it: the list of the conditions."),
        )
    except InvalidFile as refused:
        return Conditions(), refused.problems
    problems = list(_unnamed_condition_problems(written))
    only: dict[NodeId, list[StatedCondition]] = defaultdict(list)
    read_here = {id_.edition for id_ in nodes}
    for path in paths:
        sheet = files.read_tsv(path, path.relative_to(corpus_dir).as_posix(), CONDITION_COLUMNS, remarks=True)
        problems += sheet.problems
        if path.stem not in editions:
            problems.append(sheet.problem(1, f"There is no edition “{path.stem}”.", "Name the file after an edition."))
        for line, row in sheet.rows if path.stem in read_here else ():
            found = _read_stated_condition(row, NodeId.of(path.stem, row["path"]), nodes, written.data)
            if isinstance(found, StatedCondition):
                only[NodeId.of(path.stem, row["path"])].append(found)
            else:
                problems.append(sheet.problem(line, *found))
    names = {id_: LocalizedText(said) for id_, said in written.data.items() if isinstance(said, dict)}
    return Conditions(names, {id_: tuple(rows) for id_, rows in only.items()}), problems


def _unnamed_condition_problems(written: TomlFile) -> Iterator[Problem]:
    """Yield a problem for each condition that is not named in the same languages as the first one."""
    first = next((set(said) for said in written.data.values() if isinstance(said, dict)), set())
    for id_, said in written.data.items():
        if not isinstance(said, dict) or set(said) != first or not all(isinstance(v, str) and v for v in said.values()):
            move = f"Write id = {{…}}, a name for each language: {', '.join(sorted(first)) or 'none yet'}."
            yield written.problem((id_,), f"“{id_}” is not named as the first condition is.", move)


def _read_stated_condition(
    row: Mapping[str, str], id_: NodeId, nodes: Mapping[NodeId, Node], known: Collection[str]
) -> StatedCondition | tuple[str, str]:
    """Return the condition that a row states, or (finding, next move) for its fault. ``known``: all conditions."""
    conditions = tuple(row["condition"].split(ANY_OF))
    if unknown := next((c for c in conditions if c not in known), None):
        return f"“{unknown}” is no condition.", f"Choose: {', '.join(known)}; or name it in {CONDITION_NAMES}."
    if id_ not in nodes:
        return f"There is no {id_}.", "Correct the path."
    if not row["words"]:
        return "No words say so.", "Write the words of the text that say where it holds."
    found = find_condition_words(row["words"], nodes[id_], nodes)
    return StatedCondition(conditions, found) if isinstance(found, Quote) else found


def find_condition_words(words: str, node: Node, nodes: Mapping[NodeId, Node]) -> Quote | tuple[str, str]:
    """Return where the words of a condition stand, or (finding, next move) when they are not found.

    Sought are the text and heading of a node, its footnotes and, for a footnote, the text that has its mark.
    """
    notes = [nodes[mark.target] for mark in node.marks if mark.target in nodes]
    marked = [n for n in nodes.values() if any(mark.target == node.id for mark in n.marks)]
    tried = [model.find_quote(node, "text", words), model.find_quote(node, "heading", words)]
    tried += [model.find_quote(beside, "text", words) for beside in (*notes, *marked)]
    return next((found for found in tried if isinstance(found, Quote)), tried[0])
