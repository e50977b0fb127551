"""Ops on vector registers of the 950 against NumPy, and what of them is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npu_autokernel.machine import MachineFault, load_program
from tests.machine.vector_functions import (
    ELEMENT_NAMES,
    VectorBody,
    make_module,
    run,
    run_ok,
    shape_of,
)

FULL_LANES = {"f32": 32, "f16": 16, "i32": 32, "i16": 16, "i8": 8, "i64": 32}
DTYPES = {name: dtype for dtype, name in ELEMENT_NAMES.items()}
BINARY = {"vadd": np.add, "vsub": np.subtract, "vmul": np.multiply}
BINARY |= {"vmax": np.maximum, "vmin": np.minimum}
INTEGER_BINARY = {"vand": np.bitwise_and, "vor": np.bitwise_or, "vxor": np.bitwise_xor}
INTEGER_BINARY |= {"vsmax": np.maximum, "vsmin": np.minimum}
WITH_NUMBER = {"vadds": np.add, "vmuls": np.multiply, "vmaxs": np.maximum, "vmins": np.minimum}
COMPARE = {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal}
COMPARE |= {"GT": np.greater, "GE": np.greater_equal}


def sample(element: str, count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    dtype = DTYPES[element]
    if element.startswith("f"):
        values = (rng.standard_normal(count) * 8).astype(dtype)
        values[:4] = [np.nan, np.inf, -np.inf, 0]
        return values
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, count, dtype=dtype, endpoint=True)


def count_lanes(element: str) -> int:
    return 2048 // FULL_LANES[element]


def apply(name, sources, element, active=None, properties="", lane_bits=None) -> np.ndarray:
    """A masked op over whole registers; the whole register is stored."""
    body = VectorBody(lane_bits or FULL_LANES[element])
    shape = f"{body.lanes}x{element}"
    vectors = [body.load(number, shape) for number in range(len(sources))]
    mask = body.all_lanes() if active is None else body.first_lanes(active)
    body.store(body.masked(name, vectors, element, mask, properties), len(sources), shape)
    return run_ok(body, [*sources, np.zeros(body.lanes, DTYPES[element])])


@pytest.mark.parametrize("element", FULL_LANES)
@pytest.mark.parametrize("name", BINARY)
def test_arithmetic_is_numpys_rounded_once(name, element) -> None:
    lanes = count_lanes(element)
    x, y = sample(element, lanes, 1), sample(element, lanes, 2)
    with np.errstate(all="ignore"):
        expected = BINARY[name](x, y)
    np.testing.assert_array_equal(apply(name, [x, y], element), expected)


@pytest.mark.parametrize("element", ["i8", "i16", "i32", "i64"])
@pytest.mark.parametrize("name", INTEGER_BINARY)
def test_integer_ops(name, element) -> None:
    lanes = count_lanes(element)
    x, y = sample(element, lanes, 1), sample(element, lanes, 2)
    np.testing.assert_array_equal(apply(name, [x, y], element), INTEGER_BINARY[name](x, y))


@settings(max_examples=25, deadline=None)
@given(
    active=st.integers(0, 64),
    element=st.sampled_from(["f32", "i32"]),
    name=st.sampled_from(sorted(BINARY)),
    seed=st.integers(0, 99),
)
def test_lanes_left_out_are_zero(active, element, name, seed) -> None:
    x, y = sample(element, 64, seed), sample(element, 64, seed + 1)
    with np.errstate(all="ignore"):
        expected = BINARY[name](x, y)
    expected[active:] = 0
    np.testing.assert_array_equal(apply(name, [x, y], element, active), expected)


@pytest.mark.parametrize("element", ["f32", "f16"])
@pytest.mark.parametrize(
    ("name", "function"), [("vexp", np.exp), ("vln", np.log), ("vsqrt", np.sqrt), ("vabs", np.abs)]
)
def test_functions_of_floats(name, function, element) -> None:
    x = sample(element, count_lanes(element), 3)
    with np.errstate(all="ignore"):
        expected = function(x.astype(np.float64)).astype(x.dtype)
    tolerance = 1e-6 if element == "f32" else 1e-3
    np.testing.assert_allclose(apply(name, [x], element), expected, rtol=tolerance, atol=1e-7)


@pytest.mark.parametrize("element", ["i8", "i16", "i32"])
def test_not_and_abs_of_integers(element) -> None:
    x = sample(element, count_lanes(element), 3)
    np.testing.assert_array_equal(apply("vnot", [x], element), ~x)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(apply("vabs", [x], element), np.abs(x))


def test_division_of_floats_and_of_integers() -> None:
    x, y = sample("f32", 64, 4), sample("f32", 64, 5)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(apply("vdiv", [x, y], "f32"), x / y)
        np.testing.assert_array_equal(apply("vdivfhp", [x, y], "f32"), x / y)
    a = np.array([7, -7, 7, -7, 2**31 - 1] + [9] * 59, np.int32)
    b = np.array([2, 2, -2, -2, 3] + [4] * 59, np.int32)
    np.testing.assert_array_equal(apply("vdiv", [a, b], "i32"), np.trunc(a / b).astype(np.int32))
    np.testing.assert_array_equal(apply("vmod", [a, b], "i32"), np.fmod(a, b))


def test_a_remainder_by_zero_is_unknown() -> None:
    body = VectorBody()
    x, zero = (body.load(number, "64xi32") for number in (0, 1))
    body.store(body.masked("vmod", [x, zero], "i32", body.all_lanes()), 2, "64xi32")
    arrays = [np.ones(64, np.int32), np.zeros(64, np.int32), np.zeros(64, np.int32)]
    fault = run(body, arrays).fault
    assert fault is not None and fault.code == "machine.uninitialised_read"


def test_an_exponential_of_a_difference_and_a_fused_product() -> None:
    rng = np.random.default_rng(6)
    a, b, c = (rng.standard_normal(64).astype(np.float32) for _ in range(3))
    np.testing.assert_allclose(apply("vexpdif", [a, b], "f32"), np.exp(a - b), rtol=1e-6)
    fused = (a.astype(np.float64) + b.astype(np.float64) * c.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_equal(apply("vmula", [a, b, c], "f32"), fused)


@pytest.mark.parametrize("element", ["f32", "i32", "i16"])
@pytest.mark.parametrize("name", WITH_NUMBER)
def test_a_vector_and_a_number(name, element) -> None:
    body = VectorBody(FULL_LANES[element])
    shape = f"{body.lanes}x{element}"
    x = sample(element, body.lanes, 7)
    number = body.constant("1.500000e+00" if element == "f32" else 3, element)
    types = [body.vector(element), element, body.vector("i1")]
    operands = [body.load(0, shape), number, body.all_lanes()]
    body.store(body.op(name, operands, types, [body.vector(element)]), 1, shape)
    with np.errstate(all="ignore"):
        expected = WITH_NUMBER[name](x, x.dtype.type(1.5 if element == "f32" else 3))
    np.testing.assert_array_equal(run_ok(body, [x, np.zeros_like(x)]), expected)


@pytest.mark.parametrize(
    ("name", "sign", "function"),
    [
        ("vshls", "true", lambda x: (x.astype(np.int64) << 5).astype(np.int32)),
        ("vshrs", "true", lambda x: x >> 5),
        ("vshrs", "false", lambda x: (x.view(np.uint32) >> 5).view(np.int32)),
    ],
)
def test_shifts_by_a_number(name, sign, function) -> None:
    body = VectorBody()
    x = sample("i32", 64, 8)
    amount, arithmetic = body.constant(5, "i32"), body.constant(sign, "i1")
    types = [body.vector("i32"), "i32", body.vector("i1"), "i1"]
    operands = [body.load(0, "64xi32"), amount, body.all_lanes(), arithmetic]
    body.store(body.op(name, operands, types, [body.vector("i32")]), 1, "64xi32")
    np.testing.assert_array_equal(run_ok(body, [x, np.zeros_like(x)]), function(x))


def test_a_shift_by_a_vector() -> None:
    body = VectorBody()
    x, amounts = sample("i32", 64, 21), np.arange(64, dtype=np.int32) % 32
    vector, arithmetic = body.vector("i32"), body.constant("true", "i1")
    operands = [body.load(0, "64xi32"), body.load(1, "64xi32"), body.all_lanes(), arithmetic]
    types = [vector, vector, body.vector("i1"), "i1"]
    body.store(body.op("vshr", operands, types, [vector]), 2, "64xi32")
    np.testing.assert_array_equal(run_ok(body, [x, amounts, np.zeros_like(x)]), x >> amounts)


@pytest.mark.parametrize("element", ["f32", "f16", "i32", "i8"])
@pytest.mark.parametrize("kind", COMPARE)
def test_compare_and_select(kind, element) -> None:
    body = VectorBody(FULL_LANES[element])
    shape = f"{body.lanes}x{element}"
    x, y = sample(element, body.lanes, 9), sample(element, body.lanes, 10)
    y[::3] = x[::3]
    a, b = body.load(0, shape), body.load(1, shape)
    vector, predicate = body.vector(element), body.vector("i1")
    mask = body.op(
        "vcmp",
        [a, b, body.first_lanes(30)],
        [vector, vector, predicate],
        [predicate],
        f"cmp = #ave.cmp_type<{kind}>",
    )
    body.store(body.op("vsel", [mask, a, b], [predicate, vector, vector], [vector]), 2, shape)
    wins = COMPARE[kind](x, y) & (np.arange(body.lanes) < 30)
    np.testing.assert_array_equal(run_ok(body, [x, y, np.zeros_like(x)]), np.where(wins, x, y))


def test_logic_of_predicates() -> None:
    body = VectorBody()
    few, many, every = body.first_lanes(10), body.first_lanes(40), body.all_lanes()
    predicate, b8 = body.vector("i1"), "masked_type = #ave.mask_type<b8>"
    three = [predicate] * 3
    both = body.op("preg.and", [few, many, every], three, [predicate], b8)
    either = body.op("preg.or", [few, many, every], three, [predicate], b8)
    one = body.op("preg.xor", [few, many, every], three, [predicate], b8)
    none = body.op("preg.not", [many, every], [predicate] * 2, [predicate], b8)
    total = None
    for number, mask in enumerate((both, either, one, none)):
        value = body.constant(2**number, "i32")
        vector = body.op("broadcast", [value, mask], ["i32", predicate], [body.vector("i32")])
        total = vector if total is None else body.masked("vadd", [total, vector], "i32", every)
    body.store(total, 0, "64xi32")
    lane = np.arange(64)
    expected = (
        1 * (lane < 10) + 2 * (lane < 40) + 4 * ((lane >= 10) & (lane < 40)) + 8 * (lane >= 40)
    )
    np.testing.assert_array_equal(run_ok(body, [np.zeros(64, np.int32)]), expected)


@pytest.mark.parametrize(
    ("pattern", "count"), [("ALL", 64), ("ALLF", 0), ("H", 32), ("Q", 16), ("VL3", 3), ("VL32", 32)]
)
def test_patterns_of_lanes(pattern, count) -> None:
    body = VectorBody()
    one, mask = body.constant(1, "i32"), body.all_lanes(pattern)
    types = ["i32", body.vector("i1")]
    body.store(body.op("broadcast", [one, mask], types, [body.vector("i32")]), 0, "64xi32")
    assert run_ok(body, [np.zeros(64, np.int32)]).tolist() == [1] * count + [0] * (64 - count)


@settings(max_examples=25, deadline=None)
@given(
    active=st.integers(1, 64),
    kind=st.sampled_from(["add", "max", "min"]),
    element=st.sampled_from(["f32", "i32"]),
    seed=st.integers(0, 99),
)
def test_reductions_of_the_lanes_in_use(active, kind, element, seed) -> None:
    body = VectorBody()
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal(64) * 100).astype(DTYPES[element])
    operands = [body.load(0, f"64x{element}"), body.first_lanes(active)]
    types = [body.vector(element), body.vector("i1")]
    result = body.op(
        "reduction", operands, types, [body.vector(element)], f"kind = #ave.kind<{kind}>"
    )
    body.store(result, 1, f"1x{element}", pattern="ONEPT_B32")
    used = x[:active]
    expected = {"add": used.sum(dtype=np.float64), "max": used.max(), "min": used.min()}[kind]
    found = run_ok(body, [x, np.zeros(1, DTYPES[element])])[0]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-3)


CASTS = [
    # op, source, result, lane, properties
    ("vextf", "f16", "f32", "part = #ave.vcvt_part_type<part_even>"),
    ("vextsi", "i8", "i32", "pp = #ave.vcvt_pp_type<pp0>"),
    ("vextsi", "i16", "i32", "part = #ave.vcvt_part_type<part_even>"),
    ("vextsi", "i32", "i64", "part = #ave.vcvt_part_type<part_even>"),
    ("vextui", "i8", "i32", "pp = #ave.vcvt_pp_type<pp0>"),
    ("vtrunci", "i32", "i8", "pp = #ave.vcvt_pp_type<pp0>, sat = false"),
    ("vtrunci", "i32", "i16", "part = #ave.vcvt_part_type<part_even>, sat = false"),
    ("vsitofp", "i32", "f32", "rnd = #hivm.round_mode<rint>"),
    ("vsitofp", "i8", "f16", "part = #ave.vcvt_part_type<part_even>"),
    ("vuitofp", "i8", "f16", "part = #ave.vcvt_part_type<part_even>"),
]


def convert(name, source, result, properties, x) -> np.ndarray:
    body = VectorBody()
    operands = [body.load(0, f"64x{source}"), body.all_lanes()]
    types = [body.vector(source), body.vector("i1")]
    body.store(body.op(name, operands, types, [body.vector(result)], properties), 1, f"64x{result}")
    return run_ok(body, [x, np.zeros(64, DTYPES[result])])


@pytest.mark.parametrize(("name", "source", "result", "properties"), CASTS)
def test_conversions_lane_by_lane(name, source, result, properties) -> None:
    x = sample(source, 64, 11)
    is_unsigned = name in ("vextui", "vuitofp")
    with np.errstate(all="ignore"):
        expected = (x.view(np.uint8) if is_unsigned else x).astype(DTYPES[result])
    np.testing.assert_array_equal(convert(name, source, result, properties, x), expected)


def test_a_float_that_becomes_too_large_is_infinite() -> None:
    x = np.array([65504, 65536, -1e30, 1 / 3] + [np.nan] * 60, np.float32)
    properties = "part = #ave.vcvt_part_type<part_even>, rnd = #hivm.round_mode<rint>, sat = false"
    with np.errstate(all="ignore"):
        expected = x.astype(np.float16)
    np.testing.assert_array_equal(convert("vtruncf", "f32", "f16", properties, x), expected)


def test_a_saturating_conversion_to_integers() -> None:
    x = np.array([1.9, -1.9, 3e9, -3e9, np.nan, np.inf] + [0] * 58, np.float32)
    properties = "rnd = #hivm.round_mode<trunc>, sat = true"
    found = convert("vfptosi", "f32", "i32", properties, x)
    assert found[:6].tolist() == [1, -1, 2**31 - 1, -(2**31), 0, 2**31 - 1]


def test_integers_are_rounded_toward_zero_where_asked() -> None:
    x = np.array([2**24 + 1, -(2**24) - 1, 2**24 + 3, 2**31 - 1, 7] + [0] * 59, np.int32)
    found = convert("vsitofp", "i32", "f32", "rnd = #hivm.round_mode<trunc>", x)
    assert found[:5].tolist() == [2**24, -(2**24), 2**24 + 2, 2**31 - 128, 7]


@pytest.mark.parametrize(
    ("mode", "function"),
    [("floor", np.floor), ("ceil", np.ceil), ("trunc", np.trunc), ("rint", np.rint)],
)
def test_rounding_to_whole_numbers(mode, function) -> None:
    x = sample("f32", 64, 12)
    found = apply("vtrc", [x], "f32", properties=f"rnd = #hivm.round_mode<{mode}>")
    np.testing.assert_array_equal(found, function(x))


def test_the_wide_product() -> None:
    body = VectorBody()
    x, y = sample("i32", 64, 13), sample("i32", 64, 14)
    vector = body.vector("i32")
    operands = [body.load(0, "64xi32"), body.load(1, "64xi32"), body.all_lanes()]
    pack = body.op("mull", operands, [vector, vector, body.vector("i1")], [vector, vector])
    body.store(f"{pack}#1", 2, "64xi32")
    wide = x.astype(np.int64) * y
    np.testing.assert_array_equal(run_ok(body, [x, y, np.zeros_like(x)]), wide >> 32)


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("name", ["vintlv", "vdintlv"])
def test_shuffles_of_two_registers(name, half) -> None:
    body = VectorBody()
    x, y = sample("i32", 64, 15), sample("i32", 64, 16)
    vector = body.vector("i32")
    loads = [body.load(0, "64xi32"), body.load(1, "64xi32")]
    pack = body.op(name, loads, [vector, vector], [vector, vector])
    body.store(f"{pack}#{half}", 2, "64xi32")
    together = np.concatenate([x, y])
    joined = np.stack([x, y], 1).ravel() if name == "vintlv" else None
    expected = joined[half * 64 :][:64] if name == "vintlv" else together[half::2]
    np.testing.assert_array_equal(run_ok(body, [x, y, np.zeros_like(x)]), expected)


@pytest.mark.parametrize(("direction", "step"), [("INCREASE", 1), ("DECREASE", -1)])
def test_running_indices(direction, step) -> None:
    body = VectorBody()
    start = body.constant(100, "i32")
    properties = f"increase_p = #ave.vci_type<{direction}>"
    body.store(body.op("vci", [start], ["i32"], [body.vector("i32")], properties), 0, "64xi32")
    expected = 100 + step * np.arange(64)
    np.testing.assert_array_equal(run_ok(body, [np.zeros(64, np.int32)]), expected)


def test_fills_by_a_number_and_by_the_lowest_lane() -> None:
    body = VectorBody()
    number = body.constant("2.500000e+00", "f32")
    filled = body.op("scalar_broadcast", [number], ["f32"], [body.vector("f32")])
    lowest = body.op(
        "vector_broadcast",
        [body.load(0, "64xf32"), body.first_lanes(20)],
        [body.vector("f32"), body.vector("i1")],
        [body.vector("f32")],
        "low = true",
    )
    body.store(body.masked("vadd", [filled, lowest], "f32", body.all_lanes()), 1, "64xf32")
    x = np.arange(3, 67, dtype=np.float32)
    expected = np.where(np.arange(64) < 20, 5.5, 2.5)
    np.testing.assert_array_equal(run_ok(body, [x, np.zeros(64, np.float32)]), expected)


def test_a_gather_takes_elements_by_their_offsets() -> None:
    body = VectorBody()
    x = sample("f32", 200, 17)
    offsets = np.random.default_rng(18).integers(0, 200, 64).astype(np.int32)
    operands = ["%p0", body.zero, body.load(1, "64xi32"), body.first_lanes(50)]
    types = [f"memref<{shape_of(x)}, #hivm.address_space<ub>>", "index"]
    types += [body.vector("i32"), body.vector("i1")]
    body.store(body.op("vgather", operands, types, [body.vector("f32")]), 2, "64xf32")
    expected = np.where(np.arange(64) < 50, x[offsets], 0)
    np.testing.assert_array_equal(run_ok(body, [x, offsets, np.zeros(64, np.float32)]), expected)


def test_one_element_fills_a_register_and_one_lane_is_stored() -> None:
    body = VectorBody()
    body.store(body.load(0, "64xf32", "BRC_B32"), 1, "7xf32", mask=body.first_lanes(7))
    x = np.arange(5, 69, dtype=np.float32)
    assert run_ok(body, [x, np.zeros(7, np.float32)]).tolist() == [5] * 7
    body = VectorBody()
    body.store(body.load(0, "64xf32"), 1, "1xf32", pattern="ONEPT_B32")
    assert run_ok(body, [x, np.zeros(1, np.float32)]).tolist() == [5]


def test_a_store_leaves_what_its_predicate_leaves_out() -> None:
    body = VectorBody()
    number = body.constant("1.000000e+00", "f32")
    ones = body.op("scalar_broadcast", [number], ["f32"], [body.vector("f32")])
    body.store(body.load(0, "64xf32"), 1, "64xf32")
    body.store(ones, 1, "64xf32", mask=body.first_lanes(9))
    x = sample("f32", 64, 19)
    expected = np.where(np.arange(64) < 9, 1, x)
    np.testing.assert_array_equal(run_ok(body, [x, np.zeros_like(x)]), expected)


def test_lanes_that_nothing_wrote_are_reported_when_they_reach_gm() -> None:
    body = VectorBody()
    body.store(body.load(0, "64xf32"), 1, "64xf32", mask=body.first_lanes(60))
    fault = run(body, [sample("f32", 64), np.zeros(64, np.float32)]).fault
    assert fault is not None and fault.code == "machine.uninitialised_read"


def test_lanes_beyond_a_memref_may_be_loaded_but_not_kept() -> None:
    for active, code in ((40, None), (41, "machine.uninitialised_read")):
        body = VectorBody()
        mask = body.first_lanes(active)
        doubled = body.load(0, "40xf32")
        body.store(body.masked("vadd", [doubled, doubled], "f32", mask), 1, "64xf32")
        x = np.ones(40, np.float32)
        fault = run(body, [x, np.zeros(64, np.float32)]).fault
        assert (fault and fault.code) == code


def test_a_plain_load_needs_an_aligned_address() -> None:
    for access, code in (("", "machine.illegal_operand"), (UNALIGNED, None)):
        body = VectorBody()
        body.zero = body.constant(1, "index")
        vector = body.load(0, "65xf32", annotations=access)
        body.zero = body.constant(0, "index")
        body.store(vector, 1, "64xf32")
        x = sample("f32", 65, 20)
        out = np.zeros(64, np.float32)
        fault = run(body, [x, out]).fault
        assert (fault and fault.code) == code
        if fault is None:
            np.testing.assert_array_equal(out, x[1:])


UNALIGNED = "ave.unaligned_ub_access = #ave.unaligned_ub_access"


def test_a_store_to_any_address_goes_by_count() -> None:
    body = VectorBody()
    x = body.load(0, "64xf32")
    vector, predicate = body.vector("f32"), body.vector("i1")
    odd = body.op(
        "vcmp", [x, x, body.all_lanes()], [vector, vector, predicate], [predicate],
        "cmp = #ave.cmp_type<EQ>",
    )  # fmt: skip
    body.store(x, 1, "64xf32", mask=odd, annotations=UNALIGNED)
    values = np.ones(64, np.float32)
    values[5] = np.nan
    fault = run(body, [values, np.zeros(64, np.float32)]).fault
    assert fault is not None and fault.code == "machine.unsupported_op"


# What is not known is refused when the dump is decoded: op or part of it, its replacement.
DAMAGE = [
    ("ave.hir.vadd", "ave.hir.vsadd"),
    ("ave.hir.vadd", "ave.hir.vadd2"),
    ("= 32 : i32", "= 16 : i32"),
    ("= 32 : i32", "= 64 : i32"),
    ("{element_alignment", "{ave.new_mode, element_alignment"),
    ("<{}> {element_alignment", "<{mode = 1 : i32}> {element_alignment"),
    ("load_dist<NORM>", "load_dist<US_B16>"),
    ("store_dist<NORM_B32>", "store_dist<PK_B32>"),
    ("pge_pattern<ALL>", "pge_pattern<M4>"),
    ("load_dist<NORM>}> {", "load_dist<NORM>}> {functionType = #ave.func_dist_type<dintlv4>, "),
]


@pytest.mark.parametrize(("part", "replacement"), DAMAGE)
def test_what_is_not_known_is_refused_with_its_line(part, replacement) -> None:
    body = VectorBody()
    x = body.load(0, "64xf32")
    body.store(body.masked("vadd", [x, x], "f32", body.all_lanes()), 1, "64xf32")
    text = make_module(body, [np.zeros(64, np.float32)] * 2)
    lines = text.splitlines()
    number = next(number for number, line in enumerate(lines) if part in line and "ave." in line)
    lines[number] = lines[number].replace(part, replacement)
    fault = load_program("\n".join(lines) + "\n")
    assert isinstance(fault, MachineFault)
    assert fault.code == "machine.unsupported_op"
    assert "ave.hir" in fault.op_text and fault.line >= number + 1
