"builtin.module"() ({
  "func.func"() <{function_type = (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>, memref<61xf32, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "sum_axis_fused_0_outlined_vf_0"}> ({
  ^bb0(%arg13: memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>, %arg14: memref<61xf32, #hivm.address_space<ub>>):
    %53 = "arith.constant"() <{value = 61 : index}> : () -> index
    %54 = "arith.constant"() <{value = 0 : index}> : () -> index
    %55 = "memref.subview"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<1x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    %56:2 = "ave.hir.plt"(%53) {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>, mask_op_idx = 0 : i32} : (index) -> (vector<64xi1>, index)
    %57 = "memref.subview"(%55) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<1x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<61xf32, strided<[1]>, #hivm.address_space<ub>>
    %58 = "ave.hir.vload"(%57, %54) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<61xf32, strided<[1]>, #hivm.address_space<ub>>, index) -> vector<64xf32>
    %59 = "memref.subview"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 4, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<1x61xf32, strided<[64, 1], offset: 256>, #hivm.address_space<ub>>
    %60 = "memref.subview"(%59) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<1x61xf32, strided<[64, 1], offset: 256>, #hivm.address_space<ub>>) -> memref<61xf32, affine_map<(d0) -> (d0 + 256)>, #hivm.address_space<ub>>
    %61 = "ave.hir.vload"(%60, %54) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<61xf32, affine_map<(d0) -> (d0 + 256)>, #hivm.address_space<ub>>, index) -> vector<64xf32>
    %62 = "ave.hir.vadd"(%58, %61, %56#0) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    "ave.hir.masked_store"(%57, %54, %56#0, %62) <{pattern = #ave.store_dist<NORM_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<61xf32, strided<[1]>, #hivm.address_space<ub>>, index, vector<64xi1>, vector<64xf32>) -> ()
    %63 = "memref.subview"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<1x61xf32, strided<[64, 1], offset: 64>, #hivm.address_space<ub>>
    %64 = "memref.subview"(%63) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<1x61xf32, strided<[64, 1], offset: 64>, #hivm.address_space<ub>>) -> memref<61xf32, affine_map<(d0) -> (d0 + 64)>, #hivm.address_space<ub>>
    %65 = "ave.hir.vload"(%64, %54) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<61xf32, affine_map<(d0) -> (d0 + 64)>, #hivm.address_space<ub>>, index) -> vector<64xf32>
    %66 = "memref.subview"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<1x61xf32, strided<[64, 1], offset: 128>, #hivm.address_space<ub>>
    %67 = "memref.subview"(%66) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<1x61xf32, strided<[64, 1], offset: 128>, #hivm.address_space<ub>>) -> memref<61xf32, affine_map<(d0) -> (d0 + 128)>, #hivm.address_space<ub>>
    %68 = "ave.hir.vload"(%67, %54) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<61xf32, affine_map<(d0) -> (d0 + 128)>, #hivm.address_space<ub>>, index) -> vector<64xf32>
    %69 = "memref.subview"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 3, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<1x61xf32, strided<[64, 1], offset: 192>, #hivm.address_space<ub>>
    %70 = "memref.subview"(%69) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<1x61xf32, strided<[64, 1], offset: 192>, #hivm.address_space<ub>>) -> memref<61xf32, affine_map<(d0) -> (d0 + 192)>, #hivm.address_space<ub>>
    %71 = "ave.hir.vload"(%70, %54) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<61xf32, affine_map<(d0) -> (d0 + 192)>, #hivm.address_space<ub>>, index) -> vector<64xf32>
    %72 = "ave.hir.vadd"(%62, %68, %56#0) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    %73 = "ave.hir.vadd"(%65, %71, %56#0) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    %74 = "ave.hir.vadd"(%72, %73, %56#0) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    %75 = "ave.hir.vload"(%arg14, %54) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<61xf32, #hivm.address_space<ub>>, index) -> vector<64xf32>
    %76 = "ave.hir.vadd"(%74, %75, %56#0) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    "ave.hir.masked_store"(%arg14, %54, %56#0, %76) <{pattern = #ave.store_dist<NORM_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<61xf32, #hivm.address_space<ub>>, index, vector<64xi1>, vector<64xf32>) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{function_type = (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "sum_axis_outlined_vf_0"}> ({
  ^bb0(%arg11: memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>):
    %43 = "arith.constant"() <{value = 61 : index}> : () -> index
    %44 = "arith.constant"() <{value = 0 : index}> : () -> index
    %45 = "arith.constant"() <{value = 5 : index}> : () -> index
    %46 = "arith.constant"() <{value = 1 : index}> : () -> index
    %47 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %48 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %49 = "ave.hir.broadcast"(%47, %48) {element_alignment_bit_width = 32 : i32} : (f32, vector<64xi1>) -> vector<64xf32>
    "scf.for"(%44, %45, %46) ({
    ^bb0(%arg12: index):
      %50 = "memref.subview"(%arg11, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>, index) -> memref<1x61xf32, strided<[64, 1], offset: ?>, #hivm.address_space<ub>>
      %51:2 = "ave.hir.plt"(%43) {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>, mask_op_idx = 0 : i32} : (index) -> (vector<64xi1>, index)
      %52 = "memref.subview"(%50) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<1x61xf32, strided<[64, 1], offset: ?>, #hivm.address_space<ub>>) -> memref<61xf32, affine_map<(d0)[s0] -> (d0 + s0)>, #hivm.address_space<ub>>
      "ave.hir.masked_store"(%52, %44, %51#0, %49) <{pattern = #ave.store_dist<NORM_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>, hivm.is_continuous} : (memref<61xf32, affine_map<(d0)[s0] -> (d0 + s0)>, #hivm.address_space<ub>>, index, vector<64xi1>, vector<64xf32>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{function_type = (memref<61xf32, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "sum_axis_outlined_vf_1"}> ({
  ^bb0(%arg10: memref<61xf32, #hivm.address_space<ub>>):
    %37 = "arith.constant"() <{value = 61 : index}> : () -> index
    %38 = "arith.constant"() <{value = 0 : index}> : () -> index
    %39 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %40 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %41 = "ave.hir.broadcast"(%39, %40) {element_alignment_bit_width = 32 : i32} : (f32, vector<64xi1>) -> vector<64xf32>
    %42:2 = "ave.hir.plt"(%37) {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>, mask_op_idx = 0 : i32} : (index) -> (vector<64xi1>, index)
    "ave.hir.masked_store"(%arg10, %38, %42#0, %41) <{pattern = #ave.store_dist<NORM_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<61xf32, #hivm.address_space<ub>>, index, vector<64xi1>, vector<64xf32>) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32) -> (), sym_name = "sum_axis"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = 1280 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %3 = "arith.constant"() <{value = 61 : index}> : () -> index
    %4 = "arith.constant"() <{value = 0 : index}> : () -> index
    %5 = "arith.constant"() <{value = 5 : index}> : () -> index
    %6 = "arith.constant"() <{value = 5 : i32}> : () -> i32
    "hivm.hir.set_ctrl"() <{enable = false, idx = 60 : i64}> : () -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 48 : i64}> : () -> ()
    %7 = "hivm.hir.get_block_idx"() : () -> i64
    %8 = "arith.trunci"(%7) : (i64) -> i32
    %9 = "arith.remsi"(%8, %arg7) : (i32, i32) -> i32
    %10 = "arith.muli"(%9, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %11 = "arith.index_cast"(%10) : (i32) -> index
    %12 = "arith.index_cast"(%arg6) : (i32) -> index
    %13 = "affine.apply"(%11, %12) <{map = affine_map<()[s0, s1] -> (s0 * s1)>}> : (index, index) -> index
    %14 = "memref.reinterpret_cast"(%arg3, %13, %12) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 5, 61>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<5x61xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %15 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<5x64x1xf32, #hivm.address_space<ub>>
    %16 = "memref.subview"(%15) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 5, 61, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<5x64x1xf32, #hivm.address_space<ub>>) -> memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    %17 = "affine.apply"(%11) <{map = affine_map<()[s0] -> (s0 + 5)>}> : (index) -> index
    %18 = "arith.index_cast"(%arg5) : (i32) -> index
    %19 = "arith.maxsi"(%11, %18) : (index, index) -> index
    %20 = "arith.minsi"(%17, %19) : (index, index) -> index
    %21 = "affine.apply"(%20, %11) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
    %22 = "arith.maxsi"(%12, %4) : (index, index) -> index
    %23 = "arith.minsi"(%22, %3) : (index, index) -> index
    %24 = "arith.minsi"(%21, %5) : (index, index) -> index
    %25 = "arith.minsi"(%23, %3) : (index, index) -> index
    %26 = "arith.cmpi"(%24, %5) <{predicate = 2 : i64}> : (index, index) -> i1
    %27 = "arith.cmpi"(%25, %3) <{predicate = 2 : i64}> : (index, index) -> i1
    %28 = "arith.ori"(%26, %27) : (i1, i1) -> i1
    "scf.if"(%28) ({
      "func.call"(%16) <{callee = @sum_axis_outlined_vf_0, no_inline}> {hivm.vector_function} : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %29 = "memref.subview"(%14, %24, %25) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<5x61xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %30 = "memref.subview"(%16, %24, %25) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>, index, index) -> memref<?x?xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%29, %30, %2, %4) <{eviction_policy = #hivm.eviction_policy<EvictFirst>, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?xf32, strided<[64, 1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %31 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<61xf32, #hivm.address_space<ub>>
    "func.call"(%31) <{callee = @sum_axis_outlined_vf_1, no_inline}> {hivm.vector_function} : (memref<61xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "func.call"(%16, %31) <{callee = @sum_axis_fused_0_outlined_vf_0, no_inline}> {hivm.vector_function} : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>, memref<61xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %32 = "arith.muli"(%9, %arg6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %33 = "arith.index_cast"(%32) : (i32) -> index
    %34 = "memref.reinterpret_cast"(%arg4, %33) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 61>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<61xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %35 = "memref.subview"(%31, %23) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<61xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    %36 = "memref.subview"(%34, %23) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<61xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%35, %36) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 60 : i64}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vf_mode = #hivm.vf_mode<SIMD>, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 64 : i32>, #dlti.dl_entry<"UB_SIZE", 2031616 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 2097152 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>, #dlti.dl_entry<"MINIMAL_D_CACHE_SIZE", 262144 : i32>, #dlti.dl_entry<"MAXIMUM_D_CACHE_SIZE", 983040 : i32>, #dlti.dl_entry<"ARCH", "dav-c310">>>, hacc.target = #hacc.target<"Ascend950PR_9589">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()
