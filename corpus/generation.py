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

from corpus.files import Held, Place

SCHEMA = 10
MOVE = "Run: lexbridge build"


class StoreError(Exception):
    """The parsed corpus is missing or not what its manifest says; the message names the next move."""


def corpus_dir() -> Path:
    """Where the texts are: ``LEXBRIDGE_CORPUS`` or the folder of this package."""
    return Path(os.environ.get("LEXBRIDGE_CORPUS") or Path(__file__).parent)


def build_dir() -> Path:
    """Where what is built goes: ``LEXBRIDGE_BUILD`` or ``index/built`` of the checkout."""
    return Path(os.environ.get("LEXBRIDGE_BUILD") or Path(__file__).parent.parent / "index" / "built")


def swap_in(target: Path, fill: Callable[[Path], None]) -> None:
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
            sync(path)
        if target.exists():
            target.rename(old)
        fresh.rename(target)
        sync(target.parent)
    except BaseException:
        if old.exists() and not target.exists():
            old.rename(target)
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


def sync(path: Path) -> None:
    """What was written to a file or folder is on the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def write_stored(folder: Path, rows: dict[str, list[dict]], objects: dict[str, Any]) -> None:
    """Write the parsed corpus to a folder; ``rows`` and ``objects`` by file name."""
    for name, lines in rows.items():
        with (folder / name).open("w", encoding="utf-8") as file:
            for row in lines:
                file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    for name, data in objects.items():
        (folder / name).write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    digests = {name: file_digest(folder / name) for name in (*rows, *objects)}
    manifest = {"schema": SCHEMA, "files": digests}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def file_digest(path: Path) -> str:
    """sha256 of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def manifest(folder: Place) -> dict:
    """The manifest of a parsed corpus; raises :class:`StoreError` when there is none or it is of another schema."""
    try:
        data = json.loads((folder / "manifest.json").read_bytes())
        schema, files = data["schema"], data["files"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise StoreError(f"There is no parsed corpus in {folder}. {MOVE}") from None
    if schema != SCHEMA or not isinstance(files, dict):
        raise StoreError(f"The parsed corpus in {folder} is of schema {schema}, not {SCHEMA}. {MOVE}")
    return data


def read_stored(folder: Place, name: str) -> Any:
    """Rows of one file (or its one object), after checking its digest."""
    expected = manifest(folder)["files"].get(name)
    try:
        data = (folder / name).read_bytes()
    except OSError:
        raise StoreError(f"{folder / name} is missing. {MOVE}") from None
    if hashlib.sha256(data).hexdigest() != expected:
        raise StoreError(f"{folder / name} is not the file that was built. {MOVE}")
    # A line at a time: while one text is parsed, nothing else runs.
    return json.loads(data) if name.endswith(".json") else [json.loads(line) for line in data.split(b"\n") if line]


GENERATION_SCHEMA = 1
FILE = "manifest.json"
REBUILD = "Run: lexbridge build"
LARGEST_MANIFEST = 1 << 24  # bytes of a manifest: ours has a few hundred lines
LONGEST = 500  # characters of a path
DIGEST = re.compile("[0-9a-f]{64}")

Files = Mapping[str, str]  # path from the folder → sha256 in hex


def digest_of(files: Files) -> str:
    """The digest of a generation: sha256 over the paths, in their order, and what stands under each.

    >>> one, other = {"a": "0" * 64, "b": "1" * 64}, {"b": "1" * 64, "a": "0" * 64}
    >>> digest_of(one) == digest_of(other) != digest_of({"a": "0" * 64})
    True
    """
    lines = "".join(f"{files[name]}  {name}\n" for name in sorted(files))
    return hashlib.sha256(lines.encode("utf-8")).hexdigest()


def written(files: Files) -> bytes:
    """The manifest of these files."""
    data = {
        "schema": GENERATION_SCHEMA,
        "digest": digest_of(files),
        "files": {name: files[name] for name in sorted(files)},
    }
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def read_manifest(data: bytes, place: Path, expected: str) -> Files:
    """The files that a manifest lists; ``place``: the manifest's own path; ``expected``: the digest it must have.

    Raises :class:`corpus.store.StoreError` for whatever is no manifest of that generation.
    """
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{place} is no manifest: {type(error).__name__}. {REBUILD}") from None
    if fault := next(_faults(said, expected), ""):
        raise StoreError(f"{place} is no manifest of this generation: {fault}. {REBUILD}")
    return said["files"]


def _faults(said: Any, expected: str) -> Iterator[str]:
    """What keeps it from being the manifest of a generation; what comes later takes for granted what came before."""
    if not isinstance(said, dict):
        yield "it is no object"
    elif type(said.get("schema")) is not int or said["schema"] != GENERATION_SCHEMA:
        yield f"its schema is not {GENERATION_SCHEMA}"
    elif not isinstance(said.get("files"), dict) or not said["files"]:
        yield "it lists no files"
    else:
        for name, of_file in said["files"].items():
            if not is_name(name):
                yield f"“{ascii(name)[1:-1][:80]}” is no path inside the folder"
            elif not isinstance(of_file, str) or not DIGEST.fullmatch(of_file):
                yield f"“{name[:80]}” has no sha256"
        if said.get("digest") != expected:
            yield f"its digest is not {expected}"
        if digest_of(said["files"]) != expected:
            yield "its digest is not that of its files"


def is_name(name: str) -> bool:
    r"""Whether it is a path that stays inside the folder, and not that of the manifest.

    >>> [is_name(n) for n in ("a/b.txt", "../a", "/a", "a//b", "a\\b", "", "manifest.json", "a\udc00")]
    [True, False, False, False, False, False, False, False]
    """
    plain = name.isprintable() and "\\" not in name and len(name) <= LONGEST
    return plain and name != FILE and not re.search(r"(?:^|/)\.{0,2}(?:/|$)", name)


FOLDER, CURRENT, NEXT = "generations", "current", "next"
CORPUS, SEARCH, PAGES = "corpus", "search", "pages"  # the parts
LARGEST = 1 << 30  # bytes of a file


@dataclass(frozen=True)
class Generation:
    """``folder`` it was read from · ``digest`` · ``files``: path → sha256 of all that it consists of. It may be gone
    from the disk since; who has taken what he needs lets go of it, and the rest is freed.
    """

    folder: Path
    digest: str
    files: Files
    held: Mapping[str, bytes] = field(repr=False, compare=False)

    @classmethod
    def open(cls, build: Path, parts: Collection[str] = ()) -> Generation:
        """The current generation of a build folder; ``parts``: read and prove only these, where not all are asked for.

        Raises :class:`corpus.store.StoreError`, and nothing else, with what to do when there is none or it is damaged.
        """
        digest = latest(build)
        if digest is None:
            raise StoreError(f"There is no generation in {build}. {REBUILD}")
        return cls.of(build / FOLDER / digest, parts)

    @classmethod
    def of(cls, folder: Path, parts: Collection[str] = ()) -> Generation:
        """The generation in a folder, which is named by its digest; as :meth:`open`."""
        place = folder / FILE
        files = read_manifest(_bytes(folder, FILE, LARGEST_MANIFEST), place, folder.name)
        wanted = [name for name in files if not parts or name.partition("/")[0] in parts]
        held = {}
        for name in wanted:
            held[name] = _bytes(folder, name, LARGEST)
            if hashlib.sha256(held[name]).hexdigest() != files[name]:
                raise StoreError(f"{folder / name} is not the file that was built. {REBUILD}")
        return cls(folder, folder.name, files, held)

    def data(self, name: str) -> bytes:
        """What a file holds; raises :class:`KeyError` for one that is not of the generation, or was not asked for."""
        return self.held[name]

    def names(self, prefix: str = "") -> list[str]:
        """The paths of its files that begin so, in their order."""
        return sorted(name for name in self.files if name.startswith(prefix))

    @property
    def place(self) -> Held:
        """The folder as it was read."""
        return Held(self.held, self.folder)


def latest(build: Path) -> str | None:
    """The digest of the generation that ``current`` leads to, proved by nothing; None when it leads to none. Cheap."""
    try:
        folder, _, digest = os.readlink(build / CURRENT).rpartition("/")  # noqa: PTH115 – the text of the link itself
    except OSError:
        return None
    return digest if folder == FOLDER and DIGEST.fullmatch(digest) else None


def made_last(build: Path, parts: Collection[str] = (CORPUS, SEARCH)) -> Place:
    """The folder with ``corpus/`` and ``search/`` that was made last, for commands: ``next`` where it is there, else
    these parts of the current generation. Raises :class:`corpus.store.StoreError` when there is neither.
    """
    fresh = build / NEXT
    return fresh if (fresh / CORPUS).is_dir() else Generation.open(build, parts).place


def _bytes(folder: Path, name: str, most: int) -> bytes:
    """What a file of a folder holds; no link is followed from the folder on, nothing but a plain file is opened."""
    path = folder
    try:
        for step in name.split("/"):
            path /= step
            if stat.S_ISLNK(path.lstat().st_mode):
                raise StoreError(f"{path} is a link, which may lead anywhere. {REBUILD}")
        if not stat.S_ISREG(path.lstat().st_mode):
            raise StoreError(f"{path} is no file. {REBUILD}")
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > most:
                raise StoreError(f"{path} is larger than {most} bytes. {REBUILD}")
            return file.read(most + 1)
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}). {REBUILD}") from None


