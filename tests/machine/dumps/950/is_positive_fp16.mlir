"builtin.module"() ({
  "func.func"() <{function_type = (memref<512xf16, #hivm.address_space<ub>>, memref<512xi8, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "is_positive_fused_0_outlined_vf_0"}> ({
  ^bb0(%arg11: memref<512xf16, #hivm.address_space<ub>>, %arg12: memref<512xi8, #hivm.address_space<ub>>):
    %32 = "arith.constant"() <{value = 0 : index}> : () -> index
    %33 = "arith.constant"() <{value = 512 : index}> : () -> index
    %34 = "arith.constant"() <{value = 128 : index}> : () -> index
    %35 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %36 = "arith.constant"() <{value = 0 : i8}> : () -> i8
    %37 = "arith.constant"() <{value = 1 : i8}> : () -> i8
    %38 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
    %39 = "ave.hir.broadcast"(%37, %38) {element_alignment_bit_width = 16 : i32} : (i8, vector<128xi1>) -> vector<128xi8>
    %40 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
    %41 = "ave.hir.broadcast"(%36, %40) {element_alignment_bit_width = 16 : i32} : (i8, vector<128xi1>) -> vector<128xi8>
    %42 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
    %43 = "ave.hir.broadcast"(%35, %42) {element_alignment_bit_width = 16 : i32} : (f16, vector<128xi1>) -> vector<128xf16>
    "scf.for"(%32, %33, %34) ({
    ^bb0(%arg13: index):
      %44 = "memref.subview"(%arg11, %arg13) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<512xf16, #hivm.address_space<ub>>, index) -> memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %45 = "memref.subview"(%arg12, %arg13) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<512xi8, #hivm.address_space<ub>>, index) -> memref<128xi8, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %46 = "ave.hir.vload"(%44, %32) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<norm>} : (memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>, index) -> vector<128xf16>
      %47 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
      %48 = "ave.hir.vcmp"(%46, %43, %47) <{cmp = #ave.cmp_type<GT>}> {element_alignment_bit_width = 16 : i32} : (vector<128xf16>, vector<128xf16>, vector<128xi1>) -> vector<128xi1>
      %49 = "ave.hir.vsel"(%48, %39, %41) {element_alignment_bit_width = 16 : i32} : (vector<128xi1>, vector<128xi8>, vector<128xi8>) -> vector<128xi8>
      %50 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
      "ave.hir.masked_store"(%45, %32, %50, %49) <{pattern = #ave.store_dist<PK_B16>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pk>, hivm.is_continuous} : (memref<128xi8, strided<[1], offset: ?>, #hivm.address_space<ub>>, index, vector<128xi1>, vector<128xi8>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{function_type = (memref<512xf16, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "is_positive_outlined_vf_0"}> ({
  ^bb0(%arg9: memref<512xf16, #hivm.address_space<ub>>):
    %24 = "arith.constant"() <{value = 0 : index}> : () -> index
    %25 = "arith.constant"() <{value = 512 : index}> : () -> index
    %26 = "arith.constant"() <{value = 128 : index}> : () -> index
    %27 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %28 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
    %29 = "ave.hir.broadcast"(%27, %28) {element_alignment_bit_width = 16 : i32} : (f16, vector<128xi1>) -> vector<128xf16>
    "scf.for"(%24, %25, %26) ({
    ^bb0(%arg10: index):
      %30 = "memref.subview"(%arg9, %arg10) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<512xf16, #hivm.address_space<ub>>, index) -> memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %31 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
      "ave.hir.masked_store"(%30, %24, %31, %29) <{pattern = #ave.store_dist<NORM_B16>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<norm>, hivm.is_continuous} : (memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>, index, vector<128xi1>, vector<128xf16>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "is_positive"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xi8, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 512 : index}> : () -> index
    %2 = "arith.constant"() <{value = 512 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %4 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_ctrl"() <{enable = false, idx = 60 : i64}> : () -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 48 : i64}> : () -> ()
    %5 = "hivm.hir.get_block_idx"() : () -> i64
    %6 = "arith.trunci"(%5) : (i64) -> i32
    %7 = "arith.remsi"(%6, %arg6) : (i32, i32) -> i32
    %8 = "arith.muli"(%7, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %9 = "arith.index_cast"(%8) : (i32) -> index
    %10 = "memref.reinterpret_cast"(%arg3, %9) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 512>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<512xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %11 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf16, #hivm.address_space<ub>>
    %12 = "affine.apply"(%9) <{map = affine_map<()[s0] -> (s0 + 512)>}> : (index) -> index
    %13 = "arith.index_cast"(%arg5) : (i32) -> index
    %14 = "arith.maxsi"(%9, %13) : (index, index) -> index
    %15 = "arith.minsi"(%12, %14) : (index, index) -> index
    %16 = "affine.apply"(%15, %9) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
    %17 = "arith.cmpi"(%16, %1) <{predicate = 2 : i64}> : (index, index) -> i1
    "scf.if"(%17) ({
      "func.call"(%11) <{callee = @is_positive_outlined_vf_0, no_inline}> {hivm.vector_function} : (memref<512xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %18 = "memref.subview"(%10, %16) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<512xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %19 = "memref.subview"(%11, %16) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<512xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, #hivm.address_space<ub>>
    "hivm.hir.load"(%18, %19, %3, %4) <{eviction_policy = #hivm.eviction_policy<EvictFirst>, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<ub>>, f16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %20 = "memref.reinterpret_cast"(%arg4, %9) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 512>, static_strides = array<i64: 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<512xi8, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %21 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xi8, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "func.call"(%11, %21) <{callee = @is_positive_fused_0_outlined_vf_0, no_inline}> {hivm.vector_function} : (memref<512xf16, #hivm.address_space<ub>>, memref<512xi8, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %22 = "memref.subview"(%21, %16) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<512xi8, #hivm.address_space<ub>>, index) -> memref<?xi8, strided<[1]>, #hivm.address_space<ub>>
    %23 = "memref.subview"(%20, %16) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<512xi8, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xi8, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%22, %23) : (memref<?xi8, strided<[1]>, #hivm.address_space<ub>>, memref<?xi8, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 60 : i64}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vf_mode = #hivm.vf_mode<SIMD>, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 64 : i32>, #dlti.dl_entry<"UB_SIZE", 2031616 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 2097152 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>, #dlti.dl_entry<"MINIMAL_D_CACHE_SIZE", 262144 : i32>, #dlti.dl_entry<"MAXIMUM_D_CACHE_SIZE", 983040 : i32>, #dlti.dl_entry<"ARCH", "dav-c310">>>, hacc.target = #hacc.target<"Ascend950PR_9589">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()
