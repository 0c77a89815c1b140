"""A server that the commands of docs/deploy.md set up, as they stand, and that is gone when the program ends.

    enter_namespaces()
    set_up("lexbridge.test")

The commands run in namespaces of mounts and processes, so the machine keeps its files and its users, and no process
stays. Ports are those of the machine (:data:`PORTS`), and must be free. Three programs have a stand-in
(:data:`STAND_INS`), because there is no systemd, no public name, and often no network.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHANGED = ("/etc", "/run", "/srv", "/usr", "/var")  # what the commands write to
PORTS = (80, 443, 8000, 8001)
FIRST_IN_PATH = Path("/usr/local/sbin")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # Debian's for root, and that of units
DYNAMIC_USER = 61184  # the first number that systemd gives to a DynamicUser
INSIDE = "LEXBRIDGE_BENCH_INSIDE"
UNIT_FOLDERS = (Path("/etc/systemd/system"), Path("/lib/systemd/system"))
RUN_BY_VERB = {
    "daemon-reload": (),
    "start": ("ExecStartPre", "ExecStart"),
    "enable": ("ExecStartPre", "ExecStart"),  # the guide says --now
    "restart": ("ExecStop", "ExecStartPre", "ExecStart"),
    "reload": ("ExecReload",),
}


class CommandError(Exception):
    """A command of the guide failed; says which one, and what it printed."""


def enter_namespaces() -> None:
    """Start this program anew in namespaces of its own, unless it is there; the folders in ``CHANGED`` are covered.

    Ends the program with a sentence when that is not possible.
    """
    if os.environ.pop(INSIDE, "") != "1":
        if os.geteuid() != 0 or not shutil.which("unshare"):
            raise SystemExit("The server is set up in namespaces. That needs Linux, root and unshare (util-linux).")
        os.environ[INSIDE] = "1"
        namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        os.execvp("unshare", ["unshare", *namespaces, sys.executable, *sys.orig_argv[1:]])
    _mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", "/mnt")
    for place in CHANGED:
        upper, work = Path(f"/mnt{place}"), Path(f"/mnt/work{place}")
        upper.mkdir()
        work.mkdir(parents=True)
        shutil.copystat(place, upper)
        _mount("-t", "overlay", "-o", f"lowerdir={place},upperdir={upper},workdir={work}", "overlay", place)


def _mount(*words: str) -> None:
    if subprocess.run(["mount", *words], check=False).returncode:
        raise SystemExit(f"mount {' '.join(words)} failed: this machine allows no overlay in a namespace.")


def set_up(name: str) -> None:
    """Run the first block of the guide for a host name; the repository is a clone of this checkout's commit.

    Raises :class:`CommandError`.
    """
    for port in PORTS:
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                raise CommandError(f"Another program listens at port {port}. End it, and try again.")
    for program in STAND_INS:
        script = FIRST_IN_PATH / program
        script.write_text(f'#!/bin/sh\nexec {sys.executable} {Path(__file__).resolve()} {program} "$@"\n')
        script.chmod(0o755)
    with Path("/etc/hosts").open("a", encoding="utf-8") as hosts:
        hosts.write(f"\n127.0.0.1 {name}\n")
    repository = Path("/srv/lexbridge.git")  # the user lexbridge may not read every checkout
    _run(f"git clone --quiet --bare {ROOT} {repository} && git config --system safe.directory {repository}", "/")
    folder = "/"
    for command in _guide_commands():
        started = time.monotonic()
        if command.startswith("cd "):
            folder = command.removeprefix("cd ")
        else:
            _run(command.replace("REPOSITORY", str(repository)).replace("YOUR.NAME", name), folder)
        print(f"{time.monotonic() - started:6.1f} s  {command}", flush=True)


def _guide_commands() -> list[str]:
    text = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    return re.search(r"(?:^ {4}\S.*\n)+", text, re.MULTILINE)[0].replace("    ", "").splitlines()


def _run(command: str, folder: str) -> None:
    # A pipe would stay open as long as the servers that the command starts.
    with tempfile.TemporaryFile() as printed:
        ran = subprocess.run(
            ["sh", "-c", command], cwd=folder, env=_environment("/root"), stdout=printed, stderr=printed, check=False
        )
        if ran.returncode:
            printed.seek(0)
            raise CommandError(f"{command}\nended with {ran.returncode}:\n{printed.read().decode()}")


def _environment(home: str) -> dict[str, str]:
    """What a command finds: nothing of ours but the way to the package index."""
    passed = {name: value for name, value in os.environ.items() if re.fullmatch(r"PIP_\w+|(?i:\w+_proxy)", name)}
    return passed | {"PATH": PATH, "HOME": home, "LANG": "C.UTF-8"}


# -- Stand-ins ---


def _systemctl(verb: str, *names: str) -> None:
    """Do what a unit says with its programs, user, groups, settings and folder; nothing is sandboxed or watched."""
    for name in names:
        if not name.startswith("-") and not name.endswith(".timer"):
            unit = _read_unit(name)
            for key in RUN_BY_VERB[verb]:
                for line in unit.get(key, []):
                    _execute(name, unit, line, waits=key != "ExecStart" or "Type" in unit)


def _read_unit(name: str) -> dict[str, list[str]]:
    """Return key → its values."""
    file = next(path for folder in UNIT_FOLDERS if (path := folder / f"{name}.service").exists())
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", file.read_text(encoding="utf-8"), re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


def _execute(name: str, unit: dict[str, list[str]], line: str, waits: bool) -> None:
    one = lambda key, default: unit.get(key, [default])[0]
    settings = [
        setting for file in unit.get("EnvironmentFile", []) for setting in Path(file).read_text("utf-8").splitlines()
    ]
    settings = [each for each in settings + unit.get("Environment", []) if re.match(r"\w+=", each)]
    if "DynamicUser" in unit:
        user, group, home = DYNAMIC_USER, DYNAMIC_USER, "/"
    else:
        known = pwd.getpwnam(one("User", "root"))
        user, group, home = known.pw_uid, known.pw_gid, known.pw_dir
    with Path(f"/var/log/{name}.log").open("ab") as log:
        running = subprocess.Popen(
            shlex.split(line.removeprefix("-")),
            cwd=one("WorkingDirectory", "/"),
            env=_environment(home) | dict(setting.split("=", 1) for setting in settings),
            user=user,
            group=group,
            extra_groups=[grp.getgrnam(each).gr_gid for each in unit.get("SupplementaryGroups", [])],
            umask=int(one("UMask", "0022"), 8),
            stdin=subprocess.DEVNULL,
            stdout=None if waits else log,
            stderr=None if waits else log,
            start_new_session=True,
        )
    if waits and running.wait() and not line.startswith("-"):
        raise SystemExit(f"{name}: {line} ended with {running.returncode}")


def _certbot(*words: str) -> None:
    """Make a certificate that only this machine believes, where certbot would put one."""
    name = words[words.index("-d") + 1]
    folder = Path("/etc/letsencrypt/live", name)
    folder.mkdir(parents=True)
    made = ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"]
    subject = ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    subprocess.run(["openssl", "req", "-x509", *kind, *subject, *made], check=True)


def _apt_get(verb: str, *words: str) -> None:
    """Install what is not there; the network is asked for nothing else."""
    is_there = lambda name: name in STAND_INS or "ok installed" in subprocess.run(
        ["dpkg", "-s", name], capture_output=True, text=True, check=False
    ).stdout  # fmt: skip
    missing = [word for word in words if not word.startswith("-") and not is_there(word)]
    if verb == "install" and missing:
        subprocess.run(["/usr/bin/apt-get", "update"], check=True)
        subprocess.run(["/usr/bin/apt-get", "install", "--yes", *missing], check=True)


STAND_INS = {"systemctl": _systemctl, "certbot": _certbot, "apt-get": _apt_get}

if __name__ == "__main__":
    STAND_INS[sys.argv[1]](*sys.argv[2:])
