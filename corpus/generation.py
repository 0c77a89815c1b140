"""Generations: what a build publishes. A stage is filled, synced, named by its digest and made current by one rename.

A generation is a folder with the parts ``corpus/``, ``search/``, ``learned/`` and ``pages/``, and with
``manifest.json``. It may lack the last two: at the first start of a server, a generation without them is published
first, because it is made much sooner. The manifest lists every file with its digest and size. For each part it names
the layout that code must know to read the part, and what the part was made from. Nothing is opened that a manifest does
not prove: :meth:`Generation.open` reads and checks files, and every reader takes a :class:`Generation`.

A process that is killed at any moment leaves ``current`` as it was before, or as it is after. The build folder has:

- ``generations/<digest>/``: the published generations;
- ``current``: a link to one of them;
- ``served``: a link to the one that a running site has proved and serves (``LEXBRIDGE_SERVED`` may name another place);
  only that site sets it, with :func:`link_served`;
- ``next/``: a generation that is built but not published yet, with a corpus and perhaps a search index.

A build uses :func:`lock_build_folder`, :func:`open_stage`, and :func:`publish` or :func:`keep_as_next`.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import msgspec

from corpus.files import MemoryPath

REBUILD_MOVE = "Run: lexbridge build"
LONGEST_FAULT = 300  # characters of a fault that a message repeats
DEFAULT_BUILD_DIR = Path(__file__).parent.parent / "index" / "built"


class StoreError(Exception):
    """What was built is missing, differs from its manifest, or has another layout. The message names the next move."""


def one_line(text: str, most: int) -> str:
    r"""Return a text on one line, with ``most`` characters at most.

    >>> one_line("not\n  found", 20)
    'not found'
    """
    return " ".join(text.split())[:most]


@contextmanager
def refuse_unreadable(place: object) -> Iterator[None]:
    """A context in which any fault of what is read becomes a :class:`StoreError` that names ``place`` and the fault."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 – whatever is wrong, the next move is the same
        fault = one_line(f"{type(error).__name__}: {error}", LONGEST_FAULT)
        raise StoreError(f"{place} cannot be read ({fault}). {REBUILD_MOVE}") from None


def corpus_dir() -> Path:
    """The folder of the texts: ``LEXBRIDGE_CORPUS``, or the folder of this package."""
    return Path(os.environ.get("LEXBRIDGE_CORPUS") or Path(__file__).parent)


def build_dir() -> Path:
    """The folder of the build: ``LEXBRIDGE_BUILD``, or ``index/built`` of the checkout."""
    return Path(os.environ.get("LEXBRIDGE_BUILD") or DEFAULT_BUILD_DIR)


# ── The parts ───────────────────────────────────────────────────────────────────────────────────

CORPUS_PART, SEARCH_PART, LEARNED_PART, PAGES_PART = "corpus", "search", "learned", "pages"


@dataclass(frozen=True)
class BuildPart:
    """A part of a generation.

    - ``layout``: names the form of its files. Give it a new name when code would misread what was built before. A file
      that is missing is refused anyway.
    - ``code``: the folders of code that make it.
    - ``packages``: the packages whose version may change the result.
    """

    layout: str
    code: tuple[str, ...]
    packages: tuple[str, ...]


# By name, in the order in which they are made: each part is made from the parts before it.
PARTS = {
    CORPUS_PART: BuildPart("corpus-12", ("corpus",), ("beautifulsoup4", "markdown", "msgspec")),
    SEARCH_PART: BuildPart("search-12", ("index",), ("whoosh-reloaded", "numpy")),
    LEARNED_PART: BuildPart("learned-1", ("index",), ("scikit-learn", "scipy")),
    PAGES_PART: BuildPart("pages-1", ("app",), ("flask", "flask-babel", "jinja2", "babel", "markupsafe", "segno")),
}


# ── The manifest ────────────────────────────────────────────────────────────────────────────────

