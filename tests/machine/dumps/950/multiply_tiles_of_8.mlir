"builtin.module"() ({
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "multiply_mix_aic"}> ({
  ^bb0(%arg13: i64, %arg14: memref<?xi8, #hivm.address_space<gm>>, %arg15: memref<?xi8, #hivm.address_space<gm>>, %arg16: memref<?xf16, #hivm.address_space<gm>>, %arg17: memref<?xf16, #hivm.address_space<gm>>, %arg18: memref<?xf32, #hivm.address_space<gm>>, %arg19: i32, %arg20: i32, %arg21: i32, %arg22: i32, %arg23: i32, %arg24: i32):
    %48 = "arith.constant"() <{value = 0 : index}> : () -> index
    %49 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %50 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %51 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %52 = "arith.constant"() <{value = 8 : index}> : () -> index
    %53 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %54 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %55 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %56 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %57 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %58 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %59 = "arith.constant"() <{value = 1536 : i64}> : () -> i64
    %60 = "arith.constant"() <{value = 512 : i64}> : () -> i64
    %61 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %62 = "arith.constant"() <{value = 1024 : i64}> : () -> i64
    %63 = "hivm.hir.pointer_cast"(%61) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x1x16x16xf16, #hivm.address_space<cbuf>>
    %64 = "hivm.hir.pointer_cast"(%62) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x1x16x16xf16, #hivm.address_space<cbuf>>
    %65 = "hivm.hir.pointer_cast"(%60) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x1x16x16xf16, #hivm.address_space<cbuf>>
    %66 = "hivm.hir.pointer_cast"(%59) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x1x16x16xf16, #hivm.address_space<cbuf>>
    %67 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> {hivm.multi_buffer_counter_for = 0 : i64} : () -> memref<1xi64>
    "memref.store"(%61, %67, %48) <{nontemporal = false}> : (i64, memref<1xi64>, index) -> ()
    "hivm.hir.set_ctrl"() <{enable = false, idx = 60 : i64}> : () -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 48 : i64}> : () -> ()
    %68 = "hivm.hir.get_block_idx"() : () -> i64
    %69 = "arith.trunci"(%68) : (i64) -> i32
    %70 = "arith.remsi"(%69, %arg22) : (i32, i32) -> i32
    %71 = "arith.divsi"(%69, %arg22) : (i32, i32) -> i32
    %72 = "arith.remsi"(%71, %arg23) : (i32, i32) -> i32
    %73 = "arith.muli"(%70, %51) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %74 = "arith.muli"(%72, %51) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %75 = "arith.index_cast"(%73) : (i32) -> index
    %76 = "arith.index_cast"(%arg21) : (i32) -> index
    %77 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> {normalize_matmul_counter} : () -> memref<i32>
    "memref.store"(%50, %77) <{nontemporal = false}> : (i32, memref<i32>) -> ()
    %78 = "affine.apply"(%75) <{map = affine_map<()[s0] -> (s0 + 8)>}> : (index) -> index
    %79 = "arith.index_cast"(%arg19) : (i32) -> index
    %80 = "arith.maxsi"(%75, %79) : (index, index) -> index
    %81 = "arith.minsi"(%78, %80) : (index, index) -> index
    %82 = "affine.apply"(%81, %75) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
    %83 = "arith.minsi"(%82, %52) : (index, index) -> index
    %84 = "arith.cmpi"(%83, %52) <{predicate = 2 : i64}> : (index, index) -> i1
    %85 = "arith.index_cast"(%arg20) : (i32) -> index
    %86 = "arith.index_cast"(%74) : (i32) -> index
    %87 = "affine.apply"(%86) <{map = affine_map<()[s0] -> (s0 + 8)>}> : (index) -> index
    %88 = "arith.maxsi"(%86, %85) : (index, index) -> index
    %89 = "arith.minsi"(%87, %88) : (index, index) -> index
    %90 = "affine.apply"(%89, %86) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
    %91 = "arith.minsi"(%90, %52) : (index, index) -> index
    %92 = "arith.cmpi"(%91, %52) <{predicate = 2 : i64}> : (index, index) -> i1
    %93 = "hivm.hir.pointer_cast"(%61) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x1x16x16xf32, #hivm.address_space<cc>>
    %94 = "memref.cast"(%93) : (memref<1x1x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "scf.for"(%50, %arg21, %51) ({
    ^bb0(%arg25: i32):
      %96 = "memref.load"(%67, %48) <{nontemporal = false}> {markDCacheInvalidatePatternVisited = 0 : i32} : (memref<1xi64>, index) -> i64
      %97 = "arith.remui"(%96, %55) : (i64, i64) -> i64
      %98 = "arith.index_cast"(%97) : (i64) -> index
      %99 = "arith.cmpi"(%97, %49) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %100 = "arith.select"(%99, %64, %63) : (i1, memref<1x1x16x16xf16, #hivm.address_space<cbuf>>, memref<1x1x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1x1x16x16xf16, #hivm.address_space<cbuf>>
      %101 = "arith.select"(%99, %66, %65) : (i1, memref<1x1x16x16xf16, #hivm.address_space<cbuf>>, memref<1x1x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1x1x16x16xf16, #hivm.address_space<cbuf>>
      %102 = "arith.index_cast"(%98) : (index) -> i1
      %103 = "arith.select"(%102, %56, %57) : (i1, i64, i64) -> i64
      %104 = "arith.select"(%102, %49, %55) : (i1, i64, i64) -> i64
      %105 = "arith.index_cast"(%arg25) : (i32) -> index
      %106 = "affine.apply"(%105, %75, %76) <{map = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>}> : (index, index, index) -> index
      %107 = "memref.reinterpret_cast"(%arg16, %106, %76) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8, 8>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<8x8xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %108 = "memref.cast"(%100) : (memref<1x1x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %109 = "affine.apply"(%105) <{map = affine_map<()[s0] -> (s0 + 8)>}> : (index) -> index
      %110 = "arith.maxsi"(%105, %76) : (index, index) -> index
      %111 = "arith.minsi"(%109, %110) : (index, index) -> index
      %112 = "affine.apply"(%111, %105) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
      %113 = "arith.minsi"(%112, %52) : (index, index) -> index
      %114 = "arith.cmpi"(%113, %52) <{predicate = 2 : i64}> : (index, index) -> i1
      %115 = "arith.ori"(%84, %114) : (i1, i1) -> i1
      %116 = "memref.subview"(%107, %83, %113) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<8x8xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %117 = "affine.apply"(%83) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %118 = "affine.apply"(%113) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %119 = "memref.subview"(%100, %118, %117) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<1x1x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[256, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %120 = "memref.cast"(%119) : (memref<?x?x16x16xf16, strided<[256, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%115) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %134 = "memref.collapse_shape"(%100) <{reassociation = [[0, 1, 2, 3]]}> : (memref<1x1x16x16xf16, #hivm.address_space<cbuf>>) -> memref<256xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%53, %134) <{broadcast_dims = array<i64>}> : (f16, memref<256xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%104) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%116, %120) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %121 = "affine.apply"(%86, %105, %85) <{map = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>}> : (index, index, index) -> index
      %122 = "memref.reinterpret_cast"(%arg17, %121, %85) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8, 8>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<8x8xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %123 = "memref.cast"(%101) : (memref<1x1x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %124 = "arith.ori"(%114, %92) : (i1, i1) -> i1
      %125 = "memref.subview"(%122, %113, %91) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<8x8xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %126 = "affine.apply"(%91) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %127 = "memref.subview"(%101, %126, %118) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<1x1x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[256, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %128 = "memref.cast"(%127) : (memref<?x?x16x16xf16, strided<[256, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%124) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %133 = "memref.collapse_shape"(%101) <{reassociation = [[0, 1, 2, 3]]}> : (memref<1x1x16x16xf16, #hivm.address_space<cbuf>>) -> memref<256xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%53, %133) <{broadcast_dims = array<i64>}> : (f16, memref<256xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%103) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%125, %128) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %129 = "memref.load"(%77) <{nontemporal = false}> {markDCacheInvalidatePatternVisited = 0 : i32} : (memref<i32>) -> i32
      %130 = "arith.cmpi"(%129, %50) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%108, %123, %130, %52, %52, %52, %94, %61, %49, %104, %103, %58, %58, %58) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {already_set_real_mkn, fixpipe_for_result_already_inserted = true, hivm.remain_in_l0c, normalized_in_L0C} : (memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      %131 = "arith.addi"(%129, %54) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "memref.store"(%131, %77) <{nontemporal = false}> : (i32, memref<i32>) -> ()
      %132 = "arith.addi"(%96, %49) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "memref.store"(%132, %67, %48) <{nontemporal = false}> : (i64, memref<1xi64>, index) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true, hivm.multi_buffer_loop_id = 0 : i64, may_not_exec, normalized_in_L0C = [0 : i32]} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %95 = "hivm.hir.pointer_cast"(%61) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x8xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%93, %95) <{dma_mode = #hivm.dma_mode<nz2nd>, dual_dst_mode = #hivm.fixpipe_dual_dst_mode<ROW_SPLIT>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<1x1x16x16xf32, #hivm.address_space<cc>>, memref<4x8xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_V>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_MTE3>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 60 : i64}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.vf_mode = #hivm.vf_mode<SIMD>, parallel_mode = "simd"} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "multiply_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 4 : index}> : () -> index
    %2 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 8 : index}> : () -> index
    %4 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %7 = "hivm.hir.get_block_idx"() : () -> i64
    %8 = "arith.trunci"(%7) : (i64) -> i32
    %9 = "arith.remsi"(%8, %arg9) : (i32, i32) -> i32
    %10 = "arith.muli"(%9, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %11 = "arith.index_cast"(%10) : (i32) -> index
    %12 = "affine.apply"(%11) <{map = affine_map<()[s0] -> (s0 + 8)>}> : (index) -> index
    %13 = "arith.index_cast"(%arg7) : (i32) -> index
    %14 = "arith.index_cast"(%arg6) : (i32) -> index
    %15 = "arith.maxsi"(%11, %14) : (index, index) -> index
    %16 = "arith.minsi"(%12, %15) : (index, index) -> index
    %17 = "affine.apply"(%16, %11) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
    %18 = "arith.minsi"(%17, %3) : (index, index) -> index
    %19 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %20 = "arith.index_cast"(%19) : (i64) -> index
    %21 = "affine.apply"(%20) <{map = affine_map<()[s0] -> (s0 * 4)>}> : (index) -> index
    "hivm.hir.set_ctrl"() <{enable = false, idx = 60 : i64}> : () -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 48 : i64}> : () -> ()
    %22 = "arith.divsi"(%8, %arg9) : (i32, i32) -> i32
    %23 = "arith.remsi"(%22, %arg10) : (i32, i32) -> i32
    %24 = "arith.muli"(%23, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %25 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> {normalize_matmul_counter} : () -> memref<i32>
    "memref.store"(%5, %25) <{nontemporal = false}> : (i32, memref<i32>) -> ()
    "scf.for"(%5, %arg8, %4) ({
    ^bb0(%arg12: i32):
      %46 = "memref.load"(%25) <{nontemporal = false}> {markDCacheInvalidatePatternVisited = 0 : i32} : (memref<i32>) -> i32
      %47 = "arith.addi"(%46, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "memref.store"(%47, %25) <{nontemporal = false}> : (i32, memref<i32>) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true, may_not_exec, normalized_in_L0C = [0 : i32]} : (i32, i32, i32) -> ()
    %26 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x8xf32, #hivm.address_space<ub>>
    %27 = "memref.load"(%25) <{nontemporal = false}> {markDCacheInvalidatePatternVisited = 0 : i32} : (memref<i32>) -> i32
    %28 = "arith.cmpi"(%27, %5) <{predicate = 0 : i64}> : (i32, i32) -> i1
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_V>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %29 = "scf.if"(%28) ({
      %44 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x8xf32, #hivm.address_space<ub>>
      %45 = "memref.collapse_shape"(%44) <{reassociation = [[0, 1]]}> : (memref<4x8xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%6, %45) <{broadcast_dims = array<i64>}> : (f32, memref<32xf32, #hivm.address_space<ub>>) -> ()
      "scf.yield"(%44) : (memref<4x8xf32, #hivm.address_space<ub>>) -> ()
    }, {
      "scf.yield"(%26) : (memref<4x8xf32, #hivm.address_space<ub>>) -> ()
    }) : (i1) -> memref<4x8xf32, #hivm.address_space<ub>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %30 = "arith.index_cast"(%24) : (i32) -> index
    %31 = "affine.apply"(%30, %11, %13) <{map = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>}> : (index, index, index) -> index
    %32 = "affine.apply"(%30) <{map = affine_map<()[s0] -> (s0 + 8)>}> : (index) -> index
    %33 = "memref.reinterpret_cast"(%arg5, %31, %13) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8, 8>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<8x8xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %34 = "memref.subview"(%33, %21) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 4, 8>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<8x8xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<4x8xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %35 = "arith.maxsi"(%30, %13) : (index, index) -> index
    %36 = "arith.minsi"(%32, %35) : (index, index) -> index
    %37 = "affine.apply"(%36, %30) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
    %38 = "arith.minsi"(%37, %3) : (index, index) -> index
    %39 = "arith.minsi"(%21, %18) : (index, index) -> index
    %40 = "affine.apply"(%18, %39) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
    %41 = "arith.minsi"(%40, %1) : (index, index) -> index
    %42 = "memref.subview"(%29, %41, %38) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32, #hivm.address_space<ub>>, index, index) -> memref<?x?xf32, strided<[8, 1]>, #hivm.address_space<ub>>
    %43 = "memref.subview"(%34, %41, %38) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_MTE3>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%42, %43) {tiled_op} : (memref<?x?xf32, strided<[8, 1]>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.set_ctrl"() <{enable = true, idx = 60 : i64}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.vf_mode = #hivm.vf_mode<SIMD>, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 32 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 64 : i32>, #dlti.dl_entry<"UB_SIZE", 2031616 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 2097152 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>, #dlti.dl_entry<"MINIMAL_D_CACHE_SIZE", 262144 : i32>, #dlti.dl_entry<"MAXIMUM_D_CACHE_SIZE", 983040 : i32>, #dlti.dl_entry<"ARCH", "dav-c310">>>, hacc.target = #hacc.target<"Ascend950PR_9589">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()
