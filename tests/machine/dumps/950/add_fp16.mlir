"builtin.module"() ({
  "func.func"() <{function_type = (memref<1024xf16, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "add_outlined_vf_0"}> ({
  ^bb0(%arg16: memref<1024xf16, #hivm.address_space<ub>>):
    %48 = "arith.constant"() <{value = 0 : index}> : () -> index
    %49 = "arith.constant"() <{value = 1024 : index}> : () -> index
    %50 = "arith.constant"() <{value = 128 : index}> : () -> index
    %51 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %52 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
    %53 = "ave.hir.broadcast"(%51, %52) {element_alignment_bit_width = 16 : i32} : (f16, vector<128xi1>) -> vector<128xf16>
    "scf.for"(%48, %49, %50) ({
    ^bb0(%arg17: index):
      %54 = "memref.subview"(%arg16, %arg17) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %55 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
      "ave.hir.masked_store"(%54, %48, %55, %53) <{pattern = #ave.store_dist<NORM_B16>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<norm>, hivm.is_continuous} : (memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>, index, vector<128xi1>, vector<128xf16>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{function_type = (memref<1024xf16, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "add_outlined_vf_1"}> ({
  ^bb0(%arg14: memref<1024xf16, #hivm.address_space<ub>>):
    %40 = "arith.constant"() <{value = 0 : index}> : () -> index
    %41 = "arith.constant"() <{value = 1024 : index}> : () -> index
    %42 = "arith.constant"() <{value = 128 : index}> : () -> index
    %43 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %44 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
    %45 = "ave.hir.broadcast"(%43, %44) {element_alignment_bit_width = 16 : i32} : (f16, vector<128xi1>) -> vector<128xf16>
    "scf.for"(%40, %41, %42) ({
    ^bb0(%arg15: index):
      %46 = "memref.subview"(%arg14, %arg15) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %47 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
      "ave.hir.masked_store"(%46, %40, %47, %45) <{pattern = #ave.store_dist<NORM_B16>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<norm>, hivm.is_continuous} : (memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>, index, vector<128xi1>, vector<128xf16>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{function_type = (memref<1024xf16, #hivm.address_space<ub>>, memref<1024xf16, #hivm.address_space<ub>>, memref<1024xf16, #hivm.address_space<ub>>) -> (), no_inline, sym_name = "add_outlined_vf_2"}> ({
  ^bb0(%arg10: memref<1024xf16, #hivm.address_space<ub>>, %arg11: memref<1024xf16, #hivm.address_space<ub>>, %arg12: memref<1024xf16, #hivm.address_space<ub>>):
    %29 = "arith.constant"() <{value = 128 : index}> : () -> index
    %30 = "arith.constant"() <{value = 1024 : index}> : () -> index
    %31 = "arith.constant"() <{value = 0 : index}> : () -> index
    "scf.for"(%31, %30, %29) ({
    ^bb0(%arg13: index):
      %32 = "memref.subview"(%arg10, %arg13) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %33 = "memref.subview"(%arg11, %arg13) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %34 = "memref.subview"(%arg12, %arg13) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>
      %35 = "ave.hir.vload"(%32, %31) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<norm>} : (memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>, index) -> vector<128xf16>
      %36 = "ave.hir.vload"(%33, %31) <{pattern = #ave.load_dist<NORM>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<norm>} : (memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>, index) -> vector<128xf16>
      %37 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
      %38 = "ave.hir.vadd"(%35, %36, %37) {element_alignment_bit_width = 16 : i32} : (vector<128xf16>, vector<128xf16>, vector<128xi1>) -> vector<128xf16>
      %39 = "ave.hir.pge"() <{pattern = #ave.pge_pattern<ALL>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<pb16>} : () -> vector<128xi1>
      "ave.hir.masked_store"(%34, %31, %39, %38) <{pattern = #ave.store_dist<NORM_B16>}> {element_alignment_bit_width = 16 : i32, functionType = #ave.func_dist_type<norm>, hivm.is_continuous} : (memref<128xf16, strided<[1], offset: ?>, #hivm.address_space<ub>>, index, vector<128xi1>, vector<128xf16>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vector_function} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "add"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf16, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %3 = "arith.constant"() <{value = 1024 : index}> : () -> index
    %4 = "arith.constant"() <{value = 1024 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_ctrl"() <{enable = false, idx = 60 : i64}> : () -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 48 : i64}> : () -> ()
    %6 = "hivm.hir.get_block_idx"() : () -> i64
    %7 = "arith.trunci"(%6) : (i64) -> i32
    %8 = "arith.remsi"(%7, %arg7) : (i32, i32) -> i32
    %9 = "arith.muli"(%8, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %10 = "arith.index_cast"(%9) : (i32) -> index
    %11 = "memref.reinterpret_cast"(%arg3, %10) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %12 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf16, #hivm.address_space<ub>>
    %13 = "affine.apply"(%10) <{map = affine_map<()[s0] -> (s0 + 1024)>}> : (index) -> index
    %14 = "arith.index_cast"(%arg6) : (i32) -> index
    %15 = "arith.maxsi"(%10, %14) : (index, index) -> index
    %16 = "arith.minsi"(%13, %15) : (index, index) -> index
    %17 = "affine.apply"(%16, %10) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
    %18 = "arith.cmpi"(%17, %3) <{predicate = 2 : i64}> : (index, index) -> i1
    "scf.if"(%18) ({
      "func.call"(%12) <{callee = @add_outlined_vf_0, no_inline}> {hivm.vector_function} : (memref<1024xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %19 = "memref.subview"(%11, %17) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %20 = "memref.subview"(%12, %17) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, #hivm.address_space<ub>>
    "hivm.hir.load"(%19, %20, %2, %5) <{eviction_policy = #hivm.eviction_policy<EvictFirst>, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<ub>>, f16, index) -> ()
    %21 = "memref.reinterpret_cast"(%arg4, %10) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %22 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf16, #hivm.address_space<ub>>
    "scf.if"(%18) ({
      "func.call"(%22) <{callee = @add_outlined_vf_1, no_inline}> {hivm.vector_function} : (memref<1024xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %23 = "memref.subview"(%21, %17) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %24 = "memref.subview"(%22, %17) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, #hivm.address_space<ub>>
    "hivm.hir.load"(%23, %24, %2, %5) <{eviction_policy = #hivm.eviction_policy<EvictFirst>, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<ub>>, f16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %25 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf16, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "func.call"(%12, %22, %25) <{callee = @add_outlined_vf_2, no_inline}> {hivm.vector_function} : (memref<1024xf16, #hivm.address_space<ub>>, memref<1024xf16, #hivm.address_space<ub>>, memref<1024xf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %26 = "memref.reinterpret_cast"(%arg5, %10) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %27 = "memref.subview"(%25, %17) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
    %28 = "memref.subview"(%26, %17) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%27, %28) : (memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 60 : i64}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.vf_mode = #hivm.vf_mode<SIMD>, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 64 : i32>, #dlti.dl_entry<"UB_SIZE", 2031616 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 2097152 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>, #dlti.dl_entry<"MINIMAL_D_CACHE_SIZE", 262144 : i32>, #dlti.dl_entry<"MAXIMUM_D_CACHE_SIZE", 983040 : i32>, #dlti.dl_entry<"ARCH", "dav-c310">>>, hacc.target = #hacc.target<"Ascend950PR_9589">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()
