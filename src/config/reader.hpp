// Typed questions to a document. Every key that is asked for leaves its effective value and origin behind; every key
// that nobody declared is refused with what is allowed.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/document.hpp"
#include "config/effective.hpp"
#include "config/toml_text.hpp"

namespace atl::config {

/// The integers from low to high.
struct Range {
  std::int64_t low, high;
};

/// The reals from low to high, without low itself where `open`. NaN is never inside.
struct Interval {
  double low, high;
  bool open = false;
};

inline constexpr Interval any_finite{-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};

/// One word of a choice.
template <typename E>
struct Named {
  const char* name;
  E value;
};

/// Keys are dotted ("stop.evaluations"). First declare what may stand in the document, then call refuse_unknown, then
/// ask; a question about an undeclared key is an internal fault. Every fault of the user's is an Error 78 that begins
/// with "file:line: key: " or with the override's origin.
class Reader {
 public:
  explicit Reader(Document document) : document_(std::move(document)) {}

  // Declaring.
  void expect(const std::string& table, std::vector<std::string> keys);  // "" is the top of the document
  void expect_any(const std::string& table);                             // its keys are names of the user's
  void forbid(const std::string& key, const std::string& reason);        // known, but refused: "is used by X only"
  void refuse_unknown() const;                                           // once, after the declarations

  // Asking without recording.
  [[nodiscard]] const Value* find(std::string_view key) const;   // null where it is absent
  [[nodiscard]] const Value* table(std::string_view key) const;  // must be a table where it is there
  /// The items of an array; a single value is a list of one.
  [[nodiscard]] std::vector<const Value*> list(std::string_view key) const;

  // Asking: the value if it is there, or the default; both are recorded. Without a default, only what is there is.
  std::optional<std::int64_t> integer(std::string_view key, Range range);
  std::int64_t integer(std::string_view key, Range range, std::int64_t fallback);
  std::optional<double> real(std::string_view key, Interval interval);
  double real(std::string_view key, Interval interval, double fallback);
  /// All 64 bits: what is beyond the integers of TOML stands in quotes, and is recorded so.
  std::uint64_t seed(std::string_view key, std::uint64_t fallback);
  bool boolean(std::string_view key, bool fallback);
  std::optional<std::string> text(std::string_view key);  // not empty
  std::string text(std::string_view key, const std::string& fallback);
  std::vector<std::string> texts(std::string_view key);  // empty where it is absent
  /// A file: relative to the document, or to the current folder for an override. Recorded as an absolute path.
  std::optional<std::string> path(std::string_view key);

  /// One of `names`. `later` are words of the language that this version does not have; a last ':' makes a prefix.
  template <typename E, std::size_t N>
  E choice(std::string_view key, E fallback, const std::array<Named<E>, N>& names,
           std::initializer_list<std::string_view> later = {}) {
    std::vector<std::string> words;
    words.reserve(N);
    std::size_t usual = 0;
    for (const Named<E>& named : names) {
      if (named.value == fallback) usual = words.size();
      words.emplace_back(named.name);
    }
    return names[pick(key, usual, words, later)].value;
  }

  // For values of a kind of its own: check it, then record it.
  [[nodiscard]] std::int64_t check(const Value& value, std::string_view key, Range range) const;
  [[nodiscard]] double check(const Value& value, std::string_view key, Interval interval) const;
  [[nodiscard]] const std::string& check_text_of(const Value& value, std::string_view key) const;
  [[noreturn]] void wrong_word(const Value& value, std::string_view key, const std::vector<std::string>& words,
                               std::initializer_list<std::string_view> later = {}) const;
  void record(std::string_view key, std::string toml);                       // with the origin of `key`
  void record(std::string_view key, std::string toml, const Value* origin);  // null: "default"

  // Places and faults.
  /// Of the key (file and line), else of the nearest table around it, else the document.
  [[nodiscard]] Location where(std::string_view key) const;
  [[noreturn]] void refuse(std::string_view key, const std::string& reason) const { refuse(where(key), key, reason); }
  [[noreturn]] void refuse(const Location& where, std::string_view key, const std::string& reason) const;

  [[nodiscard]] const Document& document() const { return document_; }
  [[nodiscard]] const std::vector<EffectiveValue>& effective() const { return effective_; }

 private:
  std::size_t pick(std::string_view key, std::size_t usual, const std::vector<std::string>& words,
                   std::initializer_list<std::string_view> later);
  void refuse_unknown_in(const Value& table, const std::string& name) const;
  [[nodiscard]] bool declared(std::string_view key) const;

  Document document_;
  std::map<std::string, std::vector<std::string>, std::less<>> tables_;  // declared keys; none: any
  std::map<std::string, std::string, std::less<>> forbidden_;            // key -> reason
  std::vector<EffectiveValue> effective_;
};

/// "ring", "star" as a message lists them: ring, star.
[[nodiscard]] std::string joined(const std::vector<std::string>& words);

/// File and line without the column, as messages about a key's meaning show it.
[[nodiscard]] Location line_of(const Value& value);

}  // namespace atl::config
