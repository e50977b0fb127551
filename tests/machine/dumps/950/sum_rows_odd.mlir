"builtin.module"() ({
  "func.func"() <{function_type = (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "sum_axis_outlined_vf_0"}> ({
  ^bb0(%arg13: memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>):
    %55 = "arith.constant"() <{value = 61 : index}> : () -> index
    %56 = "arith.constant"() <{value = 0 : index}> : () -> index
    %57 = "arith.constant"() <{value = 5 : index}> : () -> index
    %58 = "arith.constant"() <{value = 1 : index}> : () -> index
    %59 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %60 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %61 = "ave.hir.broadcast"(%59, %60) {element_alignment_bit_width = 32 : i32} : (f32, vector<64xi1>) -> vector<64xf32>
    "scf.for"(%56, %57, %58) ({
    ^bb0(%arg14: index):
      %62 = "memref.subview"(%arg13, %arg14) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>, index) -> memref<1x61xf32, strided<[64, 1], offset: ?>, #hivm.address_space<ub>>
      %63:2 = "ave.hir.plt"(%55) {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>, mask_op_idx = 0 : i32} : (index) -> (vector<64xi1>, index)
      %64 = "memref.subview"(%62) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<1x61xf32, strided<[64, 1], offset: ?>, #hivm.address_space<ub>>) -> memref<61xf32, affine_map<(d0)[s0] -> (d0 + s0)>, #hivm.address_space<ub>>
      "ave.hir.masked_store"(%64, %56, %63#0, %61) <{pattern = #ave.store_dist<NORM_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>, hivm.is_continuous} : (memref<61xf32, affine_map<(d0)[s0] -> (d0 + s0)>, #hivm.address_space<ub>>, index, vector<64xi1>, vector<64xf32>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{function_type = (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>, memref<5xf32, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "sum_axis_outlined_vf_1"}> ({
  ^bb0(%arg10: memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>, %arg11: memref<5xf32, #hivm.address_space<ub>>):
    %35 = "arith.constant"() <{value = 61 : index}> : () -> index
    %36 = "arith.constant"() <{value = 0 : index}> : () -> index
    %37 = "arith.constant"() <{value = 5 : index}> : () -> index
    %38 = "arith.constant"() <{value = 1 : index}> : () -> index
    %39 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %40 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
    %41 = "ave.hir.broadcast"(%39, %40) {element_alignment_bit_width = 32 : i32} : (f32, vector<64xi1>) -> vector<64xf32>
    "scf.for"(%36, %37, %38) ({
    ^bb0(%arg12: index):
      %42 = "memref.subview"(%arg11, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (memref<5xf32, #hivm.address_space<ub>>, index) -> memref<1xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %43 = "memref.subview"(%arg10, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>, index) -> memref<1x61xf32, strided<[64, 1], offset: ?>, #hivm.address_space<ub>>
      %44:2 = "ave.hir.plt"(%35) {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : (index) -> (vector<64xi1>, index)
      %45 = "memref.subview"(%43) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 61>, static_strides = array<i64: 1, 1>}> : (memref<1x61xf32, strided<[64, 1], offset: ?>, #hivm.address_space<ub>>) -> memref<61xf32, affine_map<(d0)[s0] -> (d0 + s0)>, #hivm.address_space<ub>>
      %46 = "ave.hir.vload"(%45, %36) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>} : (memref<61xf32, affine_map<(d0)[s0] -> (d0 + s0)>, #hivm.address_space<ub>>, index) -> vector<64xf32>
      %47 = "ave.hir.vsel"(%44#0, %46, %41) {element_alignment_bit_width = 32 : i32} : (vector<64xi1>, vector<64xf32>, vector<64xf32>) -> vector<64xf32>
      %48 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
      %49 = "ave.hir.vadds"(%47, %39, %48) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, f32, vector<64xi1>) -> vector<64xf32>
      %50 = "memref.subview"(%42) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (memref<1xf32, strided<[1], offset: ?>, #hivm.address_space<ub>>) -> memref<f32, strided<[], offset: ?>, #hivm.address_space<ub>>
      %51 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
      %52 = "ave.hir.reduction"(%49, %51) <{kind = #ave.kind<add>}> {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xi1>) -> vector<64xf32>
      %53 = "builtin.unrealized_conversion_cast"(%52) : (vector<64xf32>) -> vector<1xf32>
      %54 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<1xi1>
      "ave.hir.masked_store"(%50, %54, %53) <{pattern = #ave.store_dist<ONEPT_B32>}> {ave.unaligned_ub_access = #ave.unaligned_ub_access, element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<norm>, hivm.is_continuous} : (memref<f32, strided<[], offset: ?>, #hivm.address_space<ub>>, vector<1xi1>, vector<1xf32>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
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
    %31 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<5xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "func.call"(%16, %31) <{callee = @sum_axis_outlined_vf_1, no_inline}> {hivm.vector_function} : (memref<5x61xf32, strided<[64, 1]>, #hivm.address_space<ub>>, memref<5xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %32 = "memref.reinterpret_cast"(%arg4, %11) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 5>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<5xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %33 = "memref.subview"(%31, %21) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<5xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    %34 = "memref.subview"(%32, %21) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<5xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%33, %34) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 60 : i64}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vf_mode = #hivm.vf_mode<SIMD>, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 64 : i32>, #dlti.dl_entry<"UB_SIZE", 2031616 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 2097152 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>, #dlti.dl_entry<"MINIMAL_D_CACHE_SIZE", 262144 : i32>, #dlti.dl_entry<"MAXIMUM_D_CACHE_SIZE", 983040 : i32>, #dlti.dl_entry<"ARCH", "dav-c310">>>, hacc.target = #hacc.target<"Ascend950PR_9589">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()
