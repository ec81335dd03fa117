// A model expression: what parses can be evaluated and emitted.
#include "expression/expression.hpp"

#include <array>
#include <cstdint>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using atl::expression::Expression;
  static const atl::expression::Symbols symbols = {.parameters = {{"a", 0, 0}, {"p", 1, 3}},
                                                   .columns = {"x", "k 1", "y"},
                                                   .constants = {{"c", 2}},
                                                   .forbidden_column = "y"};
  const std::array<double, 4> x = {1, -2, 0.5, 3};
  const std::array<double, 3> row = {0.25, 1, 0};
  atl::fuzz::read_or_refuse(
      [&] {
        const Expression expression({reinterpret_cast<const char*>(data), size}, symbols, {"fuzz", 1, 1});
        volatile double value = expression.evaluate(x, row);
        (void)value;
        (void)expression.opencl([](std::size_t c) { return atl::expression::literal(static_cast<double>(c)); });
        expression.check_indices([&](std::size_t, std::size_t column) { return row[column]; }, 1);
      },
      [](const std::string& message) { return atl::fuzz::tells_place(message, "fuzz", ":"); });
  return 0;
}
