"""Generations: what a build publishes. A stage is filled, synced, named by its digest and made current by one rename.

A process that is killed at any moment leaves ``current`` as it was before, or as it is after. The build folder has:

- ``generations/<digest>/``: the published generations, each with ``manifest.json`` and its parts ``corpus/``,
  ``search/`` and ``pages/``;
- ``current``: a link to one of them;
- ``next/``: a corpus and a search index that are built but not published yet.

A build uses :func:`lock_build_folder`, :func:`open_stage` and :func:`publish`; readers use :meth:`Generation.open`. The
first functions write and read the files of the parsed corpus, which has a manifest of its own.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Any

from corpus.files import MemoryPath, ReadablePath

CORPUS_SCHEMA = 11
CORPUS_REBUILD_MOVE = "Run: lexbridge build"


# ── The parsed corpus ───────────────────────────────────────────────────────────────────────────


class StoreError(Exception):
    """What was built is missing, or differs from its manifest. The message names the next move."""


def corpus_dir() -> Path:
    """The folder of the texts: ``LEXBRIDGE_CORPUS``, or the folder of this package."""
    return Path(os.environ.get("LEXBRIDGE_CORPUS") or Path(__file__).parent)


def build_dir() -> Path:
    """The folder of the build: ``LEXBRIDGE_BUILD``, or ``index/built`` of the checkout."""
    return Path(os.environ.get("LEXBRIDGE_BUILD") or Path(__file__).parent.parent / "index" / "built")


def replace_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """Call ``fill(folder)`` on a new folder beside ``target``, sync it to the disk, and rename it into place.

    The old folder stays until the new one is in place. If ``fill`` or a rename fails, the old one stays.
    """
    if not target.parent.exists():
        target.parent.mkdir(parents=True)
        target.parent.chmod(0o755)
    fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    old = target.with_name(f".{target.name}-old-{os.getpid()}")
    try:
        fresh.chmod(0o755)  # mkdtemp makes a folder that only its owner may read
        fill(fresh)
        for path in (*fresh.rglob("*"), fresh):
            sync_to_disk(path)
        if target.exists():
            target.rename(old)
        fresh.rename(target)
        sync_to_disk(target.parent)
    except BaseException:
        if old.exists() and not target.exists():
            old.rename(target)
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


def sync_to_disk(path: Path) -> None:
    """Sync a file or folder to the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def write_corpus_files(folder: Path, rows: dict[str, list[dict]], objects: dict[str, Any]) -> None:
    """Write the parsed corpus and its manifest to a folder. ``rows`` and ``objects`` are by file name."""
    for name, lines in rows.items():
        with (folder / name).open("w", encoding="utf-8") as file:
            for row in lines:
                file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    for name, data in objects.items():
        (folder / name).write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    digests = {name: file_digest(folder / name) for name in (*rows, *objects)}
    manifest = {"schema": CORPUS_SCHEMA, "files": digests}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def file_digest(path: Path) -> str:
    """The sha256 of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_corpus_manifest(folder: ReadablePath) -> dict:
    """The manifest of a parsed corpus. Raises :class:`StoreError` when it is missing or has another schema."""
    try:
        data = json.loads((folder / "manifest.json").read_bytes())
        schema, files = data["schema"], data["files"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise StoreError(f"There is no parsed corpus in {folder}. {CORPUS_REBUILD_MOVE}") from None
    if schema != CORPUS_SCHEMA or not isinstance(files, dict):
        raise StoreError(
            f"The parsed corpus in {folder} is of schema {schema}, not {CORPUS_SCHEMA}. {CORPUS_REBUILD_MOVE}"
        )
    return data


def read_corpus_file(folder: ReadablePath, name: str) -> Any:
    """The rows of one file (or its one object), after its digest was checked. Raises :class:`StoreError`."""
    expected = read_corpus_manifest(folder)["files"].get(name)
    try:
        data = (folder / name).read_bytes()
    except OSError:
        raise StoreError(f"{folder / name} is missing. {CORPUS_REBUILD_MOVE}") from None
    if hashlib.sha256(data).hexdigest() != expected:
        raise StoreError(f"{folder / name} is not the file that was built. {CORPUS_REBUILD_MOVE}")
    # Line by line: while one text is parsed, no other thread runs.
    return json.loads(data) if name.endswith(".json") else [json.loads(line) for line in data.split(b"\n") if line]


# ── The manifest of a generation ────────────────────────────────────────────────────────────────

GENERATION_SCHEMA = 1
MANIFEST_FILE = "manifest.json"
REBUILD_MOVE = "Run: lexbridge build"
LARGEST_MANIFEST = 1 << 24  # in bytes; ours has a few hundred lines
LONGEST_PATH = 500  # in characters
DIGEST_PATTERN = re.compile("[0-9a-f]{64}")

FileDigests = Mapping[str, str]  # path inside the folder → sha256 in hex


def digest_of(files: FileDigests) -> str:
    """The digest of a generation: sha256 over the sorted paths and the digest of each file.

    >>> one, other = {"a": "0" * 64, "b": "1" * 64}, {"b": "1" * 64, "a": "0" * 64}
    >>> digest_of(one) == digest_of(other) != digest_of({"a": "0" * 64})
    True
    """
    lines = "".join(f"{files[name]}  {name}\n" for name in sorted(files))
    return hashlib.sha256(lines.encode("utf-8")).hexdigest()


def manifest_bytes(files: FileDigests) -> bytes:
    """The content of the manifest for these files."""
    data = {
        "schema": GENERATION_SCHEMA,
        "digest": digest_of(files),
        "files": {name: files[name] for name in sorted(files)},
    }
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def read_manifest(data: bytes, place: Path, expected: str) -> FileDigests:
    """The files that a manifest lists. ``place`` is its path, ``expected`` the digest of the generation.

    Raises :class:`StoreError` for anything that is no manifest of that generation.
    """
    try:
        manifest = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{place} is no manifest: {type(error).__name__}. {REBUILD_MOVE}") from None
    if fault := next(_manifest_faults(manifest, expected), ""):
        raise StoreError(f"{place} is no manifest of this generation: {fault}. {REBUILD_MOVE}")
    return manifest["files"]


def _manifest_faults(manifest: Any, expected: str) -> Iterator[str]:
    """Yield what is wrong with a manifest. Later checks rely on earlier ones, so only the first fault counts."""
    if not isinstance(manifest, dict):
        yield "it is no object"
    elif type(manifest.get("schema")) is not int or manifest["schema"] != GENERATION_SCHEMA:
        yield f"its schema is not {GENERATION_SCHEMA}"
    elif not isinstance(manifest.get("files"), dict) or not manifest["files"]:
        yield "it lists no files"
    else:
        for name, of_file in manifest["files"].items():
            if not is_safe_path(name):
                yield f"“{ascii(name)[1:-1][:80]}” is no path inside the folder"
            elif not isinstance(of_file, str) or not DIGEST_PATTERN.fullmatch(of_file):
                yield f"“{name[:80]}” has no sha256"
        if manifest.get("digest") != expected:
            yield f"its digest is not {expected}"
        if digest_of(manifest["files"]) != expected:
            yield "its digest is not that of its files"


def is_safe_path(name: str) -> bool:
    r"""Whether a name is a path that stays inside the folder, and is not that of the manifest.

    >>> [is_safe_path(n) for n in ("a/b.txt", "../a", "/a", "a//b", "a\\b", "", "manifest.json", "a\udc00")]
    [True, False, False, False, False, False, False, False]
    """
    plain = name.isprintable() and "\\" not in name and len(name) <= LONGEST_PATH
    return plain and name != MANIFEST_FILE and not re.search(r"(?:^|/)\.{0,2}(?:/|$)", name)


# ── Generations ─────────────────────────────────────────────────────────────────────────────────

GENERATIONS_FOLDER, CURRENT_LINK, NEXT_FOLDER = "generations", "current", "next"
CORPUS_PART, SEARCH_PART, PAGES_PART = "corpus", "search", "pages"  # the parts
LARGEST_FILE = 1 << 30  # in bytes


@dataclass(frozen=True)
class Generation:
    """A generation in memory: the ``folder`` it was read from, its ``digest``, and ``files`` (path → sha256).

    ``contents`` are the bytes of the files that were requested. The folder may be gone from the disk by now. Drop the
    generation after taking what is needed, so that its memory is freed.
    """

    folder: Path
    digest: str
    files: FileDigests
    contents: Mapping[str, bytes] = field(repr=False, compare=False)

    @classmethod
    def open(cls, build: Path, parts: Collection[str] = ()) -> Generation:
        """The current generation of a build folder. With ``parts`` only these parts are read and checked.

        Raises :class:`StoreError`, and nothing else, when there is none or it is damaged; the message says what to do.
        """
        digest = current_digest(build)
        if digest is None:
            raise StoreError(f"There is no generation in {build}. {REBUILD_MOVE}")
        return cls.load(build / GENERATIONS_FOLDER / digest, parts)

    @classmethod
    def load(cls, folder: Path, parts: Collection[str] = ()) -> Generation:
        """Return the generation in a folder that is named by its digest. ``parts`` and errors: as in :meth:`open`."""
        place = folder / MANIFEST_FILE
        files = read_manifest(_read_plain_file(folder, MANIFEST_FILE, LARGEST_MANIFEST), place, folder.name)
        wanted = [name for name in files if not parts or name.partition("/")[0] in parts]
        held = {}
        for name in wanted:
            held[name] = _read_plain_file(folder, name, LARGEST_FILE)
            if hashlib.sha256(held[name]).hexdigest() != files[name]:
                raise StoreError(f"{folder / name} is not the file that was built. {REBUILD_MOVE}")
        return cls(folder, folder.name, files, held)

    def read_file(self, name: str) -> bytes:
        """The content of a file. Raises :class:`KeyError` when the generation lacks it, or its part was not read."""
        return self.contents[name]

    def file_names(self, prefix: str = "") -> list[str]:
        """The paths of its files that begin with ``prefix``, sorted."""
        return sorted(name for name in self.files if name.startswith(prefix))

    @property
    def memory_path(self) -> MemoryPath:
        """The folder as it was read, in memory."""
        return MemoryPath(self.contents, self.folder)


def current_digest(build: Path) -> str | None:
    """The digest of the generation that ``current`` points to, without any check; None when there is none. Cheap."""
    try:
        folder, _, digest = os.readlink(build / CURRENT_LINK).rpartition("/")  # noqa: PTH115 – the text of the link itself
    except OSError:
        return None
    return digest if folder == GENERATIONS_FOLDER and DIGEST_PATTERN.fullmatch(digest) else None


def latest_folder(build: Path, parts: Collection[str] = (CORPUS_PART, SEARCH_PART)) -> ReadablePath:
    """The folder with ``corpus/`` and ``search/`` that was made last, for commands.

    It is ``next`` where that exists, else these parts of the current generation. Raises :class:`StoreError` when there
    is neither.
    """
    fresh = build / NEXT_FOLDER
    return fresh if (fresh / CORPUS_PART).is_dir() else Generation.open(build, parts).memory_path


def _read_plain_file(folder: Path, name: str, most: int) -> bytes:
    """Return the content of a file in a folder.

    Raises :class:`StoreError` when it cannot be read, is no plain file, has more than ``most`` bytes, or when a link
    inside the folder leads to it.
    """
    path = folder
    try:
        for step in name.split("/"):
            path /= step
            if stat.S_ISLNK(path.lstat().st_mode):
                raise StoreError(f"{path} is a link, which may lead anywhere. {REBUILD_MOVE}")
        if not stat.S_ISREG(path.lstat().st_mode):
            raise StoreError(f"{path} is no file. {REBUILD_MOVE}")
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > most:
                raise StoreError(f"{path} is larger than {most} bytes. {REBUILD_MOVE}")
            return file.read(most + 1)
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}). {REBUILD_MOVE}") from None


# ── What a part was made from ───────────────────────────────────────────────────────────────────

INPUTS_FILE = "made.json"
PartKeys = Mapping[str, str]  # part → key

# The folders of code that make each part, and the packages whose version may change the result.
CODE_FOLDERS = {CORPUS_PART: ("corpus",), SEARCH_PART: ("index",), PAGES_PART: ("app",)}
BUILD_PACKAGES = {
    CORPUS_PART: ("beautifulsoup4", "markdown"),
    SEARCH_PART: ("whoosh-reloaded", "numpy", "scikit-learn"),
    PAGES_PART: ("flask", "flask-babel", "jinja2", "babel", "markupsafe", "segno"),
}


def part_keys(corpus: Path, root: Path, settings: Mapping[str, str] = MappingProxyType({})) -> PartKeys:
    """Return part → key. A key is a digest of everything that the part is made from.

    That is the data in ``corpus``, the code under ``root``, Python and its packages. ``settings``: part → what else it
    depends on. Each part depends on the parts before it, so its key includes theirs.
    """
    key = _digest_pieces([sys.version.encode(), *_file_lines(corpus)])
    out = {}
    for part, folders in CODE_FOLDERS.items():
        code = [piece for name in folders for piece in _file_lines(root / name)]
        installed = [f"{name} {_package_version(name)}".encode() for name in BUILD_PACKAGES[part]]
        key = out[part] = _digest_pieces([key.encode(), *code, *installed, settings.get(part, "").encode()])
    return out


def keys_of_generation(generation: Generation | None) -> PartKeys:
    """Return the keys that a generation was made with; {} when it does not record them, or is None."""
    try:
        keys = json.loads(generation.read_file(INPUTS_FILE)) if generation else {}
    except (KeyError, ValueError):
        return {}
    return keys if isinstance(keys, dict) else {}


def write_part_keys(folder: Path, made: PartKeys) -> None:
    """Write the keys of the parts to a folder."""
    (folder / INPUTS_FILE).write_text(json.dumps(dict(made), indent=1), encoding="utf-8")


def _file_lines(folder: Path) -> Iterable[bytes]:
    """Yield a line for every file under a folder: its path and its digest.

    Hidden files, the caches of Python and the build folder are left out.
    """
    built = build_dir()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_relative_to(built)):
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
    """A ``folder`` that a build fills with ``corpus/``, ``search/`` and ``pages/``, inside the folder ``build``."""

    folder: Path
    build: Path

    def copy_part(self, part: str, previous: Generation) -> None:
        """Copy the files of a part from a generation in which this part was read and checked.

        They become hard links where the disk allows it.
        """
        for name in previous.file_names(f"{part}/"):
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(previous.folder / name, target)
            except OSError:
                target.write_bytes(previous.read_file(name))


@contextmanager
def lock_build_folder(build: Path) -> Iterator[None]:
    """A context in which no other process builds in a folder. What killed builds left behind is removed.

    Raises :class:`BuildRunning` when another build runs, :class:`OSError` when the folder cannot be written.
    """
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
        for debris in (build / NEXT_FOLDER).glob(".*"):
            remove_path(debris)
        yield


@contextmanager
def open_stage(build: Path) -> Iterator[BuildStage]:
    """A context with a new stage. It is removed in the end, unless it was published.

    Use it inside :func:`lock_build_folder`.
    """
    folder = Path(tempfile.mkdtemp(prefix=STAGE_PREFIX, dir=build))
    try:
        yield BuildStage(folder, build)
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


def publish(stage: BuildStage) -> str:
    """Make the content of a stage the current generation, and return its digest. ``next`` is older, so it is removed.

    Raises :class:`OSError` when something cannot be written; then the generation before stays current.
    """
    files = _digest_files(stage.folder)
    digest = digest_of(files)
    (stage.folder / MANIFEST_FILE).write_bytes(manifest_bytes(files))
    _make_readable(stage.folder)
    generations = stage.build / GENERATIONS_FOLDER
    generations.mkdir(exist_ok=True)
    generations.chmod(0o755)
    target = generations / digest
    if not _is_intact(target):
        if target.exists() or target.is_symlink():
            target.rename(stage.build / f"{DISCARDED_PREFIX}{digest}-{os.getpid()}")
        stage.folder.rename(target)
    _stamp_as_newest(generations, target)
    sync_to_disk(generations)
    link = stage.build / f"{LINK_PREFIX}{os.getpid()}"
    link.symlink_to(f"{GENERATIONS_FOLDER}/{digest}")
    link.replace(stage.build / CURRENT_LINK)
    sync_to_disk(stage.build)
    remove_old_generations(stage.build)
    return digest


def _digest_files(folder: Path) -> FileDigests:
    """The sha256 of every file in a folder, by path."""
    files = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with path.open("rb") as file:
            files[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return files


def _make_readable(folder: Path) -> None:
    """Make everything in a folder readable for everybody, whatever the umask is, and sync it to the disk."""
    for path in (*folder.rglob("*"), folder):
        mode = 0o755 if path.is_dir() else 0o644
        if path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
        sync_to_disk(path)


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
    """Remove all generations except the current one and the last ones before it, and ``next``.

    No folder with the name of a generation is ever half removed. What cannot be removed now is tried again by the next
    build.
    """
    current = current_digest(build)
    known = [
        p for p in (build / GENERATIONS_FOLDER).iterdir() if DIGEST_PATTERN.fullmatch(p.name) and p.name != current
    ]
    old = sorted(known, key=lambda path: path.stat().st_mtime_ns, reverse=True)[OLD_GENERATIONS:]
    for path in (*old, build / NEXT_FOLDER):
        if path.exists():
            with suppress(OSError):
                path.rename(build / f"{DISCARDED_PREFIX}{path.name}-{os.getpid()}")
    for path in build.glob(f"{DISCARDED_PREFIX}*"):
        remove_path(path)
