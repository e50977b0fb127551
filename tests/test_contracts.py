"""The values that are handed over keep their JSON form: a changed golden file needs a new schema version."""

from __future__ import annotations

from typing import Any

import pytest

from npu_autokernel.cache.canonical import canonical_json, parse_canonical, pretty_json
from npu_autokernel.graph.key import make_proof_key, make_tuning_bucket
from npu_autokernel.verify.request import VerifyReply, VerifyRequest
from tests.contracts import CANDIDATE, COMPILED_KERNEL, MEASUREMENT, TASK, VERDICT

REQUEST = VerifyRequest(TASK, CANDIDATE, "screen", "Ascend910B1", seed=7)
REPLY = VerifyReply(VERDICT, MEASUREMENT, (COMPILED_KERNEL,))
VALUES = {
    "task": TASK,
    "candidate": CANDIDATE,
    "verdict": VERDICT,
    "measurement": MEASUREMENT,
    "compiled_kernel": COMPILED_KERNEL,
    "verify_request": REQUEST,
    "verify_reply": REPLY,
}
TOOLCHAIN = (("triton-ascend", "3.2.0"), ("ascendnpu-ir", "1.2.0"))


@pytest.mark.parametrize("name", sorted(VALUES))
def test_json_form_is_stable(name: str, check_golden: Any) -> None:
    check_golden(f"contracts/{name}.json", pretty_json(VALUES[name].to_json()))


@pytest.mark.parametrize("name", sorted(VALUES))
def test_value_survives_json(name: str) -> None:
    value = VALUES[name]
    document = parse_canonical(canonical_json(value.to_json()))
    assert type(value).from_json(document) == value


def test_candidate_digest_ignores_only_provenance() -> None:
    document = CANDIDATE.to_json()
    document["provenance"]["proposer"] = "someone else"
    assert type(CANDIDATE).from_json(document).digest() == CANDIDATE.digest()
    document["source"] += "# changed"
    assert type(CANDIDATE).from_json(document).digest() != CANDIDATE.digest()


def test_proof_key_is_readable_and_stable(check_golden: Any) -> None:
    key = make_proof_key(TASK, "Ascend910B1", TOOLCHAIN)
    check_golden("contracts/proof_key.json", pretty_json(key.to_json() | {"digest": key.digest}))


def test_hints_choose_the_bucket_and_not_the_proof_key() -> None:
    document = TASK.to_json()
    document["hints"] = [["s0", 4096], ["s1", 3]]
    other = type(TASK).from_json(document)
    key = make_proof_key(TASK, "Ascend910B1", TOOLCHAIN)
    assert make_proof_key(other, "Ascend910B1", TOOLCHAIN).digest == key.digest
    assert make_tuning_bucket(TASK) == "s0:7 s1:9"
    assert make_tuning_bucket(other) == "s0:12 s1:1"


def test_another_constant_is_another_proof_key() -> None:
    document = TASK.to_json()
    document["ops"][0]["keywords"]["alpha"] = 3
    other = type(TASK).from_json(document)
    assert (
        make_proof_key(other, "Ascend910B1", TOOLCHAIN).digest
        != make_proof_key(TASK, "Ascend910B1", TOOLCHAIN).digest
    )
