#include "config/shelter.hpp"

#include <cstddef>

namespace atl::config {

namespace {

constexpr char32_t shift = 0xF0000;

/// The character at the front of valid UTF-8, which is shortened by it.
char32_t next(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  char32_t character = length == 1 ? first : first & (0x7FU >> length);
  for (std::size_t i = 1; i < length && i < text.size(); ++i) {
    character = (character << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  text.remove_prefix(length < text.size() ? length : text.size());
  return character;
}

void append(std::string& text, char32_t character) {
  const auto tail = [&](unsigned bits) { text += static_cast<char>(0x80U | ((character >> bits) & 0x3FU)); };
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += static_cast<char>(0xC0U | (character >> 6U));
    tail(0);
  } else if (character < 0x10000) {
    text += static_cast<char>(0xE0U | (character >> 12U));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0U | (character >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

std::string sheltered(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const char32_t character = next(text);
    append(result, character >= 0x80 && character <= 0xFFFF ? character + shift : character);
  }
  return result;
}

std::string restored(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const char32_t character = next(text);
    append(result, character >= shift + 0x80 && character <= shift + 0xFFFF ? character - shift : character);
  }
  return result;
}

}  // namespace atl::config
