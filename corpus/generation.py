"""A stage becomes the current generation: synced, named by its digest, and then one rename. Whoever is killed at any
moment leaves ``current`` as it was before or as it is after.
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

CORPUS_SCHEMA = 10
CORPUS_REBUILD_MOVE = "Run: lexbridge build"


class StoreError(Exception):
    """The parsed corpus is missing or not what its manifest says; the message names the next move."""


def corpus_dir() -> Path:
    """Where the texts are: ``LEXBRIDGE_CORPUS`` or the folder of this package."""
    return Path(os.environ.get("LEXBRIDGE_CORPUS") or Path(__file__).parent)


def build_dir() -> Path:
    """Where what is built goes: ``LEXBRIDGE_BUILD`` or ``index/built`` of the checkout."""
    return Path(os.environ.get("LEXBRIDGE_BUILD") or Path(__file__).parent.parent / "index" / "built")


def replace_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """Call ``fill(folder)`` on a new folder beside ``target``, sync it, and rename it into place.

    The old folder is kept until the new one stands; a failure, of ``fill`` or of a rename, leaves it where it was.
    """
    if not target.parent.exists():
        target.parent.mkdir(parents=True)
        target.parent.chmod(0o755)
    fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    old = target.with_name(f".{target.name}-old-{os.getpid()}")
    try:
        fresh.chmod(0o755)  # mkdtemp makes what only its owner may read
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
    """What was written to a file or folder is on the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def write_corpus_files(folder: Path, rows: dict[str, list[dict]], objects: dict[str, Any]) -> None:
    """Write the parsed corpus to a folder; ``rows`` and ``objects`` by file name."""
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
    """sha256 of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_corpus_manifest(folder: ReadablePath) -> dict:
    """The manifest of a parsed corpus; raises :class:`StoreError` when there is none or it is of another schema."""
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
    """Rows of one file (or its one object), after checking its digest."""
    expected = read_corpus_manifest(folder)["files"].get(name)
    try:
        data = (folder / name).read_bytes()
    except OSError:
        raise StoreError(f"{folder / name} is missing. {CORPUS_REBUILD_MOVE}") from None
    if hashlib.sha256(data).hexdigest() != expected:
        raise StoreError(f"{folder / name} is not the file that was built. {CORPUS_REBUILD_MOVE}")
    # A line at a time: while one text is parsed, nothing else runs.
    return json.loads(data) if name.endswith(".json") else [json.loads(line) for line in data.split(b"\n") if line]


GENERATION_SCHEMA = 1
MANIFEST_FILE = "manifest.json"
REBUILD_MOVE = "Run: lexbridge build"
LARGEST_MANIFEST = 1 << 24  # bytes of a manifest: ours has a few hundred lines
LONGEST_PATH = 500  # characters of a path
DIGEST_PATTERN = re.compile("[0-9a-f]{64}")

FileDigests = Mapping[str, str]  # path from the folder → sha256 in hex


def digest_of(files: FileDigests) -> str:
    """The digest of a generation: sha256 over the paths, in their order, and what stands under each.

    >>> one, other = {"a": "0" * 64, "b": "1" * 64}, {"b": "1" * 64, "a": "0" * 64}
    >>> digest_of(one) == digest_of(other) != digest_of({"a": "0" * 64})
    True
    """
    lines = "".join(f"{files[name]}  {name}\n" for name in sorted(files))
    return hashlib.sha256(lines.encode("utf-8")).hexdigest()


def manifest_bytes(files: FileDigests) -> bytes:
    """The manifest of these files."""
    data = {
        "schema": GENERATION_SCHEMA,
        "digest": digest_of(files),
        "files": {name: files[name] for name in sorted(files)},
    }
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def read_manifest(data: bytes, place: Path, expected: str) -> FileDigests:
    """The files that a manifest lists; ``place``: the manifest's own path; ``expected``: the digest it must have.

    Raises :class:`corpus.store.StoreError` for whatever is no manifest of that generation.
    """
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{place} is no manifest: {type(error).__name__}. {REBUILD_MOVE}") from None
    if fault := next(_manifest_faults(said, expected), ""):
        raise StoreError(f"{place} is no manifest of this generation: {fault}. {REBUILD_MOVE}")
    return said["files"]


def _manifest_faults(said: Any, expected: str) -> Iterator[str]:
    """What keeps it from being the manifest of a generation; what comes later takes for granted what came before."""
    if not isinstance(said, dict):
        yield "it is no object"
    elif type(said.get("schema")) is not int or said["schema"] != GENERATION_SCHEMA:
        yield f"its schema is not {GENERATION_SCHEMA}"
    elif not isinstance(said.get("files"), dict) or not said["files"]:
        yield "it lists no files"
    else:
        for name, of_file in said["files"].items():
            if not is_safe_path(name):
                yield f"“{ascii(name)[1:-1][:80]}” is no path inside the folder"
            elif not isinstance(of_file, str) or not DIGEST_PATTERN.fullmatch(of_file):
                yield f"“{name[:80]}” has no sha256"
        if said.get("digest") != expected:
            yield f"its digest is not {expected}"
        if digest_of(said["files"]) != expected:
            yield "its digest is not that of its files"


def is_safe_path(name: str) -> bool:
    r"""Whether it is a path that stays inside the folder, and not that of the manifest.

    >>> [is_safe_path(n) for n in ("a/b.txt", "../a", "/a", "a//b", "a\\b", "", "manifest.json", "a\udc00")]
    [True, False, False, False, False, False, False, False]
    """
    plain = name.isprintable() and "\\" not in name and len(name) <= LONGEST_PATH
    return plain and name != MANIFEST_FILE and not re.search(r"(?:^|/)\.{0,2}(?:/|$)", name)


GENERATIONS_FOLDER, CURRENT_LINK, NEXT_FOLDER = "generations", "current", "next"
CORPUS_PART, SEARCH_PART, PAGES_PART = "corpus", "search", "pages"  # the parts
LARGEST_FILE = 1 << 30  # bytes of a file


@dataclass(frozen=True)
class Generation:
    """``folder`` it was read from · ``digest`` · ``files``: path → sha256 of all that it consists of. It may be gone
    from the disk since; who has taken what he needs lets go of it, and the rest is freed.
    """

    folder: Path
    digest: str
    files: FileDigests
    contents: Mapping[str, bytes] = field(repr=False, compare=False)

    @classmethod
    def open(cls, build: Path, parts: Collection[str] = ()) -> Generation:
        """The current generation of a build folder; ``parts``: read and prove only these, where not all are asked for.

        Raises :class:`corpus.store.StoreError`, and nothing else, with what to do when there is none or it is damaged.
        """
        digest = current_digest(build)
        if digest is None:
            raise StoreError(f"There is no generation in {build}. {REBUILD_MOVE}")
        return cls.load(build / GENERATIONS_FOLDER / digest, parts)

    @classmethod
    def load(cls, folder: Path, parts: Collection[str] = ()) -> Generation:
        """The generation in a folder, which is named by its digest; as :meth:`open`."""
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
        """What a file holds; raises :class:`KeyError` for one that is not of the generation, or was not asked for."""
        return self.contents[name]

    def file_names(self, prefix: str = "") -> list[str]:
        """The paths of its files that begin so, in their order."""
        return sorted(name for name in self.files if name.startswith(prefix))

    @property
    def memory_path(self) -> MemoryPath:
        """The folder as it was read."""
        return MemoryPath(self.contents, self.folder)


def current_digest(build: Path) -> str | None:
    """The digest of the generation that ``current`` leads to, proved by nothing; None when it leads to none. Cheap."""
    try:
        folder, _, digest = os.readlink(build / CURRENT_LINK).rpartition("/")  # noqa: PTH115 – the text of the link itself
    except OSError:
        return None
    return digest if folder == GENERATIONS_FOLDER and DIGEST_PATTERN.fullmatch(digest) else None


def latest_folder(build: Path, parts: Collection[str] = (CORPUS_PART, SEARCH_PART)) -> ReadablePath:
    """The folder with ``corpus/`` and ``search/`` that was made last, for commands: ``next`` where it is there, else
    these parts of the current generation. Raises :class:`corpus.store.StoreError` when there is neither.
    """
    fresh = build / NEXT_FOLDER
    return fresh if (fresh / CORPUS_PART).is_dir() else Generation.open(build, parts).memory_path


def _read_plain_file(folder: Path, name: str, most: int) -> bytes:
    """What a file of a folder holds; no link is followed from the folder on, nothing but a plain file is opened."""
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


INPUTS_FILE = "made.json"
PartKeys = Mapping[str, str]  # part → key

# The folders of code that make each part, and the packages whose version may change what they make.
CODE_FOLDERS = {CORPUS_PART: ("corpus",), SEARCH_PART: ("index",), PAGES_PART: ("app",)}
BUILD_PACKAGES = {
    CORPUS_PART: ("beautifulsoup4", "markdown"),
    SEARCH_PART: ("whoosh3", "numpy", "scikit-learn"),
    PAGES_PART: ("flask", "flask-babel", "jinja2", "babel", "markupsafe", "segno"),
}


def part_keys(corpus: Path, root: Path, settings: Mapping[str, str] = MappingProxyType({})) -> PartKeys:
    """The key of each part, made from a folder of data by the code under ``root``; each part is made from those before
    it, so that its key has theirs in it. ``settings``: what else a part depends on.
    """
    key = _digest_pieces([sys.version.encode(), *_file_lines(corpus)])
    out = {}
    for part, folders in CODE_FOLDERS.items():
        code = [piece for name in folders for piece in _file_lines(root / name)]
        installed = [f"{name} {_package_version(name)}".encode() for name in BUILD_PACKAGES[part]]
        key = out[part] = _digest_pieces([key.encode(), *code, *installed, settings.get(part, "").encode()])
    return out


def keys_of_generation(generation: Generation | None) -> PartKeys:
    """The keys that a generation was made with; none where it does not say, or there is no generation."""
    try:
        said = json.loads(generation.read_file(INPUTS_FILE)) if generation else {}
    except (KeyError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def write_part_keys(folder: Path, made: PartKeys) -> None:
    """Write the keys of the parts that stand in a folder."""
    (folder / INPUTS_FILE).write_text(json.dumps(dict(made), indent=1), encoding="utf-8")


def _file_lines(folder: Path) -> Iterable[bytes]:
    """The path and the digest of every file under a folder; hidden files, what Python keeps beside its modules and what
    was built left out.
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


