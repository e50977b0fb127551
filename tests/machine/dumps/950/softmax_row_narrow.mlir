"builtin.module"() ({
  "func.func"() <{function_type = (memref<64xf32, #hivm.address_space<ub>>, memref<f32, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "softmax_row_fused_0_outlined_vf_0"}> ({
  ^bb0(%arg18: memref<64xf32, #hivm.address_space<ub>>, %arg19: memref<f32, #hivm.address_space<ub>>):
    %60 = "arith.constant"() <{value = 0 : index}> : () -> index
    %61 = "arith.constant"() <{value = 2147483647 : i32}> : () -> i32
    %62 = "arith.constant"() <{value = -2139095040 : i32}> : () -> i32
    %63 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %64 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %65 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %66 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %67 = "ave.hir.broadcast"(%65, %66) {element_alignment_bit_width = 32 : i32} : (f32, vector<64xi1>) -> vector<64xf32>
    %68 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %69 = "ave.hir.broadcast"(%64, %68) {element_alignment_bit_width = 32 : i32} : (i32, vector<64xi1>) -> vector<64xi32>
    %70 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %71 = "ave.hir.broadcast"(%61, %70) {element_alignment_bit_width = 32 : i32} : (i32, vector<64xi1>) -> vector<64xi32>
    %72 = "ave.hir.vload"(%arg18, %60) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<64xf32, #hivm.address_space<ub>>, index) -> vector<64xf32>
    %73 = "ave.hir.vload"(%arg19) <{pattern = #ave.load_dist<BRC_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<f32, #hivm.address_space<ub>>) -> vector<1xf32>
    %74 = "builtin.unrealized_conversion_cast"(%73) : (vector<1xf32>) -> vector<f32>
    %75 = "vector.bitcast"(%72) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>) -> vector<64xi32>
    %76 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %77 = "ave.hir.vand"(%75, %71, %76) {element_alignment_bit_width = 32 : i32} : (vector<64xi32>, vector<64xi32>, vector<64xi1>) -> vector<64xi32>
    %78 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %79 = "ave.hir.vadds"(%77, %62, %78) {element_alignment_bit_width = 32 : i32} : (vector<64xi32>, i32, vector<64xi1>) -> vector<64xi32>
    %80 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %81 = "ave.hir.vsmins"(%79, %63, %80) {element_alignment_bit_width = 32 : i32} : (vector<64xi32>, i32, vector<64xi1>) -> vector<64xi32>
    %82 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %83 = "ave.hir.vsmaxs"(%81, %64, %82) {element_alignment_bit_width = 32 : i32} : (vector<64xi32>, i32, vector<64xi1>) -> vector<64xi32>
    %84 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %85 = "ave.hir.vcmp"(%83, %69, %84) <{cmp = #ave.cmp_type<NE>}> {element_alignment_bit_width = 32 : i32} : (vector<64xi32>, vector<64xi32>, vector<64xi1>) -> vector<64xi1>
    %86 = "ave.hir.vsel"(%85, %67, %72) {element_alignment_bit_width = 32 : i32} : (vector<64xi1>, vector<64xf32>, vector<64xf32>) -> vector<64xf32>
    %87 = "builtin.unrealized_conversion_cast"(%74) : (vector<f32>) -> f32
    %88 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %89 = "builtin.unrealized_conversion_cast"(%87) : (f32) -> vector<1xf32>
    %90 = "builtin.unrealized_conversion_cast"(%89) : (vector<1xf32>) -> vector<64xf32>
    %91 = "ave.hir.reduction"(%86, %88) <{kind = #ave.kind<max>}> {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    %92 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %93 = "ave.hir.vmax"(%90, %91, %92) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    %94 = "builtin.unrealized_conversion_cast"(%93) : (vector<64xf32>) -> vector<1xf32>
    %95 = "builtin.unrealized_conversion_cast"(%94) : (vector<1xf32>) -> f32
    %96 = "builtin.unrealized_conversion_cast"(%95) : (f32) -> vector<f32>
    %97 = "builtin.unrealized_conversion_cast"(%96) : (vector<f32>) -> vector<1xf32>
    %98 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<1xi1>
    "ave.hir.masked_store"(%arg19, %98, %97) <{pattern = #ave.store_dist<ONEPT_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<f32, #hivm.address_space<ub>>, vector<1xi1>, vector<1xf32>) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{function_type = (memref<64xf32, #hivm.address_space<ub>>, memref<f32, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "softmax_row_fused_1_outlined_vf_0"}> ({
  ^bb0(%arg15: memref<64xf32, #hivm.address_space<ub>>, %arg16: memref<f32, #hivm.address_space<ub>>, %arg17: memref<64xf32, #hivm.address_space<ub>>):
    %54 = "arith.constant"() <{value = 0 : index}> : () -> index
    %55 = "ave.hir.vload"(%arg15, %54) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<64xf32, #hivm.address_space<ub>>, index) -> vector<64xf32>
    %56 = "ave.hir.vload"(%arg16) <{pattern = #ave.load_dist<BRC_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<f32, #hivm.address_space<ub>>) -> vector<64xf32>
    %57 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %58 = "ave.hir.vexpdif"(%55, %56, %57) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    %59 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    "ave.hir.masked_store"(%arg17, %54, %59, %58) <{pattern = #ave.store_dist<NORM_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<64xf32, #hivm.address_space<ub>>, index, vector<64xi1>, vector<64xf32>) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{function_type = (memref<64xf32, #hivm.address_space<ub>>, memref<f32, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "softmax_row_fused_1_outlined_vf_1"}> ({
  ^bb0(%arg13: memref<64xf32, #hivm.address_space<ub>>, %arg14: memref<f32, #hivm.address_space<ub>>):
    %38 = "arith.constant"() <{value = 0 : index}> : () -> index
    %39 = "ave.hir.vload"(%arg13, %38) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<64xf32, #hivm.address_space<ub>>, index) -> vector<64xf32>
    %40 = "ave.hir.vload"(%arg14) <{pattern = #ave.load_dist<BRC_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<f32, #hivm.address_space<ub>>) -> vector<1xf32>
    %41 = "builtin.unrealized_conversion_cast"(%40) : (vector<1xf32>) -> vector<f32>
    %42 = "builtin.unrealized_conversion_cast"(%41) : (vector<f32>) -> f32
    %43 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %44 = "builtin.unrealized_conversion_cast"(%42) : (f32) -> vector<1xf32>
    %45 = "builtin.unrealized_conversion_cast"(%44) : (vector<1xf32>) -> vector<64xf32>
    %46 = "ave.hir.reduction"(%39, %43) <{kind = #ave.kind<add>}> {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    %47 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %48 = "ave.hir.vadd"(%45, %46, %47) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    %49 = "builtin.unrealized_conversion_cast"(%48) : (vector<64xf32>) -> vector<1xf32>
    %50 = "builtin.unrealized_conversion_cast"(%49) : (vector<1xf32>) -> f32
    %51 = "builtin.unrealized_conversion_cast"(%50) : (f32) -> vector<f32>
    %52 = "builtin.unrealized_conversion_cast"(%51) : (vector<f32>) -> vector<1xf32>
    %53 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<1xi1>
    "ave.hir.masked_store"(%arg14, %53, %52) <{pattern = #ave.store_dist<ONEPT_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<f32, #hivm.address_space<ub>>, vector<1xi1>, vector<1xf32>) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{function_type = (memref<64xf32, #hivm.address_space<ub>>, memref<f32, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "softmax_row_fused_2_outlined_vf_0"}> ({
  ^bb0(%arg10: memref<64xf32, #hivm.address_space<ub>>, %arg11: memref<f32, #hivm.address_space<ub>>, %arg12: memref<64xf32, #hivm.address_space<ub>>):
    %32 = "arith.constant"() <{value = 0 : index}> : () -> index
    %33 = "ave.hir.vload"(%arg10, %32) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<64xf32, #hivm.address_space<ub>>, index) -> vector<64xf32>
    %34 = "ave.hir.vload"(%arg11) <{pattern = #ave.load_dist<BRC_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<f32, #hivm.address_space<ub>>) -> vector<64xf32>
    %35 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %36 = "ave.hir.vdiv"(%33, %34, %35) <{cast = #hivm.cast<cast_signed>}> {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xf32>, vector<64xi1>) -> vector<64xf32>
    %37 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    "ave.hir.masked_store"(%arg12, %32, %37, %36) <{pattern = #ave.store_dist<NORM_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<64xf32, #hivm.address_space<ub>>, index, vector<64xi1>, vector<64xf32>) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{function_type = (memref<64xf32, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "softmax_row_outlined_vf_0"}> ({
  ^bb0(%arg9: memref<64xf32, #hivm.address_space<ub>>):
    %27 = "arith.constant"() <{value = 0 : index}> : () -> index
    %28 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %29 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %30 = "ave.hir.broadcast"(%28, %29) {element_alignment_bit_width = 32 : i32} : (f32, vector<64xi1>) -> vector<64xf32>
    %31 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    "ave.hir.masked_store"(%arg9, %27, %31, %30) <{pattern = #ave.store_dist<NORM_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<64xf32, #hivm.address_space<ub>>, index, vector<64xi1>, vector<64xf32>) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "softmax_row"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 288 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 256 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %4 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %5 = "arith.constant"() <{value = 64 : index}> : () -> index
    %6 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_ctrl"() <{enable = false, idx = 60 : i64}> : () -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 48 : i64}> : () -> ()
    %7 = "hivm.hir.get_block_idx"() : () -> i64
    %8 = "arith.trunci"(%7) : (i64) -> i32
    %9 = "arith.remsi"(%8, %arg6) : (i32, i32) -> i32
    %10 = "arith.muli"(%9, %arg5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %11 = "arith.index_cast"(%10) : (i32) -> index
    %12 = "memref.reinterpret_cast"(%arg3, %11) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %13 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
    %14 = "arith.index_cast"(%arg5) : (i32) -> index
    %15 = "arith.maxsi"(%14, %6) : (index, index) -> index
    %16 = "arith.minsi"(%15, %5) : (index, index) -> index
    %17 = "arith.cmpi"(%16, %5) <{predicate = 2 : i64}> : (index, index) -> i1
    "scf.if"(%17) ({
      "func.call"(%13) <{callee = @softmax_row_outlined_vf_0, no_inline}> {hivm.vector_function} : (memref<64xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %18 = "memref.subview"(%12, %16) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %19 = "memref.subview"(%13, %16) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%18, %19, %4, %6) <{eviction_policy = #hivm.eviction_policy<EvictFirst>, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %20 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<f32, #hivm.address_space<ub>>
    "memref.store"(%4, %20) <{nontemporal = false}> : (f32, memref<f32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "func.call"(%13, %20) <{callee = @softmax_row_fused_0_outlined_vf_0, no_inline}> {hivm.vector_function} : (memref<64xf32, #hivm.address_space<ub>>, memref<f32, #hivm.address_space<ub>>) -> ()
    %21 = "memref.reinterpret_cast"(%arg4, %11) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %22 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<f32, #hivm.address_space<ub>>
    %23 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
    "func.call"(%13, %20, %23) <{callee = @softmax_row_fused_1_outlined_vf_0, no_inline}> {hivm.vector_function} : (memref<64xf32, #hivm.address_space<ub>>, memref<f32, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>) -> ()
    "memref.store"(%3, %22) <{nontemporal = false}> : (f32, memref<f32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "func.call"(%23, %22) <{callee = @softmax_row_fused_1_outlined_vf_1, no_inline}> {hivm.vector_function} : (memref<64xf32, #hivm.address_space<ub>>, memref<f32, #hivm.address_space<ub>>) -> ()
    %24 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
    "func.call"(%23, %22, %24) <{callee = @softmax_row_fused_2_outlined_vf_0, no_inline}> {hivm.vector_function} : (memref<64xf32, #hivm.address_space<ub>>, memref<f32, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %25 = "memref.subview"(%24, %16) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    %26 = "memref.subview"(%21, %16) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%25, %26) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 60 : i64}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vf_mode = #hivm.vf_mode<SIMD>, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 64 : i32>, #dlti.dl_entry<"UB_SIZE", 2031616 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 2097152 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>, #dlti.dl_entry<"MINIMAL_D_CACHE_SIZE", 262144 : i32>, #dlti.dl_entry<"MAXIMUM_D_CACHE_SIZE", 983040 : i32>, #dlti.dl_entry<"ARCH", "dav-c310">>>, hacc.target = #hacc.target<"Ascend950PR_9589">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()