INPUTS = "made.json"
Keys = Mapping[str, str]  # part → key

# The folders of code that make each part, and the packages whose version may change what they make.
CODE = {CORPUS: ("corpus",), SEARCH: ("index",), PAGES: ("app",)}
PACKAGES = {
    CORPUS: ("beautifulsoup4", "markdown"),
    SEARCH: ("whoosh3", "numpy", "scikit-learn"),
    PAGES: ("flask", "flask-babel", "jinja2", "babel", "markupsafe", "segno"),
}


def keys(corpus: Path, root: Path, settings: Mapping[str, str] = MappingProxyType({})) -> Keys:
    """The key of each part, made from a folder of data by the code under ``root``; each part is made from those before
    it, so that its key has theirs in it. ``settings``: what else a part depends on.
    """
    key = _digest([sys.version.encode(), *_of_folder(corpus)])
    out = {}
    for part, folders in CODE.items():
        code = [piece for name in folders for piece in _of_folder(root / name)]
        installed = [f"{name} {_version(name)}".encode() for name in PACKAGES[part]]
        key = out[part] = _digest([key.encode(), *code, *installed, settings.get(part, "").encode()])
    return out


def of(generation: Generation | None) -> Keys:
    """The keys that a generation was made with; none where it does not say, or there is no generation."""
    try:
        said = json.loads(generation.data(INPUTS)) if generation else {}
    except (KeyError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def write_inputs(folder: Path, made: Keys) -> None:
    """Write the keys of the parts that stand in a folder."""
    (folder / INPUTS).write_text(json.dumps(dict(made), indent=1), encoding="utf-8")


def _of_folder(folder: Path) -> Iterable[bytes]:
    """The path and the digest of every file under a folder; hidden files, what Python keeps beside its modules and what
    was built left out.
    """
    built = build_dir()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_relative_to(built)):
        name = path.relative_to(folder)
        if not any(step.startswith((".", "__pycache__")) for step in name.parts):
            yield f"{name.as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode()


