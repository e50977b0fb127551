"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "matmul_infer_task_type_function"}> ({
    %94 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%94) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "matmul"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 64 : index}> : () -> index
    %4 = "arith.constant"() <{value = 32 : index}> : () -> index
    %5 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %6 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 12288 : i64}> : () -> i64
    %15 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x2x16x16xf16, #hivm.address_space<cbuf>>
    %16 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x2x16x16xf16, #hivm.address_space<cbuf>>
    %17 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x4x16x16xf16, #hivm.address_space<cbuf>>
    %18 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x4x16x16xf16, #hivm.address_space<cbuf>>
    "hivm.hir.set_mask_norm"() : () -> ()
    %19 = "hivm.hir.get_block_idx"() : () -> i64
    %20 = "arith.trunci"(%19) : (i64) -> i32
    %21 = "arith.divsi"(%20, %arg11) : (i32, i32) -> i32
    %22 = "arith.remsi"(%21, %arg10) : (i32, i32) -> i32
    %23 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %24 = "arith.divsi"(%20, %23) : (i32, i32) -> i32
    %25 = "arith.remsi"(%24, %arg9) : (i32, i32) -> i32
    %26 = "arith.muli"(%25, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %27 = "arith.muli"(%22, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %28 = "arith.index_cast"(%26) : (i32) -> index
    %29 = "arith.index_cast"(%arg8) : (i32) -> index
    %30 = "arith.index_cast"(%arg6) : (i32) -> index
    %31 = "affine.max"(%28, %30) <{map = affine_map<()[s0, s1] -> (s1, s0)>}> : (index, index) -> index
    %32 = "affine.min"(%31, %28) <{map = affine_map<()[s0, s1] -> (s1 + 64, s0)>}> : (index, index) -> index
    %33 = "affine.min"(%32, %28) <{map = affine_map<()[s0, s1] -> (64, s0 - s1)>}> : (index, index) -> index
    %34 = "arith.cmpi"(%33, %3) <{predicate = 2 : i64}> : (index, index) -> i1
    %35 = "arith.index_cast"(%arg7) : (i32) -> index
    %36 = "arith.index_cast"(%27) : (i32) -> index
    %37 = "affine.max"(%36, %35) <{map = affine_map<()[s0, s1] -> (s1, s0)>}> : (index, index) -> index
    %38 = "affine.min"(%37, %36) <{map = affine_map<()[s0, s1] -> (s1 + 64, s0)>}> : (index, index) -> index
    %39 = "affine.min"(%38, %36) <{map = affine_map<()[s0, s1] -> (64, s0 - s1)>}> : (index, index) -> index
    %40 = "arith.cmpi"(%39, %3) <{predicate = 2 : i64}> : (index, index) -> i1
    %41 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
    %42 = "memref.cast"(%41) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%0, %arg8, %1) ({
    ^bb0(%arg12: i32):
      %50 = "arith.index_cast"(%arg12) : (i32) -> index
      %51 = "affine.apply"(%50) <{map = affine_map<()[s0] -> ((s0 floordiv 32) mod 2)>}> : (index) -> index
      %52 = "arith.index_cast"(%51) : (index) -> i64
      %53 = "arith.cmpi"(%52, %6) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %54 = "arith.select"(%53, %16, %15) : (i1, memref<4x2x16x16xf16, #hivm.address_space<cbuf>>, memref<4x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<4x2x16x16xf16, #hivm.address_space<cbuf>>
      %55 = "arith.index_cast"(%arg12) : (i32) -> index
      %56 = "affine.apply"(%55) <{map = affine_map<()[s0] -> ((s0 floordiv 32) mod 2)>}> : (index) -> index
      %57 = "arith.index_cast"(%56) : (index) -> i64
      %58 = "arith.cmpi"(%57, %6) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %59 = "arith.select"(%58, %18, %17) : (i1, memref<2x4x16x16xf16, #hivm.address_space<cbuf>>, memref<2x4x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x4x16x16xf16, #hivm.address_space<cbuf>>
      %60 = "arith.index_cast"(%arg12) : (i32) -> index
      %61 = "affine.apply"(%60) <{map = affine_map<()[s0] -> (s0 floordiv 32)>}> : (index) -> index
      %62 = "arith.index_cast"(%61) : (index) -> i64
      %63 = "arith.index_cast"(%arg12) : (i32) -> index
      %64 = "affine.apply"(%63) <{map = affine_map<()[s0] -> ((s0 floordiv 32) mod 2)>}> : (index) -> index
      %65 = "arith.index_cast"(%64) : (index) -> i1
      %66 = "arith.select"(%65, %7, %8) : (i1, i64, i64) -> i64
      %67 = "arith.index_cast"(%64) : (index) -> i1
      %68 = "arith.select"(%67, %6, %9) : (i1, i64, i64) -> i64
      %69 = "arith.index_cast"(%arg12) : (i32) -> index
      %70 = "affine.apply"(%69, %28, %29) <{map = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>}> : (index, index, index) -> index
      %71 = "memref.reinterpret_cast"(%arg3, %70, %29) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<64x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %72 = "memref.cast"(%59) : (memref<2x4x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %73 = "affine.max"(%69, %29) <{map = affine_map<()[s0, s1] -> (s1, s0)>}> : (index, index) -> index
      %74 = "affine.min"(%73, %69) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %75 = "affine.min"(%74, %69) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %76 = "arith.cmpi"(%75, %4) <{predicate = 2 : i64}> : (index, index) -> i1
      %77 = "arith.ori"(%34, %76) : (i1, i1) -> i1
      %78 = "memref.subview"(%71, %33, %75) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %79 = "affine.apply"(%33) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %80 = "affine.apply"(%75) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %81 = "memref.subview"(%59, %80, %79) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x4x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %82 = "memref.cast"(%81) : (memref<?x?x16x16xf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%77) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %93 = "memref.collapse_shape"(%59) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x4x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2048xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%5, %93) <{broadcast_dims = array<i64>}> : (f16, memref<2048xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%68) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%78, %82) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %83 = "affine.apply"(%36, %69, %35) <{map = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>}> : (index, index, index) -> index
      %84 = "memref.reinterpret_cast"(%arg4, %83, %35) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<32x64xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %85 = "memref.cast"(%54) : (memref<4x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %86 = "arith.ori"(%76, %40) : (i1, i1) -> i1
      %87 = "memref.subview"(%84, %75, %39) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x64xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %88 = "affine.apply"(%39) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %89 = "memref.subview"(%54, %88, %80) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %90 = "memref.cast"(%89) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%86) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %92 = "memref.collapse_shape"(%54) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2048xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%5, %92) <{broadcast_dims = array<i64>}> : (f16, memref<2048xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%66) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%87, %90) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %91 = "arith.cmpi"(%arg12, %0) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%72, %85, %91, %33, %75, %39, %42, %12, %6, %68, %66, %62, %10, %10) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %43 = "affine.apply"(%36, %28, %35) <{map = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>}> : (index, index, index) -> index
    %44 = "memref.reinterpret_cast"(%arg5, %43, %35) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %45 = "affine.apply"(%33) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
    %46 = "affine.apply"(%39) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
    %47 = "memref.subview"(%41, %46, %45) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[1024, 256, 16, 1]>, #hivm.address_space<cc>>
    %48 = "memref.cast"(%47) : (memref<?x?x16x16xf32, strided<[1024, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>
    %49 = "memref.subview"(%44, %33, %39) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%48, %49) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = true, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIC>} : () -> ()

