"builtin.module"() ({
  "func.func"() <{function_type = (memref<64x64xf16, #hivm.address_space<ub>>, memref<64x64xf16, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "multiply_exponential_fused_0_outlined_vf_0"}> ({
  ^bb0(%arg18: memref<64x64xf16, #hivm.address_space<ub>>, %arg19: memref<64x64xf16, #hivm.address_space<ub>>):
    %28 = "arith.constant"() <{value = 1 : index}> : () -> index
    %29 = "arith.constant"() <{value = 64 : index}> : () -> index
    %30 = "arith.constant"() <{value = 0 : index}> : () -> index
    "scf.for"(%30, %29, %28) ({
    ^bb0(%arg20: index):
      %31 = "memref.subview"(%arg18, %arg20) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf16, #hivm.address_space<ub>>, index) -> memref<1x64xf16, strided<[64, 1], offset: ?>, #hivm.address_space<ub>>
      %32 = "memref.subview"(%arg19, %arg20) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf16, #hivm.address_space<ub>>, index) -> memref<1x64xf16, strided<[64, 1], offset: ?>, #hivm.address_space<ub>>
      %33 = "memref.subview"(%31) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 64>, static_strides = array<i64: 1, 1>}> : (memref<1x64xf16, strided<[64, 1], offset: ?>, #hivm.address_space<ub>>) -> memref<64xf16, affine_map<(d0)[s0] -> (d0 + s0)>, #hivm.address_space<ub>>
      %34 = "ave.hir.vload"(%33, %30) <{pattern = #ave.load_dist<UNPK_B16>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pk>} : (memref<64xf16, affine_map<(d0)[s0] -> (d0 + s0)>, #hivm.address_space<ub>>, index) -> vector<64xf16>
      %35 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
      %36 = "ave.hir.vextf"(%34, %35) <{part = #ave.vcvt_part_type<part_even>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<even>} : (vector<64xf16>, vector<64xi1>) -> vector<64xf32>
      %37 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
      %38 = "ave.hir.vexp"(%36, %37) {element_alignment_bit_width = 32 : i32} : (vector<64xf32>, vector<64xi1>) -> vector<64xf32>
      %39 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
      %40 = "ave.hir.vtruncf"(%38, %39) <{part = #ave.vcvt_part_type<part_even>, rnd = #hivm.round_mode<rint>, sat = false}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<even>} : (vector<64xf32>, vector<64xi1>) -> vector<64xf16>
      %41 = "memref.subview"(%32) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 64>, static_strides = array<i64: 1, 1>}> : (memref<1x64xf16, strided<[64, 1], offset: ?>, #hivm.address_space<ub>>) -> memref<64xf16, affine_map<(d0)[s0] -> (d0 + s0)>, #hivm.address_space<ub>>
      %42 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pb32>} : () -> vector<64xi1>
      "ave.hir.masked_store"(%41, %30, %42, %40) <{pattern = #ave.store_dist<PK_B32>}> {element_alignment_bit_width = 32 : i32, functionType = #ave.func_dist_type<pk>, hivm.is_continuous} : (memref<64xf16, affine_map<(d0)[s0] -> (d0 + s0)>, #hivm.address_space<ub>>, index, vector<64xi1>, vector<64xf16>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "multiply_exponential_mix_aic"}> ({
  ^bb0(%arg9: i64, %arg10: memref<?xi8, #hivm.address_space<gm>>, %arg11: memref<?xi8, #hivm.address_space<gm>>, %arg12: memref<?xf16, #hivm.address_space<gm>>, %arg13: memref<?xf16, #hivm.address_space<gm>>, %arg14: memref<?xf32, #hivm.address_space<gm>>, %arg15: i32, %arg16: i32, %arg17: i32):
    %16 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %18 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %19 = "arith.constant"() <{value = 64 : index}> : () -> index
    %20 = "arith.constant"() <{value = true}> : () -> i1
    "hivm.hir.set_ctrl"() <{enable = false, idx = 60 : i64}> : () -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 48 : i64}> : () -> ()
    %21 = "memref.reinterpret_cast"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf16, #hivm.address_space<gm>>) -> memref<64x64xf16, strided<[64, 1]>, #hivm.address_space<gm>>
    %22 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf16, #hivm.address_space<cbuf>>
    %23 = "memref.cast"(%22) : (memref<4x4x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
    "hivm.hir.nd2nz"(%21, %23) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x64xf16, strided<[64, 1]>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    %24 = "memref.reinterpret_cast"(%arg14) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<64x64xf32, strided<[64, 1]>, #hivm.address_space<gm>>
    %25 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf16, #hivm.address_space<cbuf>>
    %26 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
    %27 = "memref.cast"(%26) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_MTE1>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.mmadL1"(%25, %23, %20, %19, %19, %19, %27, %16, %17, %16, %16, %16, %16, %16) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {already_set_real_mkn, fixpipe_for_result_already_inserted = true, normalized_in_L0C} : (memref<4x4x16x16xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%26, %24) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4x4x16x16xf32, #hivm.address_space<cc>>, memref<64x64xf32, strided<[64, 1]>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 60 : i64}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.vf_mode = #hivm.vf_mode<SIMD>, parallel_mode = "simd"} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "multiply_exponential_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_ctrl"() <{enable = false, idx = 60 : i64}> : () -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 48 : i64}> : () -> ()
    %3 = "memref.reinterpret_cast"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf16, #hivm.address_space<gm>>) -> memref<64x64xf16, strided<[64, 1]>, #hivm.address_space<gm>>
    %4 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x64xf16, #hivm.address_space<ub>>
    %5 = "memref.collapse_shape"(%3) <{reassociation = [[0, 1]]}> : (memref<64x64xf16, strided<[64, 1]>, #hivm.address_space<gm>>) -> memref<4096xf16, strided<[1]>, #hivm.address_space<gm>>
    %6 = "memref.collapse_shape"(%4) <{reassociation = [[0, 1]]}> : (memref<64x64xf16, #hivm.address_space<ub>>) -> memref<4096xf16, #hivm.address_space<ub>>
    "hivm.hir.load"(%5, %6) <{eviction_policy = #hivm.eviction_policy<EvictFirst>, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<4096xf16, strided<[1]>, #hivm.address_space<gm>>, memref<4096xf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %7 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x64xf16, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "func.call"(%4, %7) <{callee = @multiply_exponential_fused_0_outlined_vf_0, no_inline}> {hivm.vector_function} : (memref<64x64xf16, #hivm.address_space<ub>>, memref<64x64xf16, #hivm.address_space<ub>>) -> ()
    %8 = "memref.expand_shape"(%7) <{reassociation = [[0], [1, 2]], static_output_shape = array<i64: 64, 4, 16>}> : (memref<64x64xf16, #hivm.address_space<ub>>) -> memref<64x4x16xf16, #hivm.address_space<ub>>
    %9 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x64x16xf16, #hivm.address_space<ub>>
    "hivm.hir.vtranspose"(%8, %9) <{permutation = array<i64: 1, 0, 2>}> : (memref<64x4x16xf16, #hivm.address_space<ub>>, memref<4x64x16xf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %10 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf16, #hivm.address_space<cbuf>>
    %11 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %12 = "arith.index_cast"(%11) : (i64) -> index
    %13 = "arith.cmpi"(%12, %2) <{predicate = 0 : i64}> : (index, index) -> i1
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "scf.if"(%13) ({
      %14 = "memref.collapse_shape"(%9) <{reassociation = [[0, 1, 2]]}> : (memref<4x64x16xf16, #hivm.address_space<ub>>) -> memref<4096xf16, #hivm.address_space<ub>>
      %15 = "memref.collapse_shape"(%10) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x4x16x16xf16, #hivm.address_space<cbuf>>) -> memref<4096xf16, #hivm.address_space<cbuf>>
      "hivm.hir.copy"(%14, %15) {"inserted-copy"} : (memref<4096xf16, #hivm.address_space<ub>>, memref<4096xf16, #hivm.address_space<cbuf>>) -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {limit_sub_block_id0} : (i1) -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_MTE1>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 60 : i64}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.vf_mode = #hivm.vf_mode<SIMD>, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 64 : i32>, #dlti.dl_entry<"UB_SIZE", 2031616 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 2097152 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>, #dlti.dl_entry<"MINIMAL_D_CACHE_SIZE", 262144 : i32>, #dlti.dl_entry<"MAXIMUM_D_CACHE_SIZE", 983040 : i32>, #dlti.dl_entry<"ARCH", "dav-c310">>>, hacc.target = #hacc.target<"Ascend950PR_9589">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()
