"""``make sbom``: every package of the lock, with the digests of its files; the same lock gives the same document."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.sbom import LOCK, bill_of_materials, main

DIGEST = "0" * 64


def test_every_package_of_the_lock_is_listed_with_its_digests(tmp_path):
    target = tmp_path / "sbom.json"
    assert CliRunner().invoke(main, [str(target)]).exit_code == 0
    document = json.loads(target.read_text(encoding="utf-8"))
    assert (document["bomFormat"], document["specVersion"], document["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch("urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", document["serialNumber"])
    lock = LOCK.read_text(encoding="utf-8")
    pinned = re.findall(r"^\S+==\S+", lock, re.MULTILINE)
    assert [f"{c['name']}=={c['version']}" for c in document["components"]] == pinned
    refs = [c["bom-ref"] for c in document["components"]]
    assert len({*refs, document["metadata"]["component"]["bom-ref"]}) == len(refs) + 1
    digests = []
    for component in document["components"]:
        assert component["type"] == "library"
        assert component["purl"] == f"pkg:pypi/{component['name']}@{component['version']}"
        for file in component["externalReferences"]:
            assert file["type"] == "distribution"
            digests += [(digest["alg"], digest["content"]) for digest in file["hashes"]]
    assert digests == [("SHA-256", digest) for digest in re.findall("sha256:([0-9a-f]{64})", lock)]


def test_equal_locks_give_equal_documents_and_others_do_not():
    lock = f"one==1.0 \\\n    --hash=sha256:{DIGEST}\n"
    assert bill_of_materials(lock, "x", "1") == bill_of_materials(lock, "x", "1")
    numbers = {bill_of_materials(text, "x", of)["serialNumber"] for text in (lock, lock + "# more\n") for of in "12"}
    assert len(numbers) == 4


@pytest.mark.parametrize("line", ["two==2.0\n", "two>=2.0\n", "two\n", "two @ https://example.org/two.whl\n"])
def test_a_package_without_a_digest_is_refused(line):
    with pytest.raises(ValueError, match="no digest of two"):
        bill_of_materials(f"one==1.0 \\\n    --hash=sha256:{DIGEST}\n{line}", "x", "1")


def test_the_image_is_named_by_its_digest():
    text = (Path(LOCK).parent / "Containerfile").read_text(encoding="utf-8")
    assert re.search(r"^ARG BASE=\S+@sha256:[0-9a-f]{64}$", text, re.MULTILINE)
    assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) == {"${BASE}"}
