// What a run was asked to do, one line a key: where each value came from, and how to write them all down again.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace atl::config {

/// One line of the effective configuration, for --dry-run and the result file.
struct EffectiveValue {
  std::string key;     // "stop.evaluations"
  std::string value;   // as TOML: 80000, "ring", [0.5, 1.0]
  std::string origin;  // "default", "problem.toml:14", "--set stop.evaluations", "--seed"
};

/// --set KEY=VALUE and the flags that stand for keys (--seed, --precision), in order; the last one wins.
struct Override {
  std::string key;     // dotted
  std::string value;   // TOML, or a string where that does not parse
  std::string origin;  // "--set stop.evaluations", "--seed"
};

/// The values as a TOML document: one [table] a first part of the keys, in the order in which they first appear.
[[nodiscard]] std::string toml_document(const std::vector<EffectiveValue>& values);

/// Writes down what the run itself decided (a default that depends on the data, "auto" resolved): replaces the value
/// of `key` and keeps its origin, or adds the key behind the others of its table with origin "default".
void resolve(std::vector<EffectiveValue>& values, std::string_view key, std::string_view toml);

}  // namespace atl::config
