"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "matmul_bias_square_infer_workspace_shape_function"}> ({
    %176 = "arith.constant"() <{value = 8192 : index}> : () -> index
    "func.return"(%176) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "matmul_bias_square_infer_task_type_function"}> ({
    %175 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%175) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "matmul_bias_square_mix_aic"}> ({
  ^bb0(%arg13: i64, %arg14: memref<?xi8, #hivm.address_space<gm>>, %arg15: memref<?xi8, #hivm.address_space<gm>>, %arg16: memref<?xf16, #hivm.address_space<gm>>, %arg17: memref<?xf16, #hivm.address_space<gm>>, %arg18: memref<?xf32, #hivm.address_space<gm>>, %arg19: memref<?xf16, #hivm.address_space<gm>>, %arg20: i32, %arg21: i32, %arg22: i32, %arg23: i32, %arg24: i32, %arg25: i32):
    %84 = "arith.constant"() <{value = 64 : index}> : () -> index
    %85 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %86 = "arith.constant"() <{value = 32 : index}> : () -> index
    %87 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %88 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %89 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %90 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %91 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %92 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %93 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %94 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %95 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %96 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %97 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %98 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %99 = "hivm.hir.pointer_cast"(%97) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x2x16x16xf16, #hivm.address_space<cbuf>>
    %100 = "hivm.hir.pointer_cast"(%98) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x2x16x16xf16, #hivm.address_space<cbuf>>
    %101 = "hivm.hir.pointer_cast"(%96) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %102 = "hivm.hir.pointer_cast"(%95) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    "hivm.hir.set_ffts_base_addr"(%arg13) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %103 = "hivm.hir.get_block_idx"() : () -> i64
    %104 = "arith.trunci"(%103) : (i64) -> i32
    %105 = "arith.divsi"(%104, %arg25) : (i32, i32) -> i32
    %106 = "arith.remsi"(%105, %arg24) : (i32, i32) -> i32
    %107 = "arith.muli"(%arg25, %arg24) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %108 = "arith.divsi"(%104, %107) : (i32, i32) -> i32
    %109 = "arith.remsi"(%108, %arg23) : (i32, i32) -> i32
    %110 = "arith.muli"(%109, %87) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %111 = "arith.muli"(%106, %88) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %112 = "arith.index_cast"(%110) : (i32) -> index
    %113 = "arith.index_cast"(%arg22) : (i32) -> index
    %114 = "arith.index_cast"(%arg20) : (i32) -> index
    %115 = "affine.max"(%112, %114) <{map = affine_map<()[s0, s1] -> (s1, s0)>}> : (index, index) -> index
    %116 = "affine.min"(%115, %112) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
    %117 = "affine.min"(%116, %112) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
    %118 = "arith.cmpi"(%117, %86) <{predicate = 2 : i64}> : (index, index) -> i1
    %119 = "arith.index_cast"(%arg21) : (i32) -> index
    %120 = "arith.index_cast"(%111) : (i32) -> index
    %121 = "affine.max"(%120, %119) <{map = affine_map<()[s0, s1] -> (s1, s0)>}> : (index, index) -> index
    %122 = "affine.min"(%121, %120) <{map = affine_map<()[s0, s1] -> (s1 + 64, s0)>}> : (index, index) -> index
    %123 = "affine.min"(%122, %120) <{map = affine_map<()[s0, s1] -> (64, s0 - s1)>}> : (index, index) -> index
    %124 = "arith.cmpi"(%123, %84) <{predicate = 2 : i64}> : (index, index) -> i1
    %125 = "hivm.hir.pointer_cast"(%96) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x2x16x16xf32, #hivm.address_space<cc>>
    %126 = "memref.cast"(%125) : (memref<4x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%89, %arg22, %87) ({
    ^bb0(%arg26: i32):
      %131 = "arith.index_cast"(%arg26) : (i32) -> index
      %132 = "affine.apply"(%131) <{map = affine_map<()[s0] -> ((s0 floordiv 32) mod 2)>}> : (index) -> index
      %133 = "arith.index_cast"(%132) : (index) -> i64
      %134 = "arith.cmpi"(%133, %90) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %135 = "arith.select"(%134, %100, %99) : (i1, memref<4x2x16x16xf16, #hivm.address_space<cbuf>>, memref<4x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<4x2x16x16xf16, #hivm.address_space<cbuf>>
      %136 = "arith.index_cast"(%arg26) : (i32) -> index
      %137 = "affine.apply"(%136) <{map = affine_map<()[s0] -> ((s0 floordiv 32) mod 2)>}> : (index) -> index
      %138 = "arith.index_cast"(%137) : (index) -> i64
      %139 = "arith.cmpi"(%138, %90) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %140 = "arith.select"(%139, %102, %101) : (i1, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
      %141 = "arith.index_cast"(%arg26) : (i32) -> index
      %142 = "affine.apply"(%141) <{map = affine_map<()[s0] -> (s0 floordiv 32)>}> : (index) -> index
      %143 = "arith.index_cast"(%142) : (index) -> i64
      %144 = "arith.index_cast"(%arg26) : (i32) -> index
      %145 = "affine.apply"(%144) <{map = affine_map<()[s0] -> ((s0 floordiv 32) mod 2)>}> : (index) -> index
      %146 = "arith.index_cast"(%145) : (index) -> i1
      %147 = "arith.select"(%146, %91, %92) : (i1, i64, i64) -> i64
      %148 = "arith.index_cast"(%145) : (index) -> i1
      %149 = "arith.select"(%148, %90, %93) : (i1, i64, i64) -> i64
      %150 = "arith.index_cast"(%arg26) : (i32) -> index
      %151 = "affine.apply"(%150, %112, %113) <{map = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>}> : (index, index, index) -> index
      %152 = "memref.reinterpret_cast"(%arg16, %151, %113) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %153 = "memref.cast"(%140) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %154 = "affine.max"(%150, %113) <{map = affine_map<()[s0, s1] -> (s1, s0)>}> : (index, index) -> index
      %155 = "affine.min"(%154, %150) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %156 = "affine.min"(%155, %150) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %157 = "arith.cmpi"(%156, %86) <{predicate = 2 : i64}> : (index, index) -> i1
      %158 = "arith.ori"(%118, %157) : (i1, i1) -> i1
      %159 = "memref.subview"(%152, %117, %156) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %160 = "affine.apply"(%117) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %161 = "affine.apply"(%156) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %162 = "memref.subview"(%140, %161, %160) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %163 = "memref.cast"(%162) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%158) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %174 = "memref.collapse_shape"(%140) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%85, %174) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%149) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%159, %163) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %164 = "affine.apply"(%120, %150, %119) <{map = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>}> : (index, index, index) -> index
      %165 = "memref.reinterpret_cast"(%arg17, %164, %119) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<32x64xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %166 = "memref.cast"(%135) : (memref<4x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %167 = "arith.ori"(%157, %124) : (i1, i1) -> i1
      %168 = "memref.subview"(%165, %156, %123) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x64xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %169 = "affine.apply"(%123) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %170 = "memref.subview"(%135, %169, %161) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %171 = "memref.cast"(%170) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%167) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %173 = "memref.collapse_shape"(%135) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2048xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%85, %173) <{broadcast_dims = array<i64>}> : (f16, memref<2048xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%147) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%168, %171) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %172 = "arith.cmpi"(%arg26, %89) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%153, %166, %172, %117, %156, %123, %126, %96, %90, %149, %147, %143, %94, %94) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %127 = "hivm.hir.get_block_idx"() : () -> i64
    %128 = "arith.index_cast"(%127) : (i64) -> index
    %129 = "affine.apply"(%128) <{map = affine_map<()[s0] -> (s0 * 8192)>}> : (index) -> index
    %130 = "memref.view"(%arg15, %129) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<32x64xf32, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%126, %130) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<32x64xf32, #hivm.address_space<gm>>) -> ()
    "hivm.hir.sync_block_set"(%arg13) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : (i64) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false, false]> : vector<13xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "matmul_bias_square_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: memref<?xf16, #hivm.address_space<gm>>, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32, %arg12: i32):
    %0 = "arith.constant"() <{value = 20928 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 16832 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 16768 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 12672 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 8576 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 8448 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 64 : index}> : () -> index
    %10 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %11 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %12 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %13 = "arith.constant"() <{value = 0 : index}> : () -> index
    %14 = "hivm.hir.get_block_idx"() : () -> i64
    %15 = "arith.trunci"(%14) : (i64) -> i32
    %16 = "arith.muli"(%arg12, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %17 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xf32, #hivm.address_space<ub>>
    %18 = "memref.collapse_shape"(%17) <{reassociation = [[0, 1]]}> : (memref<16x64xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%12, %18) <{broadcast_dims = array<i64>}> : (f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %19 = "arith.index_cast"(%arg8) : (i32) -> index
    %20 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xi1, #hivm.address_space<ub>>
    %21 = "memref.collapse_shape"(%20) <{reassociation = [[0, 1]]}> : (memref<16x64xi1, #hivm.address_space<ub>>) -> memref<1024xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%18, %18, %21) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xi1, #hivm.address_space<ub>>) -> ()
    %22 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xi1, #hivm.address_space<ub>>
    %23 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (memref<16x64xi1, #hivm.address_space<ub>>) -> memref<1024xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%21, %23) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<1024xi1, #hivm.address_space<ub>>, memref<1024xi1, #hivm.address_space<ub>>) -> ()
    %24 = "arith.index_cast"(%arg7) : (i32) -> index
    %25 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %26 = "arith.index_cast"(%25) : (i64) -> index
    %27 = "affine.apply"(%26) <{map = affine_map<()[s0] -> (s0 * 16)>}> : (index) -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %28 = "arith.divsi"(%15, %arg12) : (i32, i32) -> i32
    %29 = "arith.remsi"(%28, %arg11) : (i32, i32) -> i32
    %30 = "arith.divsi"(%15, %16) : (i32, i32) -> i32
    %31 = "arith.remsi"(%30, %arg10) : (i32, i32) -> i32
    %32 = "arith.muli"(%31, %10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %33 = "arith.muli"(%29, %11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %34 = "arith.index_cast"(%32) : (i32) -> index
    %35 = "hivm.hir.get_block_idx"() : () -> i64
    %36 = "arith.index_cast"(%35) : (i64) -> index
    %37 = "affine.apply"(%36) <{map = affine_map<()[s0] -> (s0 * 8192)>}> : (index) -> index
    %38 = "memref.view"(%arg2, %37) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<32x64xf32, #hivm.address_space<gm>>
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %39 = "memref.subview"(%38, %27) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<32x64xf32, #hivm.address_space<gm>>, index) -> memref<16x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %40 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xf32, #hivm.address_space<ub>>
    %41 = "memref.collapse_shape"(%39) <{reassociation = [[0, 1]]}> : (memref<16x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %42 = "memref.collapse_shape"(%40) <{reassociation = [[0, 1]]}> : (memref<16x64xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%41, %42) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %43 = "arith.index_cast"(%33) : (i32) -> index
    %44 = "memref.reinterpret_cast"(%arg5, %43) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<1x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %45 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xf32, #hivm.address_space<ub>>
    %46 = "affine.max"(%43, %19) <{map = affine_map<()[s0, s1] -> (s1, s0)>}> : (index, index) -> index
    %47 = "affine.apply"(%43, %34, %19) <{map = affine_map<()[s0, s1, s2] -> (s0 + s1 * s2)>}> : (index, index, index) -> index
    %48 = "affine.min"(%46, %43) <{map = affine_map<()[s0, s1] -> (s1 + 64, s0)>}> : (index, index) -> index
    %49 = "affine.apply"(%48, %43) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
    %50 = "affine.min"(%48, %43) <{map = affine_map<()[s0, s1] -> (64, s0 - s1)>}> : (index, index) -> index
    %51 = "arith.cmpi"(%49, %9) <{predicate = 2 : i64}> : (index, index) -> i1
    %52 = "memref.subview"(%44, %49) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<1x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<1x?xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %53 = "memref.subview"(%45, %49) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<1x64xf32, #hivm.address_space<ub>>, index) -> memref<1x?xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    "scf.if"(%51) ({
      %83 = "memref.collapse_shape"(%45) <{reassociation = [[0, 1]]}> : (memref<1x64xf32, #hivm.address_space<ub>>) -> memref<64xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%12, %83) <{broadcast_dims = array<i64>}> : (f32, memref<64xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %54 = "memref.collapse_shape"(%52) <{reassociation = [[0, 1]]}> : (memref<1x?xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %55 = "memref.collapse_shape"(%53) <{reassociation = [[0, 1]]}> : (memref<1x?xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%54, %55, %12, %13) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %56 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%40, %45, %56) <{broadcast = array<i64: 0>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<16x64xf32, #hivm.address_space<ub>>, memref<1x64xf32, #hivm.address_space<ub>>, memref<16x64xf32, #hivm.address_space<ub>>) -> ()
    %57 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xi1, #hivm.address_space<ub>>
    %58 = "memref.collapse_shape"(%56) <{reassociation = [[0, 1]]}> : (memref<16x64xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    %59 = "memref.collapse_shape"(%57) <{reassociation = [[0, 1]]}> : (memref<16x64xi1, #hivm.address_space<ub>>) -> memref<1024xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%58, %58, %59) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xi1, #hivm.address_space<ub>>) -> ()
    %60 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xi1, #hivm.address_space<ub>>
    %61 = "memref.collapse_shape"(%60) <{reassociation = [[0, 1]]}> : (memref<16x64xi1, #hivm.address_space<ub>>) -> memref<1024xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%59, %61) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<1024xi1, #hivm.address_space<ub>>, memref<1024xi1, #hivm.address_space<ub>>) -> ()
    %62 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xf32, #hivm.address_space<ub>>
    %63 = "memref.collapse_shape"(%62) <{reassociation = [[0, 1]]}> : (memref<16x64xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.vmax"(%58, %12, %63) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %64 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xf32, #hivm.address_space<ub>>
    %65 = "memref.collapse_shape"(%64) <{reassociation = [[0, 1]]}> : (memref<16x64xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    %66 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%61, %12, %63, %65, %66) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<1024xi1, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<16xf32, #hivm.address_space<ub>>) -> ()
    %67 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xf32, #hivm.address_space<ub>>
    %68 = "memref.collapse_shape"(%67) <{reassociation = [[0, 1]]}> : (memref<16x64xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    %69 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%23, %58, %65, %68, %69) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<1024xi1, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
    %70 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xf32, #hivm.address_space<ub>>
    %71 = "memref.collapse_shape"(%70) <{reassociation = [[0, 1]]}> : (memref<16x64xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%68, %68, %71) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %72 = "memref.reinterpret_cast"(%arg6, %47, %19) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<32x64xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %73 = "memref.subview"(%72, %27) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<32x64xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x64xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %74 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x64xf16, #hivm.address_space<ub>>
    %75 = "memref.collapse_shape"(%74) <{reassociation = [[0, 1]]}> : (memref<16x64xf16, #hivm.address_space<ub>>) -> memref<1024xf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%71, %75) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %76 = "affine.max"(%34, %24) <{map = affine_map<()[s0, s1] -> (s1, s0)>}> : (index, index) -> index
    %77 = "affine.min"(%76, %34) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
    %78 = "affine.min"(%77, %34) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
    %79 = "affine.min"(%26, %77, %34) <{map = affine_map<()[s0, s1, s2] -> (32, s1 - s2, s0 * 16)>}> : (index, index, index) -> index
    %80 = "affine.min"(%78, %79) <{map = affine_map<()[s0, s1] -> (16, s0 - s1)>}> : (index, index) -> index
    %81 = "memref.subview"(%74, %80, %50) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x64xf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xf16, strided<[64, 1]>, #hivm.address_space<ub>>
    %82 = "memref.subview"(%73, %80, %50) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x64xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%81, %82) <{may_implicit_transpose_with_last_axis = false}> {tiled_op} : (memref<?x?xf16, strided<[64, 1]>, #hivm.address_space<ub>>, memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false, false]> : vector<13xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = true, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()

