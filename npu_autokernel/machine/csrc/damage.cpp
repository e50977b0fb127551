// Each edit takes the text, a place in it and a source of numbers; none needs the text to be whole.
#include "damage.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace npu::machine {
namespace {

constexpr auto kNone = std::string::npos;
constexpr const char* kDigits = "0123456789";
// Around each limit that the machine has: of widths, of alignment, of capacities, of addresses.
constexpr const char* kNumbers[] = {
    "0", "1", "-1", "2", "3", "7", "16", "31", "32", "33", "63", "65", "255", "4096", "65536",
    "196607", "196608", "524288", "2147483647", "-2147483648", "4294967296",
    "4611686018427387904", "9223372036854775807", "-9223372036854775808", "1e39", "-0.0"};
constexpr const char* kTypes[] = {"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "index"};

constexpr const char* kSizes[] = {"1", "2", "3", "7", "8", "16", "17", "31", "48", "64", "100", "1000"};
// The values of one attribute each, between blanks.
constexpr const char* kEnumerations[] = {
    " rint round floor ceil trunc truncwithoverflow ",
    " eq ne lt le gt ge ",
    " sum prod max min xori ori andi max_with_index_left min_with_index_left max_with_index_right "
    "min_with_index_right ",
    " none add max min ",
    " cast_signed cast_unsigned ",
    " CHANNEL_0 CHANNEL_1 ALL_CHANNELS ",
    " PIPE_S PIPE_V PIPE_MTE1 PIPE_MTE2 PIPE_MTE3 PIPE_M PIPE_FIX PIPE_ALL ",
    " EVENT_ID0 EVENT_ID1 EVENT_ID2 EVENT_ID3 EVENT_ID7 ",
    " gm ub cbuf cc ",
    " PadNull PadValue PadFirstElem ",
    " DISABLED ENABLED_WITHOUT_UPDATE ENABLED_WITH_UPDATE "};

using Random = std::mt19937_64;

size_t below(Random& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

template <size_t N>
const char* pick(const char* const (&words)[N], Random& random) {
  return words[below(random, N)];
}

void change_character(std::string& text, size_t at, Random& random) {
  text[at] = static_cast<char>(32 + below(random, 95));
}

void erase_part(std::string& text, size_t at, Random& random) {
  text.erase(at, 1 + below(random, 40));
}

void repeat_part(std::string& text, size_t at, Random& random) {
  text.insert(at, text.substr(below(random, text.size()), below(random, 80)));
}

void erase_line(std::string& text, size_t at, Random&) {
  const size_t start = text.rfind('\n', at), end = text.find('\n', at);
  if (start != kNone && end != kNone && start < end) text.erase(start, end - start);
}

void cut_end(std::string& text, size_t at, Random&) { text.resize(at); }

// The next run of digits, its sign and fraction included.
bool find_number(const std::string& text, size_t at, size_t& start, size_t& end) {
  start = text.find_first_of(kDigits, at);
  if (start == kNone) return false;
  end = std::min(text.find_first_not_of("0123456789.", start), text.size());
  if (start > 0 && text[start - 1] == '-') --start;
  return true;
}

void replace_number(std::string& text, size_t at, Random& random) {
  size_t start, end;
  if (find_number(text, at, start, end)) text.replace(start, end - start, pick(kNumbers, random));
}

void change_digit(std::string& text, size_t at, Random& random) {
  const size_t digit = text.find_first_of(kDigits, at);
  if (digit != kNone) text[digit] = static_cast<char>('0' + below(random, 10));
}

void lengthen_number(std::string& text, size_t at, Random& random) {
  const size_t digit = text.find_first_of(kDigits, at);
  if (digit != kNone) text.insert(digit, std::to_string(random()));
}

// The properties `<{...}>` of the next op after `at`.
bool find_properties(const std::string& text, size_t at, size_t& start, size_t& end) {
  start = text.find("<{", at);
  end = start == kNone ? kNone : text.find("}>", start);
  return end != kNone;
}

void move_properties(std::string& text, size_t at, Random& random) {
  size_t start, end, from, to;
  if (!find_properties(text, at, start, end)) return;
  if (!find_properties(text, below(random, text.size()), from, to)) return;
  const std::string properties = text.substr(from, to - from);
  text.replace(start, end - start, properties);
}

void change_property_number(std::string& text, size_t at, Random& random) {
  size_t start, end;
  if (find_properties(text, at, start, end)) {
    replace_number(text, start + below(random, end - start), random);
  }
}

void change_element_type(std::string& text, size_t at, Random& random) {
  const size_t start = text.find_first_of("x", text.find("memref<", at));
  if (start == kNone) return;
  const size_t end = text.find_first_of(",>", start);
  const size_t last = text.rfind('x', end);
  if (end != kNone && last != kNone && last < end) {
    text.replace(last + 1, end - last - 1, pick(kTypes, random));
  }
}

// The value %name that is used at one place is used at another.
void swap_operand(std::string& text, size_t at, Random& random) {
  const size_t start = text.find('%', at), from = text.find('%', below(random, text.size()));
  if (start == kNone || from == kNone) return;
  const auto end_of = [&text](size_t place) {
    return std::min(text.find_first_of(" ,:)=", place), text.size());
  };
  const std::string name = text.substr(from, end_of(from) - from);
  text.replace(start, end_of(start) - start, name);
}

// The op of one line gets the name of another.
void swap_op(std::string& text, size_t at, Random& random) {
  const size_t start = text.find("\"hivm.hir.", at);
  const size_t from = text.find("\"hivm.hir.", below(random, text.size()));
  if (start == kNone || from == kNone) return;
  const size_t end = text.find('"', start + 1), to = text.find('"', from + 1);
  if (end == kNone || to == kNone) return;
  const std::string name = text.substr(from, to - from);
  text.replace(start, end - start, name);
}

// One of the words of `words`, which are between blanks.
std::string pick_word(const std::string& words, Random& random) {
  const size_t start = words.rfind(' ', below(random, words.size() - 1)) + 1;
  return words.substr(start, words.find(' ', start) - start);
}

// An attribute #hivm.kind<word> gets another word of its kind.
void change_enumerator(std::string& text, size_t at, Random& random) {
  size_t start = text.find("#hivm.", at);
  start = start == kNone ? kNone : text.find('<', start);
  const size_t end = start == kNone ? kNone : text.find('>', start);
  if (end == kNone) return;
  const std::string word = text.substr(start + 1, end - start - 1);
  for (const std::string words : kEnumerations) {
    if (words.find(" " + word + " ") == kNone) continue;
    text.replace(start + 1, word.size(), pick_word(words, random));
    return;
  }
}

void negate_boolean(std::string& text, size_t at, Random&) {
  const size_t on = text.find("= true", at), off = text.find("= false", at);
  if (on == kNone && off == kNone) return;
  on < off ? text.replace(on, 6, "= false") : text.replace(off, 7, "= true");
}

// The dims or the permutation of one op, with small numbers.
void change_dims(std::string& text, size_t at, Random& random) {
  const size_t start = text.find("array<i64: ", at);
  const size_t end = start == kNone ? kNone : text.find('>', start);
  if (end == kNone) return;
  for (size_t i = start + 11; i < end; ++i) {
    if (text[i] >= '0' && text[i] <= '9') text[i] = static_cast<char>('0' + below(random, 4));
  }
}

bool is_digit(char character) { return character >= '0' && character <= '9'; }

// Whether the number at `start` is one by itself: not part of a name (%16, EVENT_ID0) or a type (i32).
bool is_number(const std::string& text, size_t start, size_t end) {
  const char before = start == 0 ? ' ' : text[start - 1];
  return (before == 'x' || std::string(" <[(:-").find(before) != kNone) &&
         (end == text.size() || !is_digit(text[end]));
}

// One number, wherever it stands: sizes change together, so the dump stays one that could be.
void resize_everywhere(std::string& text, size_t at, Random& random) {
  size_t start, end;
  if (!find_number(text, at, start, end)) return;
  const std::string number = text.substr(start, end - start), other = pick(kSizes, random);
  for (size_t i = text.find(number); i != kNone; i = text.find(number, i)) {
    const size_t after = i + number.size();
    const bool is_whole = is_number(text, i, after);
    if (is_whole) text.replace(i, number.size(), other);
    i += is_whole ? other.size() : number.size();
  }
}

// One element type of memrefs, in all of them.
void retype_everywhere(std::string& text, size_t, Random& random) {
  const std::string from = std::string("x") + pick(kTypes, random) + ",";
  const std::string to = std::string("x") + pick(kTypes, random) + ",";
  for (size_t i = text.find(from); i != kNone; i = text.find(from, i + to.size())) {
    text.replace(i, from.size(), to);
  }
}

using Edit = void (*)(std::string&, size_t, Random&);
constexpr Edit kEditsOfText[] = {change_character, erase_part, repeat_part,
                                 erase_line,       cut_end,    lengthen_number};
constexpr Edit kEditsOfOps[] = {change_digit,           replace_number,      move_properties,
                                change_property_number, change_element_type, swap_operand,
                                swap_op};
// What another kernel could say: the decoder takes most of these.
constexpr Edit kEditsOfMeaning[] = {change_enumerator, negate_boolean,    change_dims,
                                    resize_everywhere, retype_everywhere, swap_op};

}  // namespace

std::string damage_text(const std::string& text, std::mt19937_64& random) {
  std::string result = text;
  const size_t aim = below(random, 8);
  const size_t edits = 1 + below(random, 3);
  for (size_t edit = 0; edit < edits && !result.empty(); ++edit) {
    const size_t at = below(random, result.size());
    const Edit change = aim < 1   ? kEditsOfText[below(random, std::size(kEditsOfText))]
                        : aim < 4 ? kEditsOfOps[below(random, std::size(kEditsOfOps))]
                                  : kEditsOfMeaning[below(random, std::size(kEditsOfMeaning))];
    change(result, at, random);
  }
  return result;
}

}  // namespace npu::machine
