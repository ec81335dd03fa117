#include "de/low_discrepancy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/error.hpp"

namespace atl::de {
namespace {

constexpr std::uint16_t direction_numbers[] = {
#include "de/sobol_direction_numbers.inc"
};

constexpr std::size_t sobol_dimensions = 1024;
constexpr int bits = 32;
using Directions = std::array<std::uint32_t, bits>;

/// Direction numbers of one dimension by Bratley and Fox's recurrence (ACM TOMS Algorithm 659): `first` has the
/// polynomial, then as many numbers as its degree.
Directions extend(const std::uint16_t* first) {
  const std::uint32_t polynomial = *first;
  const int degree = static_cast<int>(std::bit_width(polynomial)) - 1;
  Directions v{};
  std::copy_n(first + 1, degree, v.begin());
  for (int j = degree; j < bits; ++j) {
    v[j] = v[j - degree];
    for (int k = 1; k <= degree; ++k) {
      if ((polynomial >> (degree - k) & 1U) != 0) v[j] ^= v[j - k] << k;
    }
  }
  return v;
}

std::vector<Directions> directions(std::size_t dimension) {
  std::vector<Directions> result(dimension);
  const std::uint16_t* next = direction_numbers;
  for (std::size_t d = 0; d < dimension; ++d) {
    if (d == 0) {
      result[d].fill(1);  // van der Corput
    } else {
      result[d] = extend(next);
      next += std::bit_width(static_cast<unsigned>(*next));  // the polynomial and its degree of numbers
    }
    for (int j = 0; j < bits; ++j) result[d][j] <<= bits - 1 - j;
  }
  return result;
}

std::vector<std::uint32_t> primes(std::size_t count) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t candidate = 2; found.size() < count; ++candidate) {
    const bool prime = std::none_of(found.begin(), found.end(), [&](std::uint32_t p) {
      return std::uint64_t{p} * p <= candidate && candidate % p == 0;
    });
    if (prime) found.push_back(candidate);
  }
  return found;
}

/// The digits of `index` mirrored at the point.
double radical_inverse(std::size_t index, std::uint32_t base) {
  double value = 0;
  double weight = 1;
  for (; index > 0; index /= base) {
    weight /= base;
    value += static_cast<double>(index % base) * weight;
  }
  return value;
}

}  // namespace

std::vector<double> sobol_points(std::size_t count, std::size_t dimension) {
  if (dimension > sobol_dimensions) {
    fail(ExitCode::bad_configuration,
         "algorithm.initial \"sobol\" serves at most {} free parameters, and there are {}; \"latin_hypercube\" serves "
         "any number",
         sobol_dimensions, dimension);
  }
  const std::vector<Directions> v = directions(dimension);
  std::vector<std::uint32_t> state(dimension, 0);
  std::vector<double> points(count * dimension);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < dimension; ++d) points[i * dimension + d] = 0x1p-32 * state[d];
    const int change = std::countr_one(i) % bits;  // Gray code: one direction changes from point to point
    for (std::size_t d = 0; d < dimension; ++d) state[d] ^= v[d][static_cast<std::size_t>(change)];
  }
  return points;
}

std::vector<double> halton_points(std::size_t count, std::size_t dimension) {
  const std::vector<std::uint32_t> bases = primes(dimension);
  std::vector<double> points(count * dimension);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < dimension; ++d) points[i * dimension + d] = radical_inverse(i, bases[d]);
  }
  return points;
}

}  // namespace atl::de