LOCK_FILE = ".lock"
STAGE_PREFIX, LINK_PREFIX, DISCARDED_PREFIX = (
    ".making-",
    ".current-",
    ".gone-",
)  # names of what is not finished, or no longer wanted


class BuildRunning(Exception):  # noqa: N818 – nothing went wrong: another build is at work
    """Another build is at work in the folder; the message says what to do."""


@dataclass(frozen=True)
class BuildStage:
    """``folder``: what a build fills with ``corpus/``, ``search/``, ``pages/`` · ``build``: the folder it stands in."""

    folder: Path
    build: Path

    def copy_part(self, part: str, previous: Generation) -> None:
        """The files of a part as they are in a generation that holds them, proved: by hard link where the disk can."""
        for name in previous.file_names(f"{part}/"):
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(previous.folder / name, target)
            except OSError:
                target.write_bytes(previous.read_file(name))


@contextmanager
def lock_build_folder(build: Path) -> Iterator[None]:
    """For the time, nobody else makes anything in a build folder; debris of those that were killed is removed.

    Raises :class:`BuildRunning` when somebody does, :class:`OSError` when the folder cannot be written.
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
    """A stage that is removed in the end, unless it was published; who makes it is :func:`lock_build_folder`."""
    folder = Path(tempfile.mkdtemp(prefix=STAGE_PREFIX, dir=build))
    try:
        yield BuildStage(folder, build)
    finally:
        remove_path(folder)


def remove_path(path: Path) -> None:
    """Whatever stands at a path is gone, as far as it can be removed; a link and not what it leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


