"""Records cross JSON unchanged, refuse what they do not know, and look values up by back-off."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npu_autokernel.cache import (
    Difference,
    MemoryValue,
    RecordRefusal,
    back_off,
    canonical_json,
    digest_json,
    find_value,
    list_differences,
    parse_canonical,
)
from tests.cache.store_records import make_attempt, make_kernel, make_memory, make_value

RECORDS = [make_kernel(), make_attempt(), make_memory(values=(make_value(),))]
SIGNATURES = st.lists(st.sampled_from("abc"), max_size=3).map(tuple)
VALUES = st.builds(
    MemoryValue,
    stage=st.sampled_from(["draft", "refine"]),
    signature=SIGNATURES,
    value=st.floats(-1, 1),
    count=st.integers(0, 3),
)
DOCUMENTS = st.recursive(
    st.none() | st.integers(0, 2) | st.sampled_from("xy"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=8,
)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
class TestJson:
    def test_a_record_comes_back_as_it_was(self, record: Any) -> None:
        document = parse_canonical(canonical_json(record.to_json()))
        assert type(record).from_json(document) == record

    def test_an_unknown_schema_version_is_refused_as_a_value(self, record: Any) -> None:
        document = {**record.to_json(), "schema": f"{record.SCHEMA}0"}
        refusal = type(record).from_json(document)
        assert isinstance(refusal, RecordRefusal)
        assert refusal.code == "store.record_version"

    @pytest.mark.parametrize("document", [None, [], "kernel/1", 1])
    def test_what_is_no_object_is_refused(self, record: Any, document: Any) -> None:
        assert isinstance(type(record).from_json(document), RecordRefusal)

    def test_every_missing_field_is_refused(self, record: Any) -> None:
        for name in set(record.to_json()) - {"schema", "values"}:
            document = record.to_json()
            del document[name]
            refusal = type(record).from_json(document)
            assert isinstance(refusal, RecordRefusal), name
            assert refusal.code == "store.record_invalid"
            assert name in refusal.message


def test_an_artifact_that_does_not_match_its_sha256_is_refused() -> None:
    document = json.loads(json.dumps(make_kernel().to_json()))
    document["artifacts"][0]["base64"] = "AAAA"
    refusal = type(make_kernel()).from_json(document)
    assert isinstance(refusal, RecordRefusal)
    assert "sha256" in refusal.message


@pytest.mark.parametrize(
    "change",
    [{"state": "trusted"}, {"requires": [1]}, {"created_at": "now"}, {"bucket": 3}],
)
def test_a_field_of_the_wrong_kind_is_refused(change: dict[str, Any]) -> None:
    document = {**make_kernel().to_json(), **change}
    assert isinstance(type(make_kernel()).from_json(document), RecordRefusal)


def test_digests_follow_the_documents() -> None:
    kernel = make_kernel()
    assert kernel.proof_digest == digest_json(kernel.proof_key)
    assert kernel.candidate_digest == digest_json(kernel.candidate)
    assert make_kernel(proof_key={"ops": []}).proof_digest != kernel.proof_digest


def test_back_off_cuts_from_right_to_left() -> None:
    assert back_off(("softmax", "fp16", "mte2")) == (
        ("softmax", "fp16", "mte2"),
        ("softmax", "fp16"),
        ("softmax",),
        (),
    )


@given(st.lists(VALUES), SIGNATURES, st.integers(1, 3))
def test_the_value_found_is_the_most_special_that_is_known_well_enough(
    values: list[MemoryValue], signature: tuple[str, ...], min_count: int
) -> None:
    found = find_value(values, "draft", signature, min_count)
    known = {
        value.signature for value in values if value.stage == "draft" and value.count >= min_count
    }
    fitting = [form for form in known if form == signature[: len(form)]]
    if found is None:
        assert not fitting
    else:
        assert found.stage == "draft" and found.count >= min_count
        assert found.signature == max(fitting, key=len)


@given(st.lists(st.floats(-1, 1), max_size=20), st.floats(0.01, 1.0))
def test_learned_values_stay_within_the_rewards(rewards: list[float], alpha: float) -> None:
    value = MemoryValue("draft", ())
    for reward in rewards:
        value = value.learn(reward, alpha)
    assert min([0.0, *rewards]) - 1e-9 <= value.value <= max([0.0, *rewards]) + 1e-9
    assert value.count == len(rewards)
    assert value.wins == sum(reward > 0 for reward in rewards)


def test_differences_name_the_field_and_both_sides() -> None:
    asked = {"ops": [{"name": "sin", "eps": 1e-5}], "dim": -1, "soc": "910B"}
    stored = {"ops": [{"name": "sin", "eps": 1e-6}, {"name": "mul"}], "dim": -1, "cann": 8}
    assert list_differences(asked, stored) == (
        Difference("ops[0].eps", "1e-05", "1e-06"),
        Difference("ops[1]", None, '{"name":"mul"}'),
        Difference("soc", '"910B"', None),
        Difference("cann", None, "8"),
    )


def test_one_and_true_and_1_0_are_different() -> None:
    for asked, stored in [(1, True), (1, 1.0), (0.0, -0.0), ("1", 1)]:
        assert list_differences({"x": asked}, {"x": stored})


@given(DOCUMENTS, DOCUMENTS)
def test_there_is_no_difference_exactly_when_documents_are_the_same(
    asked: Any, stored: Any
) -> None:
    same = canonical_json(asked) == canonical_json(stored)
    assert (list_differences(asked, stored) == ()) == same
