// A good file damaged at random: it loads or ends in one Error of a documented code, never in a crash. Run under the
// sanitizers (ATOLL_SANITIZE) this also shows that the TOML library never sees what it cannot stand.
#include <gtest/gtest.h>

#include <random>

#include "config/de_settings.hpp"
#include "config/good_problem.hpp"
#include "config/scratch.hpp"

namespace atl::config {
namespace {

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string damaged(std::string text) {
    for (std::size_t i = 1 + below(4); i > 0; --i) damage(text);
    return text;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  void damage(std::string& text) {
    static const std::string pieces[] = {"[",
                                         "]",
                                         "[[",
                                         "[=",
                                         "{",
                                         "}",
                                         "=",
                                         ".",
                                         ",",
                                         "\"",
                                         "'",
                                         "\"\"\"",
                                         "'''",
                                         "#",
                                         "\\",
                                         "\\u00",
                                         "\n",
                                         "\r\n",
                                         "\r",
                                         "nan",
                                         "-inf",
                                         "1e999",
                                         "0x",
                                         "0b2",
                                         "1_",
                                         "9999999999999999999999",
                                         "1979-05-27",
                                         "25:61:00",
                                         "true",
                                         "fals",
                                         "\xff",
                                         "\xc3\xa9",
                                         "\xe2\x80\xa8",
                                         "\xc2\x85",
                                         "\xef\xbb\xbf",
                                         std::string(1, '\0'),
                                         "\x7f",
                                         "a.b.c",
                                         "inf",
                                         "+",
                                         "-",
                                         "\\UFFFFFFFF"};
    const std::size_t place = below(text.size() + 1);
    const std::size_t length = std::min<std::size_t>(below(20), text.size() - place);
    switch (below(6)) {
      case 0:
        if (place < text.size()) text[place] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(place, length);
        break;
      case 2:
        text.insert(place, text.substr(below(text.size() + 1), length));
        break;
      case 3:
        text.resize(place);
        break;
      case 4:
        text.replace(place, length, pieces[below(std::size(pieces))]);
        break;
      default:
        text.insert(place, pieces[below(std::size(pieces))]);
        break;
    }
  }

  std::mt19937 random_;
};

/// 0: it loads.
int code_of(const std::string& file, const std::vector<Override>& overrides) {
  try {
    (void)load_de(file, overrides);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()), "");
    return static_cast<int>(error.code());
  }
  return 0;
}

TEST(DeMutation, ADamagedFileLoadsOrIsRefused) {
  const test::Scratch scratch;
  Mutator mutator(20240611);
  int refused = 0;
  constexpr int files = 500;

  for (int i = 0; i < files; ++i) {
    const std::string text = mutator.damaged(test::good_problem);
    const int code = code_of(scratch.write("problem.toml", text), {});

    EXPECT_TRUE(code == 0 || code == 78) << "code " << code << " for file " << i << ":\n" << text;
    refused += code != 0;
  }

  EXPECT_GT(refused, files / 4);  // the damage is real
  EXPECT_LT(refused, files);
}

TEST(DeMutation, DamagedOverridesLoadOrAreRefused) {
  const test::Scratch scratch;
  const std::string file = scratch.write("problem.toml", test::good_problem);
  Mutator mutator(7);

  for (int i = 0; i < 1000; ++i) {
    const std::string key = mutator.damaged("parameters.a1");
    const std::string value = mutator.damaged("{ min = -1, max = 2.5, start = 1 }");
    const int code =
        code_of(file, {{key, value, "--set"}, {"stop.time", mutator.damaged("11h30m"), "--set stop.time"}});

    EXPECT_TRUE(code == 0 || code == 78) << "code " << code << " for " << key << "=" << value;
  }
}

}  // namespace
}  // namespace atl::config
