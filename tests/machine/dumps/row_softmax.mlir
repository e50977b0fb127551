"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "row_softmax_infer_task_type_function"}> ({
    %101 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%101) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32, i32, i32) -> (), sym_name = "row_softmax"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = true}> : () -> i1
    %1 = "arith.constant"() <{value = 0 : index}> : () -> index
    %2 = "arith.constant"() <{value = 512 : index}> : () -> index
    %3 = "arith.constant"() <{value = 0xFC00 : f16}> : () -> f16
    %4 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %5 = "arith.constant"() <{value = 3072 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 3104 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 3360 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 3392 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 4416 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 4448 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 1024 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 5472 : i64}> : () -> i64
    %15 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf16, #hivm.address_space<ub>>
    %16 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf16, #hivm.address_space<ub>>
    %17 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf16, #hivm.address_space<ub>>
    %18 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf16, #hivm.address_space<ub>>
    %19 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
    %20 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
    %21 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
    %22 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
    %23 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
    %24 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
    %25 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
    %26 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
    "hivm.hir.set_mask_norm"() : () -> ()
    %27 = "hivm.hir.get_block_idx"() : () -> i64
    %28 = "arith.trunci"(%27) : (i64) -> i32
    %29 = "arith.muli"(%arg9, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %30 = "arith.divsi"(%28, %29) : (i32, i32) -> i32
    %31 = "arith.remsi"(%30, %arg7) : (i32, i32) -> i32
    %32 = "arith.index_cast"(%arg6) : (i32) -> index
    %33 = "affine.max"(%32) <{map = affine_map<()[s0] -> (0, s0)>}> : (index) -> index
    %34 = "affine.min"(%33) <{map = affine_map<()[s0] -> (512, s0)>}> : (index) -> index
    %35 = "arith.cmpi"(%34, %2) <{predicate = 2 : i64}> : (index, index) -> i1
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "scf.for"(%31, %arg5, %arg7) ({
    ^bb0(%arg10: i32):
      %36 = "arith.index_cast"(%arg10) : (i32) -> index
      %37 = "arith.index_cast"(%31) : (i32) -> index
      %38 = "arith.index_cast"(%arg7) : (i32) -> index
      %39 = "affine.apply"(%36, %37, %38) <{map = affine_map<()[s0, s1, s2] -> (((s0 - s1) floordiv s2) mod 2)>}> : (index, index, index) -> index
      %40 = "arith.index_cast"(%39) : (index) -> i64
      %41 = "arith.cmpi"(%40, %10) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %42 = "arith.select"(%41, %16, %15) : (i1, memref<512xf16, #hivm.address_space<ub>>, memref<512xf16, #hivm.address_space<ub>>) -> memref<512xf16, #hivm.address_space<ub>>
      %43 = "arith.index_cast"(%arg10) : (i32) -> index
      %44 = "arith.index_cast"(%31) : (i32) -> index
      %45 = "arith.index_cast"(%arg7) : (i32) -> index
      %46 = "affine.apply"(%43, %44, %45) <{map = affine_map<()[s0, s1, s2] -> (((s0 - s1) floordiv s2) mod 2)>}> : (index, index, index) -> index
      %47 = "arith.index_cast"(%46) : (index) -> i64
      %48 = "arith.cmpi"(%47, %10) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %49 = "arith.select"(%48, %18, %17) : (i1, memref<512xf16, #hivm.address_space<ub>>, memref<512xf16, #hivm.address_space<ub>>) -> memref<512xf16, #hivm.address_space<ub>>
      %50 = "arith.index_cast"(%arg10) : (i32) -> index
      %51 = "arith.index_cast"(%31) : (i32) -> index
      %52 = "arith.index_cast"(%arg7) : (i32) -> index
      %53 = "affine.apply"(%50, %51, %52) <{map = affine_map<()[s0, s1, s2] -> (((s0 - s1) floordiv s2) mod 2)>}> : (index, index, index) -> index
      %54 = "arith.index_cast"(%53) : (index) -> i64
      %55 = "arith.cmpi"(%54, %10) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %56 = "arith.select"(%55, %20, %19) : (i1, memref<512xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
      %57 = "arith.index_cast"(%arg10) : (i32) -> index
      %58 = "arith.index_cast"(%31) : (i32) -> index
      %59 = "arith.index_cast"(%arg7) : (i32) -> index
      %60 = "affine.apply"(%57, %58, %59) <{map = affine_map<()[s0, s1, s2] -> (((s0 - s1) floordiv s2) mod 2)>}> : (index, index, index) -> index
      %61 = "arith.index_cast"(%60) : (index) -> i64
      %62 = "arith.cmpi"(%61, %10) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %63 = "arith.select"(%62, %22, %21) : (i1, memref<512xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
      %64 = "arith.index_cast"(%arg10) : (i32) -> index
      %65 = "arith.index_cast"(%31) : (i32) -> index
      %66 = "arith.index_cast"(%arg7) : (i32) -> index
      %67 = "affine.apply"(%64, %65, %66) <{map = affine_map<()[s0, s1, s2] -> (((s0 - s1) floordiv s2) mod 2)>}> : (index, index, index) -> index
      %68 = "arith.index_cast"(%67) : (index) -> i64
      %69 = "arith.cmpi"(%68, %10) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %70 = "arith.select"(%69, %24, %23) : (i1, memref<512xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
      %71 = "arith.index_cast"(%arg10) : (i32) -> index
      %72 = "arith.index_cast"(%31) : (i32) -> index
      %73 = "arith.index_cast"(%arg7) : (i32) -> index
      %74 = "affine.apply"(%71, %72, %73) <{map = affine_map<()[s0, s1, s2] -> (((s0 - s1) floordiv s2) mod 2)>}> : (index, index, index) -> index
      %75 = "arith.index_cast"(%74) : (index) -> i64
      %76 = "arith.cmpi"(%75, %10) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %77 = "arith.select"(%76, %26, %25) : (i1, memref<512xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
      %78 = "arith.index_cast"(%arg10) : (i32) -> index
      %79 = "arith.index_cast"(%31) : (i32) -> index
      %80 = "arith.index_cast"(%arg7) : (i32) -> index
      %81 = "affine.apply"(%78, %79, %80) <{map = affine_map<()[s0, s1, s2] -> (((s0 - s1) floordiv s2) mod 2)>}> : (index, index, index) -> index
      %82 = "arith.index_cast"(%81) : (index) -> i1
      %83 = "arith.xori"(%82, %0) : (i1, i1) -> i1
      %84 = "arith.extui"(%83) : (i1) -> i64
      %85 = "arith.muli"(%arg10, %arg6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %86 = "arith.index_cast"(%85) : (i32) -> index
      %87 = "memref.reinterpret_cast"(%arg3, %86) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 512>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<512xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %88 = "memref.subview"(%87, %34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<512xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %89 = "memref.subview"(%49, %34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<512xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
      "scf.if"(%35) ({
        "hivm.hir.vbrc"(%3, %49) <{broadcast_dims = array<i64>}> : (f16, memref<512xf16, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.load"(%88, %89, %3, %1) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, f16, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.wait_flag"(%84) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%49, %56) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<512xf16, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
      %90 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      %91 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%56, %90, %91) <{arith = #hivm.reduce_op<max>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<512xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %92 = "memref.load"(%90, %1) <{nontemporal = false}> : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %93 = "arith.subf"(%4, %92) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "hivm.hir.vadd"(%56, %93, %63) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<512xf32, #hivm.address_space<ub>>, f32, memref<512xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%63, %70) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<512xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
      %94 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      %95 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%70, %94, %95) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<512xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %96 = "memref.load"(%94, %1) <{nontemporal = false}> : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %97 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.vdiv"(%70, %96, %77, %97) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<512xf32, #hivm.address_space<ub>>, f32, memref<512xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %98 = "memref.reinterpret_cast"(%arg4, %86) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 512>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<512xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%77, %42) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<512xf32, #hivm.address_space<ub>>, memref<512xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %99 = "memref.subview"(%42, %34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<512xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
      %100 = "memref.subview"(%98, %34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<512xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%99, %100) <{may_implicit_transpose_with_last_axis = false}> : (memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"(%84) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = true, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

