// Fuzzing of the expression language, for clang: any bytes either parse or are an Error, and what parses can be
// evaluated and emitted.
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tests/expression/fuzz_expression.cpp
//     src/expression/*.cpp src/base/error.cpp -lfmt -o fuzz_expression
//   ./fuzz_expression -max_len=400 -max_total_time=60
#include <array>
#include <cstdint>

#include "expression/expression.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using atl::expression::Expression;
  static const atl::expression::Symbols symbols = {.parameters = {{"a", 0, 0}, {"p", 1, 3}},
                                                   .columns = {"x", "k 1", "y"},
                                                   .constants = {{"c", 2}},
                                                   .forbidden_column = "y"};
  const std::array<double, 4> x = {1, -2, 0.5, 3};
  const std::array<double, 3> row = {0.25, 1, 0};
  try {
    const Expression expression({reinterpret_cast<const char*>(data), size}, symbols, {"fuzz", 1, 1});
    volatile double value = expression.evaluate(x, row);
    (void)value;
    (void)expression.opencl([](std::size_t c) { return atl::expression::literal(static_cast<double>(c)); });
  } catch (const atl::Error&) {
  }
  return 0;
}