def _digest(pieces: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\n".join(pieces)).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


LOCK = ".lock"
MAKING, LINK, GONE = ".making-", ".current-", ".gone-"  # names of what is not finished, or no longer wanted


class Busy(Exception):  # noqa: N818 – nothing went wrong: another build is at work
    """Another build is at work in the folder; the message says what to do."""


@dataclass(frozen=True)
class Stage:
    """``folder``: what a build fills with ``corpus/``, ``search/``, ``pages/`` · ``build``: the folder it stands in."""

    folder: Path
    build: Path

    def take_over(self, part: str, previous: Generation) -> None:
        """The files of a part as they are in a generation that holds them, proved: by hard link where the disk can."""
        for name in previous.names(f"{part}/"):
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(previous.folder / name, target)
            except OSError:
                target.write_bytes(previous.data(name))


@contextmanager
def alone(build: Path) -> Iterator[None]:
    """For the time, nobody else makes anything in a build folder; debris of those that were killed is removed.

    Raises :class:`Busy` when somebody does, :class:`OSError` when the folder cannot be written.
    """
    if not build.is_dir():
        build.mkdir(parents=True)
        build.chmod(0o755)
    with (build / LOCK).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            other = f" (process {lock.read(20).strip()})"
            raise Busy(f"Another build is at work in {build}{other}. Wait until it has ended.") from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        for prefix in (MAKING, LINK, GONE):
            for debris in build.glob(f"{prefix}*"):
                remove(debris)
        for debris in (build / NEXT).glob(".*"):
            remove(debris)
        yield


@contextmanager
def making(build: Path) -> Iterator[Stage]:
    """A stage that is removed in the end, unless it was published; who makes it is :func:`alone`."""
    folder = Path(tempfile.mkdtemp(prefix=MAKING, dir=build))
    try:
        yield Stage(folder, build)
    finally:
        remove(folder)


def remove(path: Path) -> None:
    """Whatever stands at a path is gone, as far as it can be removed; a link and not what it leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


KEPT = 2  # generations that stay beside the current one: for who is reading them, and to go back to


def publish(stage: Stage) -> str:
    """Make what stands in a stage the current generation; returns its digest. ``next`` is removed: it is older.

    Raises :class:`OSError` when something cannot be written; then the generation before stays current.
    """
    files = _finished(stage.folder)
    digest = digest_of(files)
    (stage.folder / FILE).write_bytes(written(files))
    _readable(stage.folder)
    generations = stage.build / FOLDER
    generations.mkdir(exist_ok=True)
    generations.chmod(0o755)
    target = generations / digest
    if not _is_sound(target):
        if target.exists() or target.is_symlink():
            target.rename(stage.build / f"{GONE}{digest}-{os.getpid()}")
        stage.folder.rename(target)
    _stamp(generations, target)
    sync(generations)
    link = stage.build / f"{LINK}{os.getpid()}"
    link.symlink_to(f"{FOLDER}/{digest}")
    link.replace(stage.build / CURRENT)
    sync(stage.build)
    clear(stage.build)
    return digest


def _finished(folder: Path) -> Files:
    """The sha256 of every file of a folder."""
    files = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with path.open("rb") as file:
            files[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return files


def _readable(folder: Path) -> None:
    """Everybody may read what stands in a folder, whatever the umask says; and it is on the disk."""
    for path in (*folder.rglob("*"), folder):
        mode = 0o755 if path.is_dir() else 0o644
        if path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
        sync(path)


def _is_sound(folder: Path) -> bool:
    """Whether it holds the generation that it is named after."""
    try:
        Generation.of(folder)
    except StoreError:
        return False
    return True


def _stamp(generations: Path, newest: Path) -> None:
    """The time of each folder orders them by when they became current; a clock that was set back orders them, too."""
    before = max((path.stat().st_mtime_ns for path in generations.iterdir() if path != newest), default=0)
    now = max(time.time_ns(), before + 1)
    os.utime(newest, ns=(now, now))


def clear(build: Path) -> None:
    """What is not the current generation nor one of those before it goes, and so does ``next``. Nothing is left half
    removed under a name of a generation; what cannot be removed now is tried again by the next build.
    """
    current = latest(build)
    known = [p for p in (build / FOLDER).iterdir() if DIGEST.fullmatch(p.name) and p.name != current]
    old = sorted(known, key=lambda path: path.stat().st_mtime_ns, reverse=True)[KEPT:]
    for path in (*old, build / NEXT):
        if path.exists():
            with suppress(OSError):
                path.rename(build / f"{GONE}{path.name}-{os.getpid()}")
    for path in build.glob(f"{GONE}*"):
        remove(path)
