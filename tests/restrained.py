"""The site as it is installed on a server: copied as the Containerfile says, read-only, run as an ordinary user.

No container engine and no systemd are needed: the Containerfile and the unit are read, and what they say is done with
``setpriv`` and ``unshare`` where that can be done, and as far as file modes go elsewhere.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from proxied import free_port, until_it_listens

from tools.structure import ROOT

HOME = "/srv/lexbridge"
NOBODY = "65534"
# Every file system that can be is read-only for what is started, and for nobody else. $1: a Python that stands where
# only root may go (/root/.pyenv) is shown with nothing else of that place.
READ_ONLY = """
mount --make-rprivate / || exit 97
python=$1 closed=$1 outermost=
while [ "$closed" != / ]; do
    case $(stat -c %A "$closed") in *[xt]) ;; *) outermost=$closed ;; esac
    closed=$(dirname "$closed")
done
if [ "$outermost" ]; then
    mount --bind "$python" /mnt && mount -t tmpfs -o mode=755 tmpfs "$outermost" || exit 97
    mkdir -p "$python" && mount --move /mnt "$python" || exit 97
fi
shift
for place in $(cut -d' ' -f2 /proc/self/mounts); do
    case $place in /proc*|/sys*|/dev*) ;; *) mount -o remount,bind,ro "$place" || true ;; esac
done 2>/dev/null
exec "$@"
"""


def instructions(name: str) -> list[str]:
    """What an instruction of the Containerfile says, each time that it stands there."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    return re.findall(rf"^{name} (.*)$", text, re.MULTILINE)


def unit(name: str) -> dict[str, list[str]]:
    """Key → its values, of a systemd unit of ``deploy/``."""
    found: dict[str, list[str]] = {}
    for line in (ROOT / "deploy" / name).read_text(encoding="utf-8").splitlines():
        if re.match(r"\w+=", line):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def settings(name: str) -> list[str]:
    """What a unit of ``deploy/`` gives its program: the lines of its EnvironmentFile, and of its own."""
    said = unit(name)
    files = [ROOT / "deploy" / Path(file).name for file in said["EnvironmentFile"]]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if re.match(r"\w+=", line)] + said.get("Environment", [])


def _left_out(folder: str, names: list[str]) -> set[str]:
    rules = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    inside = Path(folder).relative_to(ROOT)
    matches = lambda name, rule: (
        fnmatch.fnmatch(name, rule[3:]) if rule.startswith("**/") else fnmatch.fnmatch(str(inside / name), rule)
    )
    return {name for name in names if any(matches(name, rule) for rule in rules)}


def install(folder: Path, build: Path) -> None:
    """What the build stage leaves; the environment and the build are those of this session."""
    shutil.copytree(ROOT, folder, ignore=_left_out, dirs_exist_ok=True)
    shutil.copytree(build, folder / "index" / "built", symlinks=True)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)  # as somebody with a strict umask copies and builds
    (folder / ".venv").symlink_to(sys.prefix)
    steps = [step for step in instructions("RUN") if not step.startswith(("apt-get ", "make "))]
    assert steps
    for step in steps:
        subprocess.run(["sh", "-ec", step], cwd=folder, check=True)


@cache
def restraints() -> tuple[str, ...]:
    """Words before a command that make it run as nobody on read-only file systems, as far as this machine lets us."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        return ()
    alone = ("--clear-groups", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all")
    user = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", *alone)
    sealed = ("unshare", "-m", "sh", "-c", READ_ONLY, "sh", sys.base_prefix)
    again = "import subprocess, sys, flask; subprocess.run([sys.executable, '-c', 'import flask'], check=True)"
    for words in ((*sealed, *user), user, sealed):
        tried = subprocess.run([*words, sys.executable, "-c", again], capture_output=True, check=False)
        if tried.returncode == 0:
            return words
    return ()


def environment(folder: Path, values: list[str]) -> dict[str, str]:
    """What a command finds: its own variables, the PATH, and the copy where the editable install would stand."""
    given = dict(value.split("=", 1) for value in values)
    moved = {name: value.replace(HOME, str(folder)) for name, value in given.items()}
    return moved | {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder)}


def command(folder: Path, words: list[str], port: int) -> list[str]:
    """The words with the folder, the port and the host of the test."""
    changed = {"8000": str(port), "0.0.0.0": "127.0.0.1"}
    return [changed.get(word, word).replace(HOME, str(folder)).replace(":8000/", f":{port}/") for word in words]


def of_container(instruction: str) -> list[str]:
    """The words of ``CMD`` or of the check of ``HEALTHCHECK``."""
    (said,) = instructions(instruction)
    return json.loads(said[said.index("[") :])


@contextmanager
def started(folder: Path, words: list[str], values: list[str]):
    """Runs a command in the folder until the end of the block; gives its port. It must end when it is told to."""
    port = free_port()
    run = [*restraints(), *command(folder, words, port)]
    with (folder.parent / "said").open("wb") as log:
        running = subprocess.Popen(run, cwd=folder, env=environment(folder, values), stdout=log, stderr=log)
    try:
        until_it_listens(port, running)
        yield port
    finally:
        running.send_signal(getattr(signal, instructions("STOPSIGNAL")[0]))
        ended = running.wait(20)
    assert ended in {0, -signal.SIGTERM}, (folder.parent / "said").read_text(encoding="utf-8")
