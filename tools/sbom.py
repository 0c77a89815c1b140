"""``make sbom``: writes what the site is made of as CycloneDX JSON, from ``requirements.lock``.

The lock has all that the document needs: names, versions and digests of the files. Equal locks give equal documents:
the serial number follows from the lock, and there is no time of day.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
import uuid
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).parent.parent
LOCK, PROJECT = ROOT / "requirements.lock", ROOT / "pyproject.toml"
_PACKAGE = re.compile(r"^([a-z0-9][a-z0-9._-]*)==(\S+) \\\n((?:    .*\n?)+)", re.MULTILINE | re.IGNORECASE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def bill_of_materials(lock: str, name: str, version: str) -> dict[str, Any]:
    """Return the CycloneDX document of a lock for the project ``name`` in a ``version``.

    Raises:
        ValueError: a package of the lock has no digest, or a line pins none.
    """
    found = {package: (of, _HASH.findall(rest)) for package, of, rest in _PACKAGE.findall(lock)}
    pinned = re.findall(r"^[^\s#=]+(?=[=@ ])|^[^\s#=]+$", lock, re.MULTILINE)
    if faulty := sorted({*pinned} ^ {package for package, (_, hashes) in found.items() if hashes}):
        raise ValueError(f"requirements.lock has no digest of {', '.join(faulty)}.")
    own = f"pkg:generic/{name}@{version}"
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.UUID(bytes=hashlib.sha256(f'{own}{lock}'.encode()).digest()[:16], version=4)}",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": own, "name": name, "version": version}},
        "components": [_component(package, of, hashes) for package, (of, hashes) in found.items()],
    }


def _component(package: str, version: str, hashes: list[str]) -> dict[str, Any]:
    """Return a package with the digest of each file that PyPI offers of it. A machine installs one of them."""
    ref = f"pkg:pypi/{package.lower()}@{version}"
    files = [
        {
            "type": "distribution",
            "url": f"https://pypi.org/project/{package}/{version}/#files",
            "hashes": [{"alg": "SHA-256", "content": digest}],
        }
        for digest in hashes
    ]
    return {
        "type": "library",
        "bom-ref": ref,
        "name": package,
        "version": version,
        "purl": ref,
        "externalReferences": files,
    }


@click.command()
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
def main(target: Path) -> None:
    """Write the document to a file."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    document = bill_of_materials(LOCK.read_text(encoding="utf-8"), project["name"], project["version"])
    target.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    click.echo(f"{len(document['components'])} packages → {target}")


if __name__ == "__main__":
    main()
