#include "de/draws.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

#include "de/every_device.hpp"
#include "device/kernel_table.hpp"

// Philox with the ten rounds of the paper, so that its published answers can be asked for.
// NOLINTBEGIN: the included file is OpenCL C
namespace atl::de::philox10 {
using uint = std::uint32_t;
using ulong = std::uint64_t;
struct uint4 {
  uint x, y, z, w;
};
#define ATOLL_FUNCTION inline
#define ATOLL_WORDS(a, b, c, d) (uint4{(a), (b), (c), (d)})
#pragma push_macro("PHILOX_ROUNDS")
#undef PHILOX_ROUNDS
#define PHILOX_ROUNDS 10
#include "kernels/common/philox.cl"
#pragma pop_macro("PHILOX_ROUNDS")
#undef ATOLL_FUNCTION
#undef ATOLL_WORDS
}  // namespace atl::de::philox10
// NOLINTEND

namespace atl::de {
namespace {

using Four = std::array<std::uint32_t, 4>;

template <typename Words>
Four words_of(Words block) {
  return {block.x, block.y, block.z, block.w};
}

struct KnownAnswer {
  Four counter;
  std::uint64_t key;
  Four ten_rounds, seven_rounds;
};

// kat_vectors of Random123: "philox4x32 10" and "philox4x32 7".
constexpr std::uint32_t ones = 0xffffffff;
const KnownAnswer known_answers[] = {{{0, 0, 0, 0},
                                      0,
                                      {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                      {0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}},
                                     {{ones, ones, ones, ones},
                                      ~std::uint64_t{0},
                                      {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                      {0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}},
                                     {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                                      0x299f31d0a4093822,
                                      {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
                                      {0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}}};

TEST(Draws, PhiloxGivesThePublishedAnswers) {
  for (const KnownAnswer& known : known_answers) {
    const auto [x, y, z, w] = known.counter;

    EXPECT_EQ(words_of(philox10::philox({x, y, z, w}, known.key)), known.ten_rounds);
    EXPECT_EQ(words_of(draws64::philox({x, y, z, w}, known.key)), known.seven_rounds);
  }
}

TEST(Draws, AWordHasItsPlaceInTheBlocksOfItsStream) {
  const std::uint64_t seed = 0x0123456789abcdef;
  for (std::uint32_t index = 0; index < 9; ++index) {
    const Four block = words_of(draws64::philox({(3U << 24) | (index / 4), 17, 5, 2}, seed));

    EXPECT_EQ(draws64::draw_word(seed, 3, index, 17, 5, 2), block[index % 4]);
  }
}

TEST(Draws, NoTwoStreamsShareAWord) {
  const std::uint64_t seed = 1;
  const auto words = [&](std::uint32_t kind, std::uint32_t member, std::uint32_t generation, std::uint32_t island) {
    return words_of(draws64::draw_block(seed, kind, 0, member, generation, island));
  };
  const Four one = words(3, 0, 0, 0);

  for (const Four& other : {words(4, 0, 0, 0), words(3, 1, 0, 0), words(3, 0, 1, 0), words(3, 0, 0, 1),
                            words_of(draws64::draw_block(2, 3, 0, 0, 0, 0)),
                            words_of(draws64::draw_block(1ULL + (1ULL << 32), 3, 0, 0, 0, 0)),
                            words_of(draws64::draw_block(1, 3, 1, 0, 0, 0))})
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NE(one[i], other[i]);
}

/// Words of a stream that nothing else in this file uses.
std::vector<std::uint32_t> random_words(std::size_t count, std::uint32_t stream) {
  std::vector<std::uint32_t> words(count);
  for (std::size_t i = 0; i < count; ++i)
    words[i] = draws64::draw_word(2024, 200, static_cast<std::uint32_t>(i), 0, 0, stream);
  return words;
}

/// Chi-squared of counts that should all be equal.
double chi_squared(const std::vector<std::size_t>& counts) {
  const double expected = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0})) /
                          static_cast<double>(counts.size());
  double sum = 0;
  for (const std::size_t count : counts) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  return sum;
}

/// Four standard deviations above the mean of chi-squared with `cells` - 1 degrees of freedom.
double chi_squared_limit(std::size_t cells) {
  const double freedom = static_cast<double>(cells) - 1;
  return freedom + 4 * std::sqrt(2 * freedom);
}

TEST(Draws, UniformsStayInTheirIntervalAtTheExtremeWords) {
  EXPECT_EQ(draws64::uniform(0), 0);
  EXPECT_LT(draws64::uniform(ones), 1);
  EXPECT_GT(draws64::uniform_open(0), 0);
  EXPECT_LT(draws64::uniform_open(ones), 1);
  EXPECT_EQ(draws64::uniform_fine(0, 0), 0);
  EXPECT_EQ(draws64::uniform_fine(ones, ones), 1 - 0x1p-53);
  EXPECT_EQ(draws32::uniform(0), 0);
  EXPECT_LT(draws32::uniform(ones), 1);
  EXPECT_GT(draws32::uniform_open(0), 0);
  EXPECT_LT(draws32::uniform_open(ones), 1);
  EXPECT_LT(draws32::uniform_fine(ones, ones), 1);
}

TEST(Draws, BoundedIntegersAreEquallyLikely) {
  for (const std::uint32_t n : {2U, 3U, 5U, 31U, 100U}) {
    std::vector<std::size_t> counts(n);
    for (const std::uint32_t word : random_words(100'000, n)) counts.at(draws64::bounded(word, n)) += 1;

    EXPECT_LT(chi_squared(counts), chi_squared_limit(n)) << n;
  }
  EXPECT_EQ(draws64::bounded(ones, 7), 6);
  EXPECT_EQ(draws64::bounded(0, 7), 0);
  EXPECT_EQ(draws64::bounded(ones, ones), ones - 1);
}

TEST(Draws, BoundedWithoutLeavesOutWhatItShouldAndNothingElse) {
  for (std::uint32_t a = 0; a < 7; ++a) {
    std::vector<std::size_t> counts(7);
    for (const std::uint32_t word : random_words(20'000, a)) counts.at(draws64::bounded_without(word, 7, a)) += 1;
    EXPECT_EQ(counts[a], 0);
    counts.erase(counts.begin() + a);
    EXPECT_LT(chi_squared(counts), chi_squared_limit(6)) << a;
    for (std::uint32_t b = 0; b < 7; ++b) {
      if (a == b) continue;
      std::vector<std::size_t> left(7);

      for (const std::uint32_t word : random_words(10'000, 7 * a + b))
        left.at(draws64::bounded_without2(word, 7, a, b)) += 1;

      EXPECT_EQ(left[a] + left[b], 0);
      left.erase(left.begin() + std::max(a, b));
      left.erase(left.begin() + std::min(a, b));
      EXPECT_LT(chi_squared(left), chi_squared_limit(5)) << a << ' ' << b;
    }
  }
}

TEST(Draws, DistinctGivesEveryOrderedChoiceEquallyOften) {
  // Two donors of six members without the target: 20 ordered pairs; five donors of six: 120 orders.
  for (std::uint32_t target = 0; target < 6; ++target) {
    const auto words = random_words(300'000, 50 + target);
    std::vector<std::size_t> pairs(36), orders(7776);
    for (std::size_t at = 0; at + 5 <= words.size(); at += 5) {
      std::array<std::uint32_t, 6> taken{target};
      std::size_t place = 0;
      std::array<bool, 6> seen{};
      seen[target] = true;
      for (int k = 0; k < 5; ++k) {
        const std::uint32_t donor = draws64::distinct(words[at + static_cast<std::size_t>(k)], 6, taken.data(), k);
        ASSERT_LT(donor, 6);
        ASSERT_FALSE(seen[donor]);
        seen[donor] = true;
        place = 6 * place + donor;
        if (k == 1) pairs[place] += 1;
      }
      orders[place] += 1;
    }
    std::erase(pairs, 0U);
    std::erase(orders, 0U);
    EXPECT_EQ(pairs.size(), 20);
    EXPECT_LT(chi_squared(pairs), chi_squared_limit(20));
    EXPECT_EQ(orders.size(), 120);
    EXPECT_LT(chi_squared(orders), chi_squared_limit(120));
  }
}

TEST(Draws, NormalsAndCauchysHaveTheirDistributions) {
  constexpr std::size_t count = 200'000;
  const auto first = random_words(count, 90), second = random_words(count, 91);
  std::vector<std::size_t> normal_cells(40), cauchy_cells(40);
  for (std::size_t i = 0; i < count; ++i) {
    const double z = draws64::normal(first[i], second[i]);
    const double normal_share = 0.5 * std::erfc(-z / std::numbers::sqrt2);
    const double cauchy_share = 0.5 + std::atan(draws64::cauchy(first[i])) / std::numbers::pi;

    normal_cells.at(static_cast<std::size_t>(40 * normal_share)) += 1;
    cauchy_cells.at(static_cast<std::size_t>(40 * cauchy_share)) += 1;
  }

  EXPECT_LT(chi_squared(normal_cells), chi_squared_limit(40));
  EXPECT_LT(chi_squared(cauchy_cells), chi_squared_limit(40));
}

TEST(Draws, PortableFunctionsAgreeWithTheLibraryFarBeyondWhatADrawShows) {
  std::vector<std::uint32_t> words = random_words(100'000, 95);
  for (const std::uint32_t edge : {0U, 1U, 0x3fffffffU, 0x40000000U, 0x7fffffffU, 0x80000000U, 0xc0000000U, ones})
    words.push_back(edge);
  for (const std::uint32_t word : words) {
    const double open = draws64::uniform_open(word), half_open = draws64::uniform(word), v = open - 0.5;

    EXPECT_NEAR(draws64::log_portable(open), std::log(open), 1e-13);
    EXPECT_NEAR(draws64::cos_two_pi(half_open), std::cos(2 * std::numbers::pi * half_open), 1e-13);
    // Near a half the library's argument would lose the digits, so the other side of the triangle is asked for.
    const double tangent = std::abs(v) > 0.25 ? std::copysign(1 / std::tan(std::numbers::pi * (0.5 - std::abs(v))), v)
                                              : std::tan(std::numbers::pi * v);
    EXPECT_NEAR(draws64::tan_pi(v) / tangent, 1, 1e-12);

    const float open32 = draws32::uniform_open(word), half_open32 = draws32::uniform(word);
    EXPECT_NEAR(draws32::log_portable(open32), std::log(open32), 1e-6 * std::max(1.0F, -std::log(open32)));
    EXPECT_NEAR(draws32::cos_two_pi(half_open32), std::cos(2 * std::numbers::pi * half_open32), 1e-6);
  }
}

// Everything that draws.cl offers, from the words of one work-item.
const char* const probe = R"(
kernel void probe(global const uint *words, global real *reals, global uint *integers, const uint count) {
  const uint i = (uint)get_global_id(0);
  if (i >= count) return;
  const uint a = words[i], b = words[(i + 1u) % count], c = words[(i + 2u) % count];
  global real *r = reals + 8u * i;
  r[0] = uniform(a);
  r[1] = uniform_open(a);
  r[2] = uniform_fine(a, b);
  r[3] = log_portable(uniform_open(a));
  r[4] = cos_two_pi(uniform(a));
  r[5] = tan_pi(uniform_open(a) - (real)0.5);
  r[6] = normal(a, b);
  r[7] = cauchy(a);
  global uint *n = integers + 8u * i;
  n[0] = draw_word(((ulong)b << 32) | a, 9u, i, b, c, a);
  n[1] = bounded(a, 147u);
  n[2] = bounded_without(a, 31u, b % 31u);
  n[3] = bounded_without2(a, 33u, b % 33u, (b % 33u + 1u + c % 32u) % 33u);
  uint taken[6];
  taken[0] = c % 16u;
  for (int k = 0; k < 4; ++k) n[4 + k] = distinct(words[(i + (uint)k) % count], 16u, taken, k);
}
)";

template <typename Real>
struct Probed {
  std::vector<Real> reals;
  std::vector<std::uint32_t> integers;
};

// The probe once more as C++, for both precisions.
#define ATOLL_HOST_PROBE(draws)                                                                             \
  Probed<draws::real> host_probe_##draws(const std::vector<std::uint32_t>& words) {                         \
    Probed<draws::real> probed;                                                                             \
    const auto count = static_cast<std::uint32_t>(words.size());                                            \
    for (std::uint32_t i = 0; i < count; ++i) {                                                             \
      const std::uint32_t a = words[i], b = words[(i + 1) % count], c = words[(i + 2) % count];             \
      const draws::real reals[] = {draws::uniform(a),                                                       \
                                   draws::uniform_open(a),                                                  \
                                   draws::uniform_fine(a, b),                                               \
                                   draws::log_portable(draws::uniform_open(a)),                             \
                                   draws::cos_two_pi(draws::uniform(a)),                                    \
                                   draws::tan_pi(draws::uniform_open(a) - draws::real{0.5}),                \
                                   draws::normal(a, b),                                                     \
                                   draws::cauchy(a)};                                                       \
      probed.reals.insert(probed.reals.end(), std::begin(reals), std::end(reals));                          \
      probed.integers.push_back(draws::draw_word((std::uint64_t{b} << 32) | a, 9, i, b, c, a));             \
      probed.integers.push_back(draws::bounded(a, 147));                                                    \
      probed.integers.push_back(draws::bounded_without(a, 31, b % 31));                                     \
      probed.integers.push_back(draws::bounded_without2(a, 33, b % 33, (b % 33 + 1 + c % 32) % 33));        \
      std::uint32_t taken[6] = {c % 16};                                                                    \
      for (std::uint32_t k = 0; k < 4; ++k)                                                                 \
        probed.integers.push_back(draws::distinct(words[(i + k) % count], 16, taken, static_cast<int>(k))); \
    }                                                                                                       \
    return probed;                                                                                          \
  }
ATOLL_HOST_PROBE(draws64)
ATOLL_HOST_PROBE(draws32)
#undef ATOLL_HOST_PROBE

template <typename Real>
Probed<Real> device_probe(const device::Device& device, const std::vector<std::uint32_t>& words) {
  const bool single = sizeof(Real) == 4;
  std::vector<device::SourcePiece> pieces = {{single ? "#define ATOLL_SINGLE\n" : "", ""}};
  for (const char* name : {"common/real.cl", "common/philox.cl", "common/draws.cl"})
    pieces.push_back({device::kernel_source(name), ""});
  pieces.push_back({probe, ""});
  const cl::Program program = device::build(device, pieces, single);
  cl::Kernel kernel(program, "probe");
  Probed<Real> probed{std::vector<Real>(8 * words.size()), std::vector<std::uint32_t>(8 * words.size())};
  const cl::Buffer inputs = device::allocate(device, words.size() * 4);
  const cl::Buffer reals = device::allocate(device, probed.reals.size() * sizeof(Real));
  const cl::Buffer integers = device::allocate(device, probed.integers.size() * 4);
  device.queue.enqueueWriteBuffer(inputs, CL_TRUE, 0, words.size() * 4, words.data());
  kernel.setArg(0, inputs);
  kernel.setArg(1, reals);
  kernel.setArg(2, integers);
  kernel.setArg(3, static_cast<cl_uint>(words.size()));
  device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange((words.size() + 63) / 64 * 64), cl::NDRange(64));
  device.queue.enqueueReadBuffer(reals, CL_TRUE, 0, probed.reals.size() * sizeof(Real), probed.reals.data());
  device.queue.enqueueReadBuffer(integers, CL_TRUE, 0, probed.integers.size() * 4, probed.integers.data());
  return probed;
}

class DrawsOnDevices : public EveryDevice {
 protected:
  void SetUp() override {
    EveryDevice::SetUp();
    words = random_words(20'000, 99);
    for (const std::uint32_t edge :
         {0U, 1U, 0x1ffU, 0x200U, 0x3fffffffU, 0x40000000U, 0x7fffffffU, 0x80000000U, 0xc0000000U, ones - 1, ones})
      words.push_back(edge);
  }
  std::vector<std::uint32_t> words;
};

TEST_F(DrawsOnDevices, EveryDrawInDoubleHasTheHostsBits) {
  const Probed<double> expected = host_probe_draws64(words);
  for (const auto& device : devices) {
    const Probed<double> found = device_probe<double>(device, words);

    EXPECT_EQ(found.integers, expected.integers);
    for (std::size_t i = 0; i < expected.reals.size(); ++i)
      ASSERT_EQ(found.reals[i], expected.reals[i]) << "function " << i % 8 << ", word " << words[i / 8];
  }
}

TEST_F(DrawsOnDevices, EveryDrawInSingleHasTheHostsBits) {
  const Probed<float> expected = host_probe_draws32(words);
  for (const auto& device : devices) {
    const Probed<float> found = device_probe<float>(device, words);

    EXPECT_EQ(found.integers, expected.integers);
    for (std::size_t i = 0; i < expected.reals.size(); ++i)
      ASSERT_EQ(found.reals[i], expected.reals[i]) << "function " << i % 8 << ", word " << words[i / 8];
  }
}

}  // namespace
}  // namespace atl::de
