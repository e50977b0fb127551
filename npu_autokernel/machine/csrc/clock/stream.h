// Synthetic instruction streams: what calibration and tests feed to the clock without a compiler.
//
// A Stream is the program of one core of one block: instructions inside counted loops. An operand
// in global memory moves by a fixed stride per loop level, a flag's event alternates with the
// innermost loop. Instructions are the very values that the interpreter hands out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clock/clock.h"
#include "instruction.h"

namespace npu::machine {

// A rectangle of rows in one buffer of global memory; addresses and lengths in bytes.
struct GmTile {
  int32_t buffer = 0;
  int64_t first_byte = 0;
  int64_t rows = 1;
  int64_t row_bytes = 0;
  int64_t row_stride = 0;
  std::vector<int64_t> loop_strides;  // from the outermost loop inwards
};

class Stream {
 public:
  void begin_loop(int64_t count);
  void end_loop();

  void scalar(uint32_t op_count) { pending_scalar_ops_ += op_count; }
  void scalar_access(const std::string& space, int64_t count);
  void set_flag(const std::string& set_pipe, const std::string& wait_pipe, int32_t event,
                int32_t period);
  void wait_flag(const std::string& set_pipe, const std::string& wait_pipe, int32_t event,
                 int32_t period);
  void barrier(const std::string& pipe);
  void load(const GmTile& tile);
  // Into L1: as fractals, or row by row as it is.
  void load_l1(const GmTile& tile, bool as_fractals);
  void store(const GmTile& tile, bool atomic);
  void fixpipe(const GmTile& tile, int64_t element_bytes);
  // Elementwise over `elements`; UB addresses of the inputs and of the result. `result_type`: empty,
  // as the inputs. `block_strides`: of the 32-byte blocks of each input and the result; empty: 1.
  void vector(const std::string& name, const std::string& type, int64_t elements,
              const std::vector<int64_t>& inputs, int64_t result, const std::string& result_type,
              const std::vector<int64_t>& block_strides);
  // Rows of `row_blocks` blocks of 32 bytes written `block_stride` blocks apart.
  void copy_blocks(int64_t rows, int64_t row_blocks, int64_t block_stride);
  // Last-axis reduction of rows.
  void reduce(const std::string& kind, const std::string& type, int64_t rows, int64_t columns);
  void matmul(const std::string& type, int64_t m, int64_t k, int64_t n);
  // Of type hfloat32: float32 in memory, multiplied at twice its rate.
  void load_l0(bool is_a, const std::string& type, int64_t m, int64_t k, int64_t n);
  void multiply(const std::string& type, int64_t m, int64_t k, int64_t n);
  void cross_set(const std::string& pipe, int32_t event);
  void cross_wait(const std::string& pipe, int32_t event);

  // One node of the program. A loop's body ends at `end`.
  struct Node {
    enum class Kind : uint8_t { kLoop, kEnd, kInstruction } kind = Kind::kInstruction;
    int64_t count = 0;
    size_t end = 0;  // kLoop: its kEnd; kEnd: its kLoop
    Operation operation;
    Instruction instruction;
    int gm_view = -1;
    std::vector<int64_t> loop_strides;
    int32_t first_event = 0;
    int32_t event_period = 1;
  };
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  Node& add(Opcode opcode, Pipe pipe);
  Node& add_flag(Opcode opcode, const std::string& set_pipe, const std::string& wait_pipe);
  void set_gm(Node& node, int view, const GmTile& tile);

  std::vector<Node> nodes_;
  std::vector<size_t> open_loops_;
  uint32_t pending_scalar_ops_ = 0;
};

// The streams of one block: one for a vector or a cube kernel; cube, vector 0, vector 1 for a mix.
using BlockStreams = std::vector<Stream>;

struct L2Bypass {
  bool loads = false;
  bool stores = false;
};

TimingReport simulate(const std::vector<BlockStreams>& blocks, CoreUse use, const L2Bypass& bypass,
                      const SocNumbers& soc, const ClockConstants& constants,
                      const ClockOptions& options);

}  // namespace npu::machine