OLD_GENERATIONS = 2  # generations that stay beside the current one: for who is reading them, and to go back to


def publish(stage: BuildStage) -> str:
    """Make what stands in a stage the current generation; returns its digest. ``next`` is removed: it is older.

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
    """The sha256 of every file of a folder."""
    files = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with path.open("rb") as file:
            files[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return files


def _make_readable(folder: Path) -> None:
    """Everybody may read what stands in a folder, whatever the umask says; and it is on the disk."""
    for path in (*folder.rglob("*"), folder):
        mode = 0o755 if path.is_dir() else 0o644
        if path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
        sync_to_disk(path)


def _is_intact(folder: Path) -> bool:
    """Whether it holds the generation that it is named after."""
    try:
        Generation.load(folder)
    except StoreError:
        return False
    return True


def _stamp_as_newest(generations: Path, newest: Path) -> None:
    """The time of each folder orders them by when they became current; a clock that was set back orders them, too."""
    before = max((path.stat().st_mtime_ns for path in generations.iterdir() if path != newest), default=0)
    now = max(time.time_ns(), before + 1)
    os.utime(newest, ns=(now, now))


def remove_old_generations(build: Path) -> None:
    """What is not the current generation nor one of those before it goes, and so does ``next``. Nothing is left half
    removed under a name of a generation; what cannot be removed now is tried again by the next build.
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
