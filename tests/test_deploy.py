"""The container, the unit and the guide: what they say is done here, by an ordinary user who can write nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
import restrained
from proxied import HOST, Proxy, said

from app.site.http import COMMON_HEADERS
from scripts.cli import COMMANDS
from tools.nginx import find_nginx
from tools.structure import ROOT

GUIDE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^ {4}(\S.*)$", GUIDE, re.MULTILINE)
UNITS = ("lexbridge.service", "lexbridge-build.service", "lexbridge-verify.service")


@pytest.fixture(scope="module")
def installed(build_dir):
    """The tree of the image, where another user can come to it: pytest's own folders are of one user alone."""
    around = Path(tempfile.mkdtemp(prefix="lexbridge-"))
    around.chmod(0o755)
    try:
        restrained.install(around / "lexbridge", build_dir)
        yield around / "lexbridge"
    finally:
        subprocess.run(["chmod", "-R", "u+w", str(around)], check=False)
        shutil.rmtree(around)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def everything(folder: Path) -> dict[str, tuple[int, int]]:
    seen = ((path, path.lstat()) for path in folder.rglob("*"))
    return {str(path): (stat.st_mtime_ns, stat.st_mode) for path, stat in seen}


def test_the_image_holds_what_runs_and_nothing_else(installed):
    assert {".venv", "app", "corpus", "index", "scripts", "pyproject.toml", "Makefile"} <= names(installed)
    assert not {".git", "tests", "benchmarks", ".hypothesis"} & names(installed)
    modes = [path.lstat().st_mode for path in (installed, *installed.rglob("*")) if not path.is_symlink()]
    assert len(modes) > 500 and all(mode & 0o444 == 0o444 and not mode & 0o222 for mode in modes)


def test_the_image_runs_as_a_user_without_a_name_who_owns_nothing():
    assert restrained.instructions("USER") == ["65534:65534"]


def test_who_runs_there_can_write_nothing(installed):
    tried = [*restrained.restraints(), "sh", "-c", f"echo x > {installed}/x || echo x > {installed}/index/built/x"]
    if not restrained.restraints():
        pytest.skip("neither root nor setpriv: file modes alone are tested")
    assert subprocess.run(tried, capture_output=True, check=False).returncode != 0


def test_the_container_answers_and_writes_nothing(installed):
    before = everything(installed)
    with restrained.started(installed, restrained.of_container("CMD"), restrained.instructions("ENV")) as port:
        check = restrained.command(installed, restrained.of_container("HEALTHCHECK"), port)
        for path, holds in {
            "/pl-2007/16?ui=pl": b'data-id="pl-2007/16/D/2"',
            "/search?q=renons&ui=pl": b"pl-2007/61",
            "/api/v1/editions": b'"pl-2007"',
            "/healthz": b"",
        }.items():
            answer = said(port, path, host=f"127.0.0.1:{port}")
            assert answer.status == 200 and holds in answer.body, path
        assert subprocess.run(check, cwd=installed, check=False).returncode == 0
    assert everything(installed) == before
    assert subprocess.run(check, cwd=installed, capture_output=True, check=False).returncode != 0, "a dead site is well"


@pytest.mark.skipif(not find_nginx() or not shutil.which("openssl"), reason="no nginx, or no openssl")
def test_the_unit_answers_behind_nginx(installed, tmp_path):
    service = restrained.unit("lexbridge.service")
    (start,) = service["ExecStart"]
    always = {name.lower(): value for name, value in COMMON_HEADERS.items()}
    with (
        restrained.started(installed, start.split(), restrained.settings("lexbridge.service")) as port,
        Proxy(tmp_path / "nginx", port) as proxy,
    ):
        for path in ("/pl-2007/16?ui=pl", "/search?q=renons&ui=pl", "/api/v1/search?q=renons", "/healthz"):
            answer = said(proxy.port, path)
            assert answer.status == 200 and always.items() <= answer.headers.items(), path
        page = said(proxy.port, "/pl-2007/16?ui=pl")
        assert [name for name, value in page.headers.items() if " | " in value] == [], "nothing is said twice"
        style = re.search(rb'"(/static/[^"]+\.css[^"]*)"', page.body)[1].decode()
        packed = said(proxy.port, style, Accept_Encoding="gzip")
        again = said(proxy.port, style, Accept_Encoding="gzip", If_None_Match=packed.headers["etag"])
        assert packed.headers["content-encoding"] == "gzip" and (again.status, again.cache) == (304, "HIT")


def test_the_unit_takes_what_could_hurt():
    service = restrained.unit("lexbridge.service")
    assert service["DynamicUser"] == ["yes"] and service["ProtectSystem"] == ["strict"]
    assert service["CapabilityBoundingSet"] == [""] and service["NoNewPrivileges"] == ["yes"]
    made = re.findall(r"^ {4}(?:useradd|groupadd) .*?(\S+)$", GUIDE, re.MULTILINE)
    assert service["User"][0] not in made, "the site is a user who exists while it runs, and owns nothing"
    assert "lexbridge" in made, "without User= the site would be the user whose name the unit has, who owns everything"
    (place,) = service["ReadWritePaths"]
    served = dict(line.split("=", 1) for line in restrained.settings("lexbridge.service"))["LEXBRIDGE_SERVED"]
    assert place == f"-{Path(served).parent}", "the site writes the link, and nothing else"
    (group,) = service["SupplementaryGroups"]
    assert group in made and f"    install -d -g {group} -m 2775 {Path(served).parent}\n" in GUIDE