MANIFEST_SCHEMA = 2
MANIFEST_FILE = "manifest.json"
SIGNATURE_FILE = f"{MANIFEST_FILE}.sig"  # beside the manifest, which does not list it
SIGNATURE_PURPOSE = "lexbridge"  # a signature that the same key made for something else is not accepted
LARGEST_MANIFEST = 1 << 24  # in bytes; ours has a few hundred lines
LARGEST_FILE = 1 << 30  # in bytes
LONGEST_PATH = 500  # in characters
DIGEST_PATTERN = re.compile("[0-9a-f]{64}")

Sha256 = Annotated[str, msgspec.Meta(pattern=rf"\A{DIGEST_PATTERN.pattern}\Z")]
FileSize = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_FILE)]
FileDigests = Mapping[str, Sha256]  # path inside the folder → sha256 in hex


@dataclass(frozen=True)
class PartRecord:
    """What a manifest says about a part.

    - ``layout``: as in :class:`BuildPart`.
    - ``inputs``: the key of everything that the part was made from (:func:`part_keys`), or "".
    - ``made_from``: name → digest of the parts of the generation that it was made from.
    """

    layout: str
    inputs: str = ""
    made_from: Mapping[str, Sha256] = field(default_factory=dict)


PartRecords = Mapping[str, PartRecord]  # by the name of the part


@dataclass(frozen=True)
class Manifest:
    """The manifest of a generation. ``digest`` names the generation; ``files`` and ``sizes`` are by path."""

    schema: int
    digest: str
    files: FileDigests
    sizes: Mapping[str, FileSize] = field(default_factory=dict)
    parts: PartRecords = field(default_factory=dict)

    @classmethod
    def of(cls, files: FileDigests, sizes: Mapping[str, int], parts: PartRecords) -> Manifest:
        """Return the manifest of files, which belong to these parts."""
        return cls(MANIFEST_SCHEMA, digest_of(files, parts), files, sizes, parts)

    def to_json(self) -> bytes:
        """The content of the file. Equal manifests have equal content."""
        return msgspec.json.format(msgspec.json.encode(self, order="deterministic"), indent=1) + b"\n"


def digest_of(files: FileDigests, parts: PartRecords = MappingProxyType({})) -> str:
    """The digest of a generation: sha256 over the sorted paths, the digest of each file, and the records of the parts.

    >>> one, other = {"a": "0" * 64, "b": "1" * 64}, {"b": "1" * 64, "a": "0" * 64}
    >>> digest_of(one) == digest_of(other) != digest_of({"a": "0" * 64})
    True
    """
    lines = "".join(f"{files[name]}  {name}\n" for name in sorted(files))
    records = msgspec.json.encode(dict(parts), order="deterministic")
    return hashlib.sha256(lines.encode("utf-8") + records).hexdigest()


def digests_before(part: str, files: FileDigests, present: Collection[str]) -> dict[str, str]:
    """Return name → digest of the parts that come before ``part``. ``present``: the parts that there are."""
    names = list(PARTS)
    return {
        name: digest_of({path: files[path] for path in files if path.startswith(f"{name}/")})
        for name in names[: names.index(part)]
        if name in present
    }


def read_manifest(folder: Path, parts: Collection[str] = ()) -> Manifest:
    """The manifest of a generation in a folder. A digest as the name of the folder must be that of the generation.

    Raises :class:`StoreError` for anything that is no manifest of that generation, or when this version cannot read
    ``parts`` (empty: all parts).
    """
    place = folder / MANIFEST_FILE
    try:
        manifest = msgspec.json.decode(_read_plain_file(folder, MANIFEST_FILE, LARGEST_MANIFEST), type=Manifest)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{place} is no manifest ({error}). {REBUILD_MOVE}") from None
    if foreign := _unreadable_parts(manifest, parts):
        raise StoreError(f"{folder} was built by another version of Lexbridge: {foreign}. {REBUILD_MOVE}")
    expected = folder.name if DIGEST_PATTERN.fullmatch(folder.name) else manifest.digest
    if fault := next(_manifest_faults(manifest, expected), ""):
        raise StoreError(f"{place} is no manifest of this generation: {fault}. {REBUILD_MOVE}")
    return manifest


