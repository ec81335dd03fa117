// Seeded damage to the bytes of a file, the same everywhere for the same seed; and how reading it ended.
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace atl::test {

class Mutator {
 public:
  /// `pieces` are put into texts: what the reader under test may trip over.
  explicit Mutator(std::uint64_t seed, std::vector<std::string> pieces = {})
      : random_(seed), pieces_(std::move(pieces)) {}

  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }

  /// One to four small damages, so that what is behind the first fault is reached too.
  std::string text(std::string bytes) {
    for (std::size_t times = 1 + below(4); times > 0; --times) damage_text(bytes);
    return bytes;
  }

  /// One damage of the kind that disks, copies and other programs do.
  std::string binary(std::string bytes) {
    const std::size_t at = below(bytes.size());
    const std::size_t sector = std::min<std::size_t>(512, bytes.size() - at);
    switch (below(8)) {
      case 0:
      case 1:
        for (std::size_t flips = 1 + below(8); flips > 0; --flips) flip_bit(bytes, below(bytes.size()));
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        for (std::size_t i = at; i < at + 1 + below(sector); ++i) bytes[i] = static_cast<char>(random_());
        break;
      case 4:
        bytes.replace(at, sector, sector, '\0');
        break;
      case 5:
        bytes += bytes.substr(at);
        break;
      case 6:
        bytes.erase(at, sector);
        break;
      default:
        bytes = below(4) == 0 ? "" : bytes.substr(sector);  // nothing, or the end alone
    }
    return bytes;
  }

 private:
  void damage_text(std::string& bytes) {
    const std::size_t at = below(bytes.size() + 1);
    const std::size_t length = std::min(below(20), bytes.size() - at);
    switch (below(7)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(random_());
        break;
      case 1:
        if (at < bytes.size()) flip_bit(bytes, at);
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(below(bytes.size() + 1), length));
        break;
      case 4:
        if (below(4) == 0) bytes.resize(at);
        break;
      case 5:
        bytes.replace(at, length, piece());
        break;
      default:
        bytes.insert(at, piece());
    }
  }

  void flip_bit(std::string& bytes, std::size_t at) {
    bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << below(8)));
  }

  std::string piece() { return pieces_.empty() ? std::string() : pieces_[below(pieces_.size())]; }

  std::mt19937_64 random_;
  std::vector<std::string> pieces_;
};

/// How reading a file ended.
struct Verdict {
  int code = 0;  // of the Error; 0: it was accepted
  std::string message;
};

template <typename Read>
Verdict verdict_of(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what()};
  }
  return {};
}

}  // namespace atl::test
