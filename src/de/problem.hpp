// What is minimised: settings with names resolved, the table read, the expression checked, parameters flattened.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/de_settings.hpp"
#include "data/table.hpp"
#include "expression/expression.hpp"

namespace atl::de {

/// One entry of x. Vectors of the problem file are flattened to p[0], p[1], ...
struct Entry {
  std::string name;
  double min = 0, max = 0;  // as the user wrote them
  bool log_scale = false;
  bool integer = false;
  bool fixed = false;
  double value = 0;             // of a fixed entry
  std::optional<double> start;  // in the user's units
  int free_index = -1;          // place in the search vector u; -1: fixed
};

/// Search space: u has the free entries only, in file order. log: u = ln x. integer: [ceil(min) - 0.5, floor(max) +
/// 0.5].
struct Problem {
  config::ProblemKind kind = config::ProblemKind::benchmark;
  std::string name;                  // benchmark name, objective file as the user wrote it, or "model"
  std::vector<Entry> entries;        // D
  std::vector<double> lower, upper;  // of u, one a free entry
  std::optional<data::Table> table;
  std::size_t target = 0;             // column; model only
  std::optional<std::size_t> weight;  // column; model only
  config::LossKind loss = config::LossKind::absolute;
  double loss_scale = 1;
  std::shared_ptr<const expression::Expression> model;
  std::string objective_text;  // content of the .cl file
  bool per_row = false;        // objective file with data: `real term(const real *x, const real *row)`
  std::vector<config::Constant> constants;
  std::vector<std::string> warnings;  // what is allowed but hardly meant, for stderr

  [[nodiscard]] std::size_t dimension() const { return entries.size(); }
  [[nodiscard]] std::size_t free() const { return lower.size(); }
  [[nodiscard]] std::size_t rows() const { return table ? table->rows : 0; }
};

/// Reads what the settings name and checks it all: 65/66/78 with the place in the problem file.
[[nodiscard]] Problem make_problem(const config::DeSettings& settings);

/// x (D, the user's units) of a search vector u (free entries): exp and clamp, rounding, fixed values put in.
[[nodiscard]] std::vector<double> decode(const Problem& problem, const std::vector<double>& u);

/// u of x; the inverse of decode up to rounding.
[[nodiscard]] std::vector<double> encode(const Problem& problem, const std::vector<double>& x);

/// Counted work of one evaluation in additions; decides between the two kernel shapes, never the rank count.
[[nodiscard]] double operations(const Problem& problem);

/// FNV-1a of everything that the optimum depends on: kind, text, data, entries, loss, constants.
[[nodiscard]] std::uint64_t fingerprint(const Problem& problem);

}  // namespace atl::de