def _unreadable_parts(manifest: Manifest, parts: Collection[str]) -> str:
    """Return why this version cannot read ``parts`` (empty: all parts), as words of a message; "" when it can."""
    if manifest.schema != MANIFEST_SCHEMA:
        return f"{MANIFEST_FILE} has the schema {manifest.schema}, and this version reads {MANIFEST_SCHEMA}"
    for name, record in manifest.parts.items():
        if (not parts or name in parts) and (name not in PARTS or record.layout != PARTS[name].layout):
            return f"{name} has the layout “{record.layout}”, which this version does not read"
    return ""


def _manifest_faults(manifest: Manifest, expected: str) -> Iterator[str]:
    """Yield what is wrong with a manifest, in words. ``expected``: the digest that it should have.

    Only the first fault counts, because later checks rely on earlier ones.
    """
    files, parts = manifest.files, manifest.parts
    if not files:
        yield "it lists no files"
    if files.keys() != manifest.sizes.keys():
        yield "it does not state the size of each file"
    for name in files:
        if not is_safe_path(name):
            yield f"“{ascii(name)[1:-1][:80]}” is no path inside the folder"
    if manifest.digest != expected:
        yield f"its digest is not {expected}"
    if digest_of(files, parts) != expected:
        yield "its digest is not that of its files"
    yield from _part_faults(files, parts)


def _part_faults(files: FileDigests, parts: PartRecords) -> Iterator[str]:
    """Yield what is wrong with the records of the parts."""
    for name in (name for name in PARTS if name in parts):
        if unlike := dict(parts[name].made_from.items() ^ digests_before(name, files, parts).items()):
            yield f"{name} was made from another {min(unlike)}"
    for name in PARTS.keys() - parts.keys():
        if any(path.startswith(f"{name}/") for path in files):
            yield f"it does not name the layout of {name}"


def is_safe_path(name: str) -> bool:
    r"""Whether a name is a path that stays inside the folder, and is not that of the manifest or its signature.

    >>> [is_safe_path(n) for n in ("a/b.txt", "../a", "/a", "a//b", "a\\b", "", "manifest.json", "a\udc00")]
    [True, False, False, False, False, False, False, False]
    """
    plain = name.isprintable() and "\\" not in name and len(name) <= LONGEST_PATH
    return plain and name not in (MANIFEST_FILE, SIGNATURE_FILE) and not re.search(r"(?:^|/)\.{0,2}(?:/|$)", name)


# ── Generations ─────────────────────────────────────────────────────────────────────────────────

GENERATIONS_FOLDER, CURRENT_LINK, NEXT_FOLDER = "generations", "current", "next"
SERVED_LINK, SERVED_VARIABLE = "served", "LEXBRIDGE_SERVED"
# The web server reads what is below it from the disk. It is proved like the rest, and not held in memory.
ON_DISK_PREFIX = f"{PAGES_PART}/away/"