@pytest.mark.parametrize("name", UNITS)
def test_all_units_read_one_file_of_settings(name):
    assert restrained.unit(name)["EnvironmentFile"] == ["/etc/lexbridge.env"]
    said = dict(line.split("=", 1) for line in restrained.settings(name))
    assert said["LEXBRIDGE_URL"] == f"https://{HOST}" and {"LEXBRIDGE_BUILD", "LEXBRIDGE_SERVED"} <= said.keys()
    assert not [line for line in restrained.unit(name).get("Environment", []) if line.split("=")[0] in (
        "LEXBRIDGE_URL", "LEXBRIDGE_BUILD", "LEXBRIDGE_SERVED",
    )]  # fmt: skip


def test_nginx_reads_where_the_site_writes():
    served = dict(line.split("=", 1) for line in restrained.settings("lexbridge.service"))["LEXBRIDGE_SERVED"]
    assert f"root {served}/pages/away;" in (ROOT / "deploy" / "nginx" / "site.conf").read_text(encoding="utf-8")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd")
@pytest.mark.parametrize(
    "name, most", [("lexbridge.service", 12), ("lexbridge-build.service", 20), ("lexbridge-verify.service", 12)]
)
def test_systemd_finds_the_units_whole_and_safe(tmp_path, name, most):
    """``most``: tenths of exposure, of a hundred; systemd calls what stays below 20 OK."""
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    (tmp_path / name).write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    verify = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)], capture_output=True, text=True, check=False
    )
    assert (verify.returncode, [line for line in verify.stderr.splitlines() if name in line]) == (0, [])
    scored = ["systemd-analyze", "security", "--offline=true", f"--threshold={most}", str(tmp_path / name)]
    ran = subprocess.run(scored, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_guide_shows_commands():
    assert 15 <= len(SHOWN) <= 30


def run_there(lines: list[str], root: Path, **names: str) -> None:
    """Runs lines of the guide, the server's folders being inside ``root``."""
    text = "\n".join(lines)
    for old, new in names.items():
        text = text.replace(old, new)
    text = re.sub(r"(?<![\w.])/(?=(etc|srv)/)", f"{root}/", text.replace("runuser -u lexbridge -- ", ""))
    subprocess.run(["sh", "-ec", text], check=True)


def test_the_files_go_where_the_guide_says_and_bear_the_name(tmp_path):
    for folder in ("etc/systemd/system", "etc/nginx", "srv"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "srv" / "lexbridge").symlink_to(ROOT)
    lines = [line for line in SHOWN if re.match(r"(cd /srv/lexbridge$|install -m|install -d /etc|sed )", line)]
    run_there(lines, tmp_path, **{"YOUR.NAME": "brydz.example"})
    placed = [path for path in (tmp_path / "etc").rglob("*") if path.is_file()]
    shipped = [path for path in (ROOT / "deploy").rglob("*") if path.is_file()]
    assert sorted(path.name for path in placed) == sorted(path.name for path in shipped)
    texts = {path.name: path.read_text(encoding="utf-8") for path in placed}
    assert [name for name, text in texts.items() if HOST in text] == []
    included = re.findall(r"^\s*include (lexbridge/\S+);", "\n".join(texts.values()), re.MULTILINE)
    assert included and [name for name in included if not (tmp_path / "etc" / "nginx" / name).is_file()] == []


def test_the_way_back_leads_to_the_older_generation(tmp_path):
    built = tmp_path / "srv" / "lexbridge" / "index" / "built"
    for digest in ("older", "newer"):
        (built / "generations" / digest).mkdir(parents=True)
    (built / "current").symlink_to("generations/newer")
    at = next(number for number, line in enumerate(SHOWN) if line.endswith("index/built"))
    run_there(SHOWN[at : at + 3], tmp_path, DIGEST="older")
    assert str((built / "current").readlink()) == "generations/older"
    assert names(built) == {"current", "generations"}


def test_what_the_guide_names_is_there():
    named = {word for line in SHOWN for word in re.findall(r"deploy/\S+", line)}
    assert named and [name for name in named if not (ROOT / name).is_file()] == []
    units = {word for line in SHOWN if line.startswith("systemctl") for word in re.findall(r"lexbridge\S*", line)}
    assert {f"{word.removesuffix('.timer')}.service" for word in units} == set(UNITS)
    webroot = re.search(r"certbot .*-w (\S+)", GUIDE)[1]
    assert f"root {webroot};" in (ROOT / "deploy" / "nginx" / "site.conf").read_text(encoding="utf-8")
    assert "serve" in COMMANDS
