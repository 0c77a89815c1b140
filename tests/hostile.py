"""A small corpus with a file of every kind, and what may be done to one: seeded, so that every run does the same."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from strangers import CORPUS

EDITION = "pl-1997"
WHOLE = (f"editions/{EDITION}", "vocabulary", "rulings", "misprints")
FILES = (
    "languages/pl.toml",
    "situations/declarer-exposes-cards.toml",
    "terms/call.toml",
    f"conditions/{EDITION}.tsv",
    "conditions/names.toml",
    "facts/pl.tsv",
    "scores/codes/1997.toml",
    f"scores/figures/{EDITION}.tsv",
    "scores/marks.toml",
    "concordances/pl-1997.tsv",
    "words/everyday.tsv",
    "words/forms.tsv",
    "words/lookalikes.tsv",
    "words/synonyms-pl.toml",
    "words/loans.toml",
)


def sentences(situation: str) -> str:
    """Those of ours that are for a situation, in one file."""
    written = [path.read_text(encoding="utf-8").splitlines() for path in sorted((CORPUS / "spoken").glob("*.tsv"))]
    rows = [row for lines in written for row in lines[1:] if row.split("\t")[1] in ("", situation)]
    return "\n".join([written[0][0], *rows[:: len(rows) // 40]]) + "\n"


# Kinds of which ours has no file for this edition.
FURTHER = {
    "spoken/some.tsv": sentences("declarer-exposes-cards"),
    f"paraphrases/{EDITION}.tsv": "path\tpl\n16/A\tpartner się zająknął\n9/A\tkto może mówić\n",
    "situations/orders-1997.tsv": "path\tdoes\tsituations\treason\n16/A\torders\tdeclarer-exposes-cards\t\n",
    f"editions/{EDITION}/strength.toml": """node = "9/B/1/a"
[[step]]
strength = "must"
sentence = "Sędzia musi zostać przywołany"
forms = ["musi"]
[[not]]
why = "x"
words = ["musi orzec"]
""",
    "rulings/pzbs/2018.toml": """[[ruling]]
number = "1-2018"
code = "1997"
provisions = ["16/A"]
kind = "commentary"
effect = "explains"
date = "2018-03-01"
text = {pl = "Słowa.", en = "Words."}
source = {name = "Biuletyn", url = "https://x.example/b"}
in_force = {from = "2018-04-01", to = "2019-01-01"}
""",
}
ATTACK = "\"><script>alert('{{7*7}}')</script> %s ]]> javascript:x"
JUNK = (
    "",
    "0",
    "-1",
    "9" * 30,
    "\u202e",
    "\\u0000",
    "NaN",
    "../../x",
    "𝔸🂡",
    "a" * 5000,
    "true",
    "[]",
    "{}",
    "'",
    '"',
    "\t",
    "=",
    "[[x]]",
    ATTACK,
)


VALUES = (
    *('""', "0", "-1", "9" * 18, "9" * 30, "0x" + "f" * 40, "1e400", "nan", "true", "1979-05-27"),
    *("[]", "[[[]]]", "[{}]", "{}", "{a = 1}", '["x", 1]', "'[(' ", "'''\n'''"),
    *('"\\u202e"', '"\\u0000"', repr(ATTACK), '"' + "a" * 3000 + '"'),
)


def small(folder: Path) -> Path:
    """The corpus: the smallest edition of ours, and of what is said of all one file of each kind."""
    for name in WHOLE:
        shutil.copytree(CORPUS / name, folder / name)
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CORPUS / name, folder / name)
    body = folder / "rulings" / "pzbs" / "body.toml"
    body.write_text(body.read_text(encoding="utf-8").replace('edition = "pzbs-2017"\n', ""), encoding="utf-8")
    for name, text in FURTHER.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def kinds() -> list[str]:
    """The names of its files about the texts, without the source."""
    whole = [p.relative_to(CORPUS).as_posix() for name in WHOLE for p in (CORPUS / name).rglob("*") if p.is_file()]
    return sorted({*(n for n in (*whole, *FILES) if not n.endswith(".txt")), *FURTHER})


def mutations(name: str, data: bytes, count: int) -> Iterator[bytes]:
    """Other files in place of one, each with one thing wrong or several."""
    chance = random.Random(name)
    ways = ROWS if name.endswith(".tsv") else TABLES
    for n in range(count):
        way = ways[n % len(ways)]
        yield way(chance, data.decode("utf-8")).encode("utf-8", "surrogatepass")
    yield data[: len(data) // 2]
    yield data + b"\xff"
    yield b"\x00" * 100
    yield b""
    yield data + data


def _other(change):
    """A mutation of one of the lines, chosen from those that hold something."""

    def way(chance: random.Random, text: str) -> str:
        lines = text.split("\n")
        at = chance.choice([n for n, line in enumerate(lines) if line.strip()] or [0])
        lines[at] = change(chance, lines[at])
        return "\n".join(lines)

    return way


def _cell(chance: random.Random, line: str) -> str:
    cells = line.split("\t")
    cells[chance.randrange(len(cells))] = chance.choice(JUNK)
    return "\t".join(cells)


def _value(chance: random.Random, line: str) -> str:
    """Another value for a key, of any type."""
    key, sign, _ = line.partition("=")
    value = chance.choice(VALUES)
    return f"{key}= {value}" if sign else value


def _string(chance: random.Random, line: str) -> str:
    return re.sub(
        r'"[^"]*"', lambda _: '"' + chance.choice(("", "x", "-1", "pl-1997/9", "a/../b", "🂡")) + '"', line, count=1
    )


ROWS = (
    _other(_cell),
    _other(lambda chance, line: line + "\tmore"),
    _other(lambda chance, line: line.partition("\t")[0]),
    _other(lambda chance, line: f"{line}\n{line}"),
    _other(lambda chance, line: ""),
    _other(lambda chance, line: chance.choice(JUNK)),
    lambda chance, text: text.partition("\n")[2],
)
TABLES = (
    _other(_value),
    _other(_string),
    _other(_value),
    _other(lambda chance, line: ""),
    _other(lambda chance, line: f"{line}\n{line}"),
    _other(lambda chance, line: line.replace("=", ".x =", 1)),
    _other(lambda chance, line: "unknown = 1\n" + line),
    _other(_string),
    _other(lambda chance, line: line[: chance.randrange(len(line) + 1)]),
    _other(lambda chance, line: chance.choice(JUNK)),
)