@dataclass(frozen=True)
class Generation:
    """A generation in memory: the ``folder`` it was read from, and its ``manifest``.

    ``contents`` are the bytes of the files that were requested, without those below :data:`ON_DISK_PREFIX`. The folder
    may be gone from the disk by now. Drop the generation after taking what is needed, so that its memory is freed.
    """

    folder: Path
    manifest: Manifest
    contents: Mapping[str, bytes] = field(repr=False, compare=False)

    @classmethod
    def open(cls, build: Path, parts: Collection[str] = ()) -> Generation:
        """The current generation of a build folder. With ``parts`` only these parts are read and checked.

        Raises :class:`StoreError`, and nothing else, when there is none, it is damaged, or a part has a layout that
        this code does not read; the message says what to do.
        """
        digest = current_digest(build)
        if digest is None:
            raise StoreError(f"There is no generation in {build}. {REBUILD_MOVE}")
        return cls.load(build / GENERATIONS_FOLDER / digest, parts)

    @classmethod
    def open_latest(cls, build: Path, parts: Collection[str] = (CORPUS_PART, SEARCH_PART, LEARNED_PART)) -> Generation:
        """The generation that was made last, for commands: ``next`` where that exists, else the current one.

        ``parts`` and errors: as in :meth:`open`.
        """
        fresh = build / NEXT_FOLDER
        return cls.load(fresh, parts) if fresh.exists() else cls.open(build, parts)

    @classmethod
    def load(cls, folder: Path, parts: Collection[str] = ()) -> Generation:
        """Return the generation in a folder. ``parts`` and errors: as in :meth:`open`."""
        manifest = read_manifest(folder, parts)
        contents, no_links = {}, set[str]()
        for name in manifest.files:
            if not parts or name.partition("/")[0] in parts:
                data = _read_proved_file(folder, name, manifest, no_links)
                if not name.startswith(ON_DISK_PREFIX):
                    contents[name] = data
        return cls(folder, manifest, contents)

    @property
    def digest(self) -> str:
        """The digest that names the generation."""
        return self.manifest.digest

    def has_part(self, name: str) -> bool:
        """Whether the generation has a part, read or not."""
        return name in self.manifest.parts

    def read_file(self, name: str) -> bytes:
        """The content of a file. Raises :class:`StoreError` when the generation lacks it, or its part was not read."""
        if name not in self.contents:
            raise StoreError(f"{self.folder / name} is missing. {REBUILD_MOVE}")
        return self.contents[name]

    def file_names(self, prefix: str = "") -> list[str]:
        """The paths of its files that begin with ``prefix``, sorted."""
        return sorted(name for name in self.manifest.files if name.startswith(prefix))

    def part(self, name: str) -> MemoryPath:
        """The folder of a part, in memory.

        Raises :class:`StoreError` when the generation lacks the part, or it was not read.
        """
        prefix = f"{name}/"
        inside = {path.removeprefix(prefix): data for path, data in self.contents.items() if path.startswith(prefix)}
        if not inside:
            raise StoreError(f"There is no {name} in {self.folder}. {REBUILD_MOVE}")
        return MemoryPath(inside, self.folder / name)


def current_digest(build: Path) -> str | None:
    """The digest of the generation that ``current`` points to, without any check; None when there is none. Cheap."""
    try:
        folder, _, digest = os.readlink(build / CURRENT_LINK).rpartition("/")  # noqa: PTH115 – the text of the link itself
    except OSError:
        return None
    return digest if folder == GENERATIONS_FOLDER and DIGEST_PATTERN.fullmatch(digest) else None


def served_link(build: Path) -> Path:
    """Where the link to the served generation is: ``LEXBRIDGE_SERVED``, or ``served`` in the build folder."""
    return Path(os.environ.get(SERVED_VARIABLE) or build / SERVED_LINK)


def served_digest(build: Path) -> str | None:
    """The digest of the generation that ``served`` leads to, without any check; None when there is none."""
    try:
        digest = served_link(build).readlink().name
    except OSError:
        return None
    return digest if DIGEST_PATTERN.fullmatch(digest) else None


