// Damaged copies of a dump, of the kinds that a broken tool chain or a wrong edit makes.
#pragma once

#include <random>
#include <string>

namespace npu::machine {

// The text with one to three random edits: characters, lines and numbers that change, attributes
// that move to another op, an end that is missing.
std::string damage_text(const std::string& text, std::mt19937_64& random);

}  // namespace npu::machine
