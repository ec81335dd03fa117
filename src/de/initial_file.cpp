#include "de/initial_file.hpp"

#include "store/hdf5.hpp"

namespace atl::de {
namespace {

std::string shape_text(const store::Shape& shape) {
  std::string text;
  for (const hsize_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

void check_inside(const Problem& problem, const double* x, std::size_t member, const Location& where) {
  for (std::size_t i = 0; i < problem.dimension(); ++i) {
    const Entry& entry = problem.entries[i];
    if (!(x[i] >= entry.min && x[i] <= entry.max))
      fail_at(ExitCode::bad_data, where, "algorithm.initial: member {} has {} = {:g}, outside of [{:g}, {:g}]", member,
              entry.name, x[i], entry.min, entry.max);
  }
}

}  // namespace

std::vector<double> initial_members(const config::AlgorithmSettings& settings, const Problem& problem, int members,
                                    std::int64_t first_island, std::int64_t islands) {
  if (settings.initial != config::Initial::file || problem.free() == 0) return {};
  const std::size_t colon = settings.initial_file.rfind(":/");
  const std::string path = settings.initial_file.substr(0, colon);
  const std::string dataset =
      colon == std::string::npos ? "/islands/population" : settings.initial_file.substr(colon + 1);
  const store::ReadFile file(path);
  const store::Shape shape = file.shape(dataset);
  const auto count = static_cast<hsize_t>(members), dimension = static_cast<hsize_t>(problem.dimension());
  const bool one = shape == store::Shape{count, dimension};
  const bool all = shape.size() == 3 && shape[1] == count && shape[2] == dimension &&
                   shape[0] >= static_cast<hsize_t>(first_island) + static_cast<hsize_t>(islands);
  if (!one && !all)
    fail_at(ExitCode::bad_data, settings.initial_where,
            "algorithm.initial: {} has the shape {}; allowed: {} x {} (members x parameters, for island 0) or islands "
            "x {} x {}",
            settings.initial_file, shape_text(shape), members, dimension, members, dimension);
  if (islands == 0 || (one && first_island != 0)) return {};
  const std::vector<double> values = file.doubles(dataset);
  std::vector<double> result;
  const std::size_t first = one ? 0 : static_cast<std::size_t>(first_island) * count;
  const std::size_t end = first + (one ? 1 : static_cast<std::size_t>(islands)) * count;
  for (std::size_t member = first; member < end; ++member) {
    const double* x = values.data() + member * dimension;
    check_inside(problem, x, member, settings.initial_where);
    const std::vector<double> u = encode(problem, std::vector<double>(x, x + dimension));
    result.insert(result.end(), u.begin(), u.end());
  }
  return result;
}

}  // namespace atl::de
