"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "weighted_sum_infer_workspace_shape_function"}> ({
    %134 = "arith.constant"() <{value = 24576 : index}> : () -> index
    "func.return"(%134) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "weighted_sum_infer_task_type_function"}> ({
    %133 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%133) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "weighted_sum_mix_aic"}> ({
  ^bb0(%arg14: i64, %arg15: memref<?xi8, #hivm.address_space<gm>>, %arg16: memref<?xi8, #hivm.address_space<gm>>, %arg17: memref<?xf16, #hivm.address_space<gm>>, %arg18: memref<?xf16, #hivm.address_space<gm>>, %arg19: memref<?xf16, #hivm.address_space<gm>>, %arg20: memref<?xf32, #hivm.address_space<gm>>, %arg21: i32, %arg22: i32, %arg23: i32, %arg24: i32):
    %37 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %38 = "arith.constant"() <{value = 0 : index}> : () -> index
    %39 = "arith.constant"() <{value = 1 : index}> : () -> index
    %40 = "arith.constant"() <{value = true}> : () -> i1
    %41 = "arith.constant"() <{value = 32 : index}> : () -> index
    %42 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %43 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %44 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %45 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %46 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %47 = "arith.constant"() <{value = 10240 : i64}> : () -> i64
    %48 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %49 = "arith.constant"() <{value = 12288 : i64}> : () -> i64
    %50 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %51 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %52 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %53 = "hivm.hir.pointer_cast"(%51) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %54 = "hivm.hir.pointer_cast"(%52) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %55 = "hivm.hir.pointer_cast"(%50) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %56 = "hivm.hir.pointer_cast"(%49) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %57 = "hivm.hir.pointer_cast"(%48) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %58 = "hivm.hir.pointer_cast"(%47) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    "hivm.hir.set_ffts_base_addr"(%arg14) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %59 = "hivm.hir.get_block_idx"() : () -> i64
    %60 = "arith.trunci"(%59) : (i64) -> i32
    %61 = "arith.muli"(%arg24, %arg23) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %62 = "arith.divsi"(%60, %61) : (i32, i32) -> i32
    %63 = "arith.remsi"(%62, %arg22) : (i32, i32) -> i32
    %64 = "arith.muli"(%63, %42) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %65 = "arith.index_cast"(%64) : (i32) -> index
    %66 = "affine.apply"(%65) <{map = affine_map<()[s0] -> (s0 * 32)>}> : (index) -> index
    %67 = "memref.reinterpret_cast"(%arg17, %66) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %68 = "hivm.hir.pointer_cast"(%44) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %69 = "memref.cast"(%68) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
    "hivm.hir.nd2nz"(%67, %69) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    %70 = "hivm.hir.get_block_idx"() : () -> i64
    %71 = "arith.index_cast"(%70) : (i64) -> index
    %72 = "affine.apply"(%71) <{map = affine_map<()[s0] -> (s0 * 24576)>}> : (index) -> index
    %73 = "memref.view"(%arg16, %72) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf16, #hivm.address_space<gm>>
    %74 = "hivm.hir.get_block_idx"() : () -> i64
    %75 = "arith.index_cast"(%74) : (i64) -> index
    %76 = "affine.apply"(%75) <{map = affine_map<()[s0] -> (s0 * 24576 + 8192)>}> : (index) -> index
    %77 = "memref.view"(%arg16, %76) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf32, #hivm.address_space<gm>>
    "hivm.hir.sync_block_set"(%arg14) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg14) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg14) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg14) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    %78 = "arith.index_cast"(%arg21) : (i32) -> index
    %79 = "hivm.hir.pointer_cast"(%44) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
    %80 = "memref.cast"(%79) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%43, %arg21, %37) ({
    ^bb0(%arg25: i32):
      %82 = "arith.index_cast"(%arg25) : (i32) -> index
      %83 = "affine.min"(%82, %78) <{map = affine_map<(d0)[s0] -> ((-d0 + s0) ceildiv 32, 4)>}> : (index, index) -> index
      "scf.for"(%38, %83, %39) ({
      ^bb0(%arg27: index):
        %111 = "arith.index_cast"(%arg25) : (i32) -> index
        %112 = "affine.apply"(%arg27, %83, %111) <{map = affine_map<()[s0, s1, s2] -> ((s0 + (s2 floordiv 128) * s1) mod 2)>}> : (index, index, index) -> index
        %113 = "arith.index_cast"(%112) : (index) -> i64
        %114 = "arith.cmpi"(%113, %45) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %115 = "arith.select"(%114, %54, %53) : (i1, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
        %116 = "arith.index_cast"(%arg25) : (i32) -> index
        %117 = "affine.apply"(%arg27, %83, %116) <{map = affine_map<()[s0, s1, s2] -> (s0 + (s2 floordiv 128) * s1)>}> : (index, index, index) -> index
        %118 = "arith.index_cast"(%117) : (index) -> i64
        %119 = "arith.index_cast"(%arg25) : (i32) -> index
        %120 = "affine.apply"(%arg27, %83, %119) <{map = affine_map<()[s0, s1, s2] -> ((s0 + (s2 floordiv 128) * s1) mod 2)>}> : (index, index, index) -> index
        %121 = "arith.index_cast"(%120) : (index) -> i1
        %122 = "arith.xori"(%121, %40) : (i1, i1) -> i1
        %123 = "arith.extui"(%122) : (i1) -> i64
        %124 = "affine.apply"(%arg27) <{map = affine_map<()[s0] -> (s0 + 4)>}> : (index) -> index
        %125 = "arith.index_cast"(%124) : (index) -> i64
        %126 = "affine.apply"(%arg27, %82) <{map = affine_map<(d0)[s0] -> (d0 * 1024 + s0 * 32)>}> : (index, index) -> index
        %127 = "memref.reinterpret_cast"(%arg18, %126) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %128 = "memref.cast"(%115) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"(%123) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.nd2nz"(%127, %128) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %129 = "hivm.hir.pointer_cast"(%48) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
        %130 = "memref.cast"(%129) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
        "hivm.hir.mmadL1"(%69, %128, %40, %41, %41, %41, %130, %46, %44, %46, %123, %118, %46, %46) <{b_transpose, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %131 = "memref.subview"(%77, %arg27) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xf32, #hivm.address_space<gm>>, index) -> memref<1x32x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
        %132 = "memref.collapse_shape"(%131) <{reassociation = [[0, 1], [2]]}> : (memref<1x32x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.sync_block_wait"(%125) <{pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        "hivm.hir.fixpipe"(%130, %132) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
        "hivm.hir.sync_block_set"(%arg14) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 9 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : (i64) -> ()
        "scf.yield"() : () -> ()
      }) {hivm.loop_core_type = #hivm.tcore_type<CUBE>, multibuffer_unroll_factor = 4 : i32} : (index, index, index) -> ()
      "scf.for"(%38, %83, %39) ({
      ^bb0(%arg26: index):
        %84 = "arith.index_cast"(%arg25) : (i32) -> index
        %85 = "affine.apply"(%arg26, %83, %84) <{map = affine_map<()[s0, s1, s2] -> ((s0 + (s2 floordiv 128) * s1) mod 2)>}> : (index, index, index) -> index
        %86 = "arith.index_cast"(%85) : (index) -> i64
        %87 = "arith.cmpi"(%86, %45) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %88 = "arith.select"(%87, %56, %55) : (i1, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
        %89 = "arith.index_cast"(%arg25) : (i32) -> index
        %90 = "affine.apply"(%arg26, %83, %89) <{map = affine_map<()[s0, s1, s2] -> ((s0 + (s2 floordiv 128) * s1) mod 2)>}> : (index, index, index) -> index
        %91 = "arith.index_cast"(%90) : (index) -> i64
        %92 = "arith.cmpi"(%91, %45) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %93 = "arith.select"(%92, %58, %57) : (i1, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
        %94 = "arith.index_cast"(%arg25) : (i32) -> index
        %95 = "affine.apply"(%arg26, %83, %94) <{map = affine_map<()[s0, s1, s2] -> (s0 + (s2 floordiv 128) * s1)>}> : (index, index, index) -> index
        %96 = "arith.index_cast"(%95) : (index) -> i64
        %97 = "arith.index_cast"(%arg25) : (i32) -> index
        %98 = "affine.apply"(%arg26, %83, %97) <{map = affine_map<()[s0, s1, s2] -> ((s0 + (s2 floordiv 128) * s1) mod 2)>}> : (index, index, index) -> index
        %99 = "arith.index_cast"(%98) : (index) -> i1
        %100 = "arith.xori"(%99, %40) : (i1, i1) -> i1
        %101 = "arith.extui"(%100) : (i1) -> i64
        %102 = "arith.index_cast"(%arg26) : (index) -> i64
        %103 = "affine.apply"(%arg26, %82) <{map = affine_map<(d0)[s0] -> (d0 * 32 + s0)>}> : (index, index) -> index
        %104 = "arith.index_cast"(%103) : (index) -> i32
        %105 = "affine.apply"(%arg26, %82) <{map = affine_map<(d0)[s0] -> (d0 * 1024 + s0 * 32)>}> : (index, index) -> index
        %106 = "memref.reinterpret_cast"(%arg19, %105) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %107 = "memref.cast"(%93) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"(%101) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.nd2nz"(%106, %107) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>) -> ()
        %108 = "memref.subview"(%73, %arg26) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 8 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        %109 = "memref.cast"(%88) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
        "hivm.hir.nd2nz"(%108, %109) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        "hivm.hir.sync_block_set"(%102, %arg14) <{operandSegmentSizes = array<i32: 1, 1>, pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64, i64) -> ()
        %110 = "arith.cmpi"(%104, %43) <{predicate = 0 : i64}> : (i32, i32) -> i1
        "hivm.hir.mmadL1"(%109, %107, %110, %41, %41, %41, %80, %44, %46, %46, %101, %96, %46, %46) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
        "scf.yield"() : () -> ()
      }) {hivm.loop_core_type = #hivm.tcore_type<CUBE>, multibuffer_unroll_factor = 4 : i32} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 5 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 6 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 7 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    %81 = "memref.reinterpret_cast"(%arg20, %66) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%80, %81) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "weighted_sum_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf16, #hivm.address_space<gm>>, %arg6: memref<?xf32, #hivm.address_space<gm>>, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 32 : index}> : () -> index
    %3 = "arith.constant"() <{value = 1 : index}> : () -> index
    %4 = "arith.constant"() <{value = 0 : index}> : () -> index
    %5 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 16 : index}> : () -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %7 = "hivm.hir.get_block_idx"() : () -> i64
    %8 = "arith.index_cast"(%7) : (i64) -> index
    %9 = "affine.apply"(%8) <{map = affine_map<()[s0] -> (s0 * 24576)>}> : (index) -> index
    %10 = "memref.view"(%arg2, %9) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf16, #hivm.address_space<gm>>
    %11 = "hivm.hir.get_block_idx"() : () -> i64
    %12 = "arith.index_cast"(%11) : (i64) -> index
    %13 = "affine.apply"(%12) <{map = affine_map<()[s0] -> (s0 * 24576 + 8192)>}> : (index) -> index
    %14 = "memref.view"(%arg2, %13) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf32, #hivm.address_space<gm>>
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 5 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 6 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 7 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    %15 = "arith.index_cast"(%arg7) : (i32) -> index
    %16 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %17 = "arith.index_cast"(%16) : (i64) -> index
    %18 = "arith.cmpi"(%17, %4) <{predicate = 0 : i64}> : (index, index) -> i1
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%1, %arg7, %5) ({
    ^bb0(%arg11: i32):
      %19 = "arith.index_cast"(%arg11) : (i32) -> index
      %20 = "affine.min"(%19, %15) <{map = affine_map<(d0)[s0] -> ((-d0 + s0) ceildiv 32, 4)>}> : (index, index) -> index
      "scf.for"(%4, %20, %3) ({
      ^bb0(%arg12: index):
        %21 = "affine.apply"(%arg12) <{map = affine_map<()[s0] -> (s0 + 4)>}> : (index) -> index
        %22 = "arith.index_cast"(%21) : (index) -> i64
        %23 = "arith.index_cast"(%arg12) : (index) -> i64
        %24 = "memref.subview"(%14, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %25 = "memref.subview"(%10, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xf16, #hivm.address_space<gm>>, index) -> memref<1x32x32xf16, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
        %26 = "memref.collapse_shape"(%25) <{reassociation = [[0, 1], [2]]}> : (memref<1x32x32xf16, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.sync_block_wait"(%23) <{pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 9 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        "scf.for"(%4, %2, %6) ({
        ^bb0(%arg13: index):
          %27 = "memref.subview"(%24, %arg13) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
          %28 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
          %29 = "memref.collapse_shape"(%27) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<512xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
          %30 = "memref.collapse_shape"(%28) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "hivm.hir.load"(%29, %30) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load", vector_producer_to_fuse_0} : (memref<512xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
          %31 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
          %32 = "memref.collapse_shape"(%31) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
          "hivm.hir.vexp"(%30, %32) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> {vector_producer_to_fuse_0} : (memref<512xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
          %33 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf16, #hivm.address_space<ub>>
          %34 = "memref.collapse_shape"(%33) <{reassociation = [[0, 1]]}> : (memref<16x32xf16, #hivm.address_space<ub>>) -> memref<512xf16, #hivm.address_space<ub>>
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
          "hivm.hir.vcast"(%32, %34) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> {vector_producer_to_fuse_0} : (memref<512xf32, #hivm.address_space<ub>>, memref<512xf16, #hivm.address_space<ub>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
          %35 = "memref.subview"(%26, %arg13) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
          "scf.if"(%18) ({
            %36 = "memref.collapse_shape"(%35) <{reassociation = [[0, 1]]}> : (memref<16x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<512xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
            "hivm.hir.store"(%34, %36) <{may_implicit_transpose_with_last_axis = false}> {op_to_tile_0_0} : (memref<512xf16, #hivm.address_space<ub>>, memref<512xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
            "scf.yield"() : () -> ()
          }, {
          }) {limit_sub_block_id0} : (i1) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }) : (index, index, index) -> ()
        "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 8 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE3>}> : (i64) -> ()
        "hivm.hir.sync_block_set"(%22, %arg0) <{operandSegmentSizes = array<i32: 1, 1>, pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64, i64) -> ()
        "scf.yield"() : () -> ()
      }) {hivm.loop_core_type = #hivm.tcore_type<VECTOR>, multibuffer_unroll_factor = 4 : i32} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = true, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()