def link_served(build: Path, digest: str) -> None:
    """Let ``served`` lead to a generation, by one rename. Raises :class:`OSError` when it cannot be written."""
    link, target = served_link(build), Path(GENERATIONS_FOLDER, digest)
    fresh = link.with_name(f".{link.name}-new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target if link.parent == build else (build / target).absolute())
    fresh.replace(link)


def digests_by_age(build: Path) -> list[str]:
    """The digests of the published generations, without any check; what became current last comes first."""
    try:
        ages = [
            (path.lstat().st_mtime_ns, path.name)
            for path in (build / GENERATIONS_FOLDER).iterdir()
            if DIGEST_PATTERN.fullmatch(path.name)
        ]
    except OSError:
        return []
    return [name for _, name in sorted(ages, reverse=True)]


def _read_plain_file(folder: Path, name: str, most: int, no_links: set[str] | None = None) -> bytes:
    """Return the content of a file in a folder.

    ``no_links``: folders that are known to be no links; those that are found are added.

    Raises :class:`StoreError` when it cannot be read, is no plain file, has more than ``most`` bytes, or when a link
    inside the folder leads to it.
    """
    known, path = set() if no_links is None else no_links, str(folder)
    try:
        for step in name.split("/"):
            path = f"{path}/{step}"
            if path in known:
                continue
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                raise StoreError(f"{path} is a link, which may lead anywhere. {REBUILD_MOVE}")
            if stat.S_ISDIR(mode):
                known.add(path)
        if not stat.S_ISREG(mode):
            raise StoreError(f"{path} is no file. {REBUILD_MOVE}")
        with Path(path).open("rb") as file:
            if os.fstat(file.fileno()).st_size > most:
                raise StoreError(f"{path} is larger than {most} bytes. {REBUILD_MOVE}")
            return file.read(most + 1)
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}). {REBUILD_MOVE}") from None


def _read_proved_file(folder: Path, name: str, manifest: Manifest, no_links: set[str] | None = None) -> bytes:
    """Return the content of a file. ``no_links``: as in :func:`_read_plain_file`.

    Raises :class:`StoreError` when it is not the file that the manifest lists.
    """
    data = _read_plain_file(folder, name, manifest.sizes[name], no_links)
    if hashlib.sha256(data).hexdigest() != manifest.files[name]:
        raise StoreError(f"{folder / name} is not the file that was built. {REBUILD_MOVE}")
    return data


# ── Signatures ──────────────────────────────────────────────────────────────────────────────────

LARGEST_SIGNATURE = 1 << 16  # in bytes, also of a key


def sign_generation(folder: Path, key: Path) -> None:
    """Sign the manifest of a generation, and with it every file. ``key``: a private key of ssh-keygen.

    Raises :class:`StoreError` when there is no signature afterwards; a signature from before stays.
    """
    with tempfile.TemporaryDirectory(prefix=STAGE_PREFIX, dir=folder.parent) as beside:
        copy = Path(beside) / MANIFEST_FILE
        shutil.copyfile(folder / MANIFEST_FILE, copy)
        if fault := _run_ssh_keygen("sign", "-f", str(key), "-n", SIGNATURE_PURPOSE, str(copy)):
            raise StoreError(f"{folder} cannot be signed with {key} ({fault}). Name a private key of ssh-keygen.")
        signature = copy.with_name(SIGNATURE_FILE)
        signature.chmod(0o644)
        sync_to_disk(signature)
        signature.replace(folder / SIGNATURE_FILE)
    sync_to_disk(folder)


def check_signature(made: Generation, key: Path) -> None:
    """Check that a public key of ssh-keygen proves the manifest of a generation, which was read.

    Raises :class:`StoreError` when there is no signature, or when it is not that of the key for this manifest.
    """
    signature, manifest = made.folder / SIGNATURE_FILE, made.manifest.to_json()
    if not signature.exists():
        raise StoreError(f"{made.folder} is not signed. Run: lexbridge build --sign KEY")
    if _read_plain_file(made.folder, MANIFEST_FILE, LARGEST_MANIFEST) != manifest:
        raise StoreError(f"{made.folder / MANIFEST_FILE} is not the manifest that a build wrote. {REBUILD_MOVE}")
    try:
        public = key.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise StoreError(f"{key} cannot be read ({error}). Name a public key of ssh-keygen: a file *.pub.") from None
    if "\n" in public or not re.match(r"(?:ssh|ecdsa|sk-)[\w.@-]+ [\w+/=]+(?: |$)", public):
        raise StoreError(f"{key} is no public key. Name one line as ssh-keygen writes it: a file *.pub.")
    with tempfile.TemporaryDirectory() as name:
        signers, copy = Path(name) / "signers", Path(name) / SIGNATURE_FILE
        signers.write_text(f'{SIGNATURE_PURPOSE} namespaces="{SIGNATURE_PURPOSE}" {public}\n', encoding="ascii")
        copy.write_bytes(_read_plain_file(made.folder, SIGNATURE_FILE, LARGEST_SIGNATURE))
        who = ("-I", SIGNATURE_PURPOSE, "-n", SIGNATURE_PURPOSE)
        if fault := _run_ssh_keygen("verify", "-f", str(signers), *who, "-s", str(copy), given=manifest):
            raise StoreError(f"{made.folder} is not signed with {key} ({fault}). Do not serve it.")


