// Damaged copies of a dump, of the kinds that a broken tool chain or a wrong edit makes.
#pragma once

#include <random>
#include <string>

namespace npu::machine {

// The text with one to three random edits of one aim: at the text (characters, lines, an end that is
// missing), at ops (numbers, operands, attributes that move to another op), or at the meaning (other
// modes, dims, sizes and types, such as another kernel could have).
std::string damage_text(const std::string& text, std::mt19937_64& random);

}  // namespace npu::machine
