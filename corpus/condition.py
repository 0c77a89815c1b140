"""What holds only behind screens, with bidding boxes, at teams …: ``conditions/<edition>.tsv``, each with the words.

A row names a provision, the condition without which it does not hold, and the words that say so: they stand in its
heading, its text, or a footnote whose mark it carries; of a footnote, also in the text that carries its mark. Several
conditions parted by ``|`` mean that it holds under any of them; several rows, that it needs each. What stands inside a
provision holds where the provision does; a footnote stands inside its law, so one of a part of it needs its own row.
The closed list, named in every language of the site, is ``conditions/names.toml``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpus import address, quoting
from corpus.checked import Refused, file, toml, tsv
from corpus.checked.prose import Prose
from corpus.checked.toml import Written
from corpus.model import Node, NodeId, Problem, Quote

CONDITIONS = "conditions"
NAMES = f"{CONDITIONS}/names.toml"
CONDITION_COLUMNS = ("path", "condition", "words", "remark")
ANY = "|"  # parts conditions of which any will do


@dataclass(frozen=True)
class Only:
    """A provision holds only under one of ``any``, as the words of ``quote`` say."""

    any: tuple[str, ...]
    quote: Quote

    def gone(self, without: Collection[str]) -> bool:
        """Whether it does not hold for who plays under none of the conditions ``without``."""
        return set(self.any) <= set(without)


@dataclass(frozen=True)
class Conditions:
    """``names``: condition → its name by language, in the order of the list; ``only``: what is said of a node."""

    names: Mapping[str, Prose] = field(default_factory=dict)
    only: Mapping[NodeId, tuple[Only, ...]] = field(default_factory=dict)

    def around(self, id_: NodeId) -> tuple[Only, ...]:
        """What is said of a node and of all that it stands in, the outermost first."""
        outer = [NodeId.of(id_.edition, path) for path in reversed(address.ancestors(id_.path))]
        return tuple(only for at in (*outer, id_) for only in self.only.get(at, ()))

    def alone(self, id_: NodeId) -> tuple[str, ...]:
        """The conditions without which a node does not hold, each of itself."""
        return tuple(dict.fromkeys(only.any[0] for only in self.around(id_) if len(only.any) == 1))

    def holds(self, id_: NodeId, without: Collection[str]) -> bool:
        """Whether a node says anything to who plays under none of the conditions ``without``."""
        return not without or not any(only.gone(without) for only in self.around(id_))


def read_conditions(corpus_dir: Path, nodes: Mapping[NodeId, Node], editions: Collection[str]) -> tuple[Conditions, list[Problem]]:
    """The list and the tables, checked against the texts; no list is no conditions.

    ``nodes``: of the editions that were read; ``editions``: ids of all that there is a folder for.
    """
    paths = sorted((corpus_dir / CONDITIONS).glob("*.tsv"))
    if not paths and not file.is_there(corpus_dir / NAMES):
        return Conditions(), []
    try:
        written = toml.read_toml(corpus_dir / NAMES, NAMES, ("There is no file.", "Write it: the list of the conditions."))
    except Refused as refused:
        return Conditions(), refused.problems
    problems = list(_unnamed(written))
    only: dict[NodeId, list[Only]] = defaultdict(list)
    read_here = {id_.edition for id_ in nodes}
    for path in paths:
        sheet = tsv.read_tsv(path, path.relative_to(corpus_dir).as_posix(), CONDITION_COLUMNS, remarks=True)
        problems += sheet.problems
        if path.stem not in editions:
            problems.append(sheet.problem(1, f"There is no edition “{path.stem}”.", "Name the file after an edition."))
        for line, row in sheet.rows if path.stem in read_here else ():
            found = _row(row, NodeId.of(path.stem, row["path"]), nodes, written.data)
            if isinstance(found, Only):
                only[NodeId.of(path.stem, row["path"])].append(found)
            else:
                problems.append(sheet.problem(line, *found))
    names = {id_: Prose(said) for id_, said in written.data.items() if isinstance(said, dict)}
    return Conditions(names, {id_: tuple(rows) for id_, rows in only.items()}), problems


def _unnamed(written: Written) -> Iterator[Problem]:
    """Conditions that lack a name in a language of the first one."""
    first = next((set(said) for said in written.data.values() if isinstance(said, dict)), set())
    for id_, said in written.data.items():
        if not isinstance(said, dict) or set(said) != first or not all(isinstance(v, str) and v for v in said.values()):
            move = f"Write id = {{…}}, a name for each language: {', '.join(sorted(first)) or 'none yet'}."
            yield written.problem((id_,), f"“{id_}” is not named as the first condition is.", move)


def _row(
    row: Mapping[str, str], id_: NodeId, nodes: Mapping[NodeId, Node], known: Collection[str]
) -> Only | tuple[str, str]:
    """What a row says; or (finding, move)."""
    conditions = tuple(row["condition"].split(ANY))
    if unknown := next((c for c in conditions if c not in known), None):
        return f"“{unknown}” is no condition.", f"Choose: {', '.join(known)}; or name it in {NAMES}."
    if id_ not in nodes:
        return f"There is no {id_}.", "Correct the path."
    if not row["words"]:
        return "No words say so.", "Write the words of the text that say where it holds."
    found = place(row["words"], nodes[id_], nodes)
    return Only(conditions, found) if isinstance(found, Quote) else found


def place(words: str, node: Node, nodes: Mapping[NodeId, Node]) -> Quote | tuple[str, str]:
    """Where words stand: in the text or heading of a node, in a footnote of it, or in the text that carries the mark of
    this footnote; or (finding, move).
    """
    notes = [nodes[mark.target] for mark in node.marks if mark.target in nodes]
    marked = [n for n in nodes.values() if any(mark.target == node.id for mark in n.marks)]
    tried = [quoting.find(node, "text", words), quoting.find(node, "heading", words)]
    tried += [quoting.find(beside, "text", words) for beside in (*notes, *marked)]
    return next((found for found in tried if isinstance(found, Quote)), tried[0])