def _run_ssh_keygen(action: str, *options: str, given: bytes | None = None) -> str:
    """Run ``ssh-keygen -Y``; return "", or why it failed. ``given``: its input; None for the terminal."""
    try:
        done = subprocess.run(["ssh-keygen", "-Y", action, *options], input=given, capture_output=True, check=False)  # noqa: S603, S607
    except FileNotFoundError:
        return "there is no ssh-keygen: install the package openssh-client"
    if done.returncode == 0:
        return ""
    said = one_line((done.stderr or done.stdout).decode("utf-8", "replace"), LONGEST_FAULT)
    return said or f"ssh-keygen ended with {done.returncode}"


# ── The files of the parsed corpus ───────────────────────────────────────────────────────────────


def write_corpus_files(folder: Path, rows: dict[str, list[dict]], objects: dict[str, Any]) -> None:
    """Write the parsed corpus to a folder. ``rows`` and ``objects`` are by file name."""
    for name, lines in rows.items():
        with (folder / name).open("w", encoding="utf-8") as file:
            for row in lines:
                file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    for name, data in objects.items():
        (folder / name).write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")


def read_corpus_file(made: Generation, name: str) -> Any:
    """The rows of one file of the corpus of a generation, or its one object. Raises as :meth:`Generation.read_file`."""
    data = made.read_file(f"{CORPUS_PART}/{name}")
    # Line by line: while one text is parsed, no other thread runs.
    return json.loads(data) if name.endswith(".json") else [json.loads(line) for line in data.split(b"\n") if line]


# ── What a part was made from ───────────────────────────────────────────────────────────────────

PartKeys = Mapping[str, str]  # part → key


def part_keys(corpus: Path, root: Path, settings: Mapping[str, str] = MappingProxyType({})) -> PartKeys:
    """Return part → key. A key is a digest of everything that the part is made from.

    That is the data in ``corpus``, the code under ``root``, Python and its packages. ``settings``: part → what else it
    depends on. Each part depends on the parts before it, so its key includes theirs.
    """
    key = _digest_pieces([platform.python_version().encode(), *_path_and_digest_lines(corpus)])
    out = {}
    for name, part in PARTS.items():
        code = [piece for folder in part.code for piece in _path_and_digest_lines(root / folder)]
        installed = [f"{package} {_package_version(package)}".encode() for package in part.packages]
        key = out[name] = _digest_pieces([key.encode(), *code, *installed, settings.get(name, "").encode()])
    return out


def _path_and_digest_lines(folder: Path) -> Iterable[bytes]:
    """Yield a line for every file under a folder: its path and its digest.

    Hidden files, the caches of Python and what was built are left out.
    """
    built = (build_dir(), DEFAULT_BUILD_DIR)
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not any(map(p.is_relative_to, built))):
        name = path.relative_to(folder)
        if not any(step.startswith((".", "__pycache__")) for step in name.parts):
            yield f"{name.as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode()


