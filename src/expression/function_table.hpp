// The functions of the language: one row a function, with its value on the host and its name on the device.
#pragma once
#include <span>
#include <string_view>

namespace atl::expression {

struct Function {
  using One = double (*)(double);
  using Two = double (*)(double, double);
  using Three = double (*)(double, double, double);

  std::string_view name;
  std::string_view opencl;  // takes and gives real
  double work = 20;         // in additions, all parts included
  One one = nullptr;        // exactly one of the three is set
  Two two = nullptr;
  Three three = nullptr;

  [[nodiscard]] std::size_t arguments() const { return one != nullptr ? 1 : two != nullptr ? 2 : 3; }
};

[[nodiscard]] std::span<const Function> function_table();

/// nullptr when there is none of that name.
[[nodiscard]] const Function* find_function(std::string_view name);

}  // namespace atl::expression