def _digest_pieces(pieces: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\n".join(pieces)).hexdigest()


def _package_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


# ── Building and publishing ─────────────────────────────────────────────────────────────────────

LOCK_FILE = ".lock"
# Prefixes of names of what is not finished, or no longer wanted.
STAGE_PREFIX, LINK_PREFIX, DISCARDED_PREFIX = ".making-", ".current-", ".gone-"


class BuildRunning(Exception):  # noqa: N818 – nothing went wrong: another build is at work
    """Another build is running in the folder. The message says what to do."""


@dataclass(frozen=True)
class BuildStage:
    """A ``folder`` that a build fills with the parts of a generation, inside the folder ``build``.

    ``inputs``: the keys of the parts that will be made. ``parts``: what is recorded of the parts that are made.
    """

    folder: Path
    build: Path
    inputs: PartKeys = field(default_factory=dict)
    parts: dict[str, PartRecord] = field(default_factory=dict)

    @contextmanager
    def make_part(self, name: str) -> Iterator[Path]:
        """A context with the new folder of a part. The part is recorded when the block ends without an error."""
        folder = self.folder / name
        folder.mkdir()
        yield folder
        self.record_part(name)

    def record_part(self, name: str) -> None:
        """Record a part that was just made from the parts that are recorded before it."""
        made_from = digests_before(name, _digest_files(self.folder), self.parts)
        self.parts[name] = PartRecord(PARTS[name].layout, self.inputs.get(name, ""), made_from)

    def copy_part(self, part: str, previous: Generation) -> None:
        """Copy the files and the record of a part from a generation in which this part was read and checked.

        What was checked is written. A hard link would share later damage of the old file.
        """
        for name in previous.file_names(f"{part}/"):
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            held = previous.contents.get(name)
            target.write_bytes(held or _read_proved_file(previous.folder, name, previous.manifest))
        self.parts[part] = previous.manifest.parts[part]

    def seal(self) -> Manifest:
        """Write the manifest of what is in the stage now, and return it."""
        files = _digest_files(self.folder)
        sizes = {name: (self.folder / name).stat().st_size for name in files}
        manifest = Manifest.of(files, sizes, self.parts)
        (self.folder / MANIFEST_FILE).write_bytes(manifest.to_json())
        return manifest

    def read_parts(self) -> Generation:
        """What is in the stage now, as a generation in memory."""
        self.seal()
        return Generation.load(self.folder)


@contextmanager
def lock_build_folder(build: Path) -> Iterator[None]:
    """A context in which no other process builds in a folder. What killed builds left behind is removed.

    Raises :class:`BuildRunning` when another build runs, :class:`OSError` when the folder cannot be written.
    """
    import fcntl  # only a build needs it, and not every system that serves has it

    if not build.is_dir():
        build.mkdir(parents=True)
        build.chmod(0o755)
    with (build / LOCK_FILE).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            other = f" (process {lock.read(20).strip()})"
            raise BuildRunning(f"Another build is at work in {build}{other}. Wait until it has ended.") from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        for prefix in (STAGE_PREFIX, LINK_PREFIX, DISCARDED_PREFIX):
            for debris in build.glob(f"{prefix}*"):
                remove_path(debris)
        yield


@contextmanager
def open_stage(build: Path, inputs: PartKeys = MappingProxyType({})) -> Iterator[BuildStage]:
    """A context with a new stage. It is removed in the end, unless it was published or kept as ``next``.

    ``inputs``: as in :class:`BuildStage`. Use it inside :func:`lock_build_folder`.
    """
    folder = Path(tempfile.mkdtemp(prefix=STAGE_PREFIX, dir=build))
    try:
        yield BuildStage(folder, build, inputs)
    finally:
        remove_path(folder)


def remove_path(path: Path) -> None:
    """Remove what is at a path, as far as possible. Of a link, only the link is removed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


OLD_GENERATIONS = 2  # kept beside the current one, for processes that read them and for going back


def publish(stage: BuildStage, key: Path | None = None) -> str:
    """Make the content of a stage the current generation, and return its digest. ``next`` is older, so it is removed.

    ``key``: sign the generation with it (:func:`sign_generation`).

    Raises :class:`OSError` when something cannot be written, :class:`StoreError` when it cannot be signed; then the
    generation before stays current.
    """
    digest = stage.seal().digest
    if key:
        sign_generation(stage.folder, key)
    generations = stage.build / GENERATIONS_FOLDER
    generations.mkdir(exist_ok=True)
    generations.chmod(0o755)
    target = generations / digest
    if not _is_intact(target):
        _move_stage(stage, target)
    elif key:
        (stage.folder / SIGNATURE_FILE).replace(target / SIGNATURE_FILE)
    _stamp_as_newest(generations, target)
    sync_to_disk(generations)
    link = stage.build / f"{LINK_PREFIX}{os.getpid()}"
    link.symlink_to(f"{GENERATIONS_FOLDER}/{digest}")
    link.replace(stage.build / CURRENT_LINK)
    sync_to_disk(stage.build)
    remove_old_generations(stage.build)
    return digest


def keep_as_next(stage: BuildStage) -> None:
    """Make the content of a stage ``next``. Nothing is published.

    Raises :class:`OSError` when something cannot be written; then what was ``next`` stays.
    """
    stage.seal()
    _move_stage(stage, stage.build / NEXT_FOLDER)


def _move_stage(stage: BuildStage, target: Path) -> None:
    """Rename the folder of a stage to ``target``. What ``target`` holds is removed, but stays when a rename fails."""
    _make_readable_and_sync(stage.folder)
    old = stage.build / f"{DISCARDED_PREFIX}{target.name}-{os.getpid()}"
    if target.exists() or target.is_symlink():
        target.rename(old)
    try:
        stage.folder.rename(target)
    except BaseException:
        with suppress(OSError):
            old.rename(target)
        raise
    sync_to_disk(target.parent)
    remove_path(old)


def _digest_files(folder: Path) -> FileDigests:
    """The sha256 of every file in a folder, by path. The manifest of the folder and its signature are left out."""
    files, proofs = {}, (folder / MANIFEST_FILE, folder / SIGNATURE_FILE)
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p not in proofs):
        with path.open("rb") as file:
            files[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return files


def _make_readable_and_sync(folder: Path) -> None:
    """Make everything in a folder readable for everybody, whatever the umask is, and sync it to the disk."""
    for path in (*folder.rglob("*"), folder):
        mode = 0o755 if path.is_dir() else 0o644
        if path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
        sync_to_disk(path)


def sync_to_disk(path: Path) -> None:
    """Sync a file or folder to the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _is_intact(folder: Path) -> bool:
    """Whether the folder holds the generation that it is named after."""
    try:
        Generation.load(folder)
    except StoreError:
        return False
    return True


def _stamp_as_newest(generations: Path, newest: Path) -> None:
    """Set the time of a folder so that the times order the generations by when they became current.

    The order is right even when the clock was set back.
    """
    before = max((path.stat().st_mtime_ns for path in generations.iterdir() if path != newest), default=0)
    now = max(time.time_ns(), before + 1)
    os.utime(newest, ns=(now, now))


def remove_old_generations(build: Path) -> None:
    """Remove all generations except the current one, the served one and the last ones before them, and ``next``.

    No folder with the name of a generation is ever half removed. What cannot be removed now is tried again by the next
    build.
    """
    needed = {current_digest(build), served_digest(build)}
    old = [digest for digest in digests_by_age(build) if digest not in needed][OLD_GENERATIONS:]
    for path in (*(build / GENERATIONS_FOLDER / digest for digest in old), build / NEXT_FOLDER):
        if path.exists():
            with suppress(OSError):
                path.rename(build / f"{DISCARDED_PREFIX}{path.name}-{os.getpid()}")
    for path in build.glob(f"{DISCARDED_PREFIX}*"):
        remove_path(path)
