#include "de/polish.hpp"

#ifdef ATOLL_HAS_NLOPT
#include <nlopt.h>
#endif

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

namespace atl::de {

#ifdef ATOLL_HAS_NLOPT
namespace {

using Objective = std::function<double(const std::vector<double>& u)>;

constexpr double least_gain = 1e-13;       // relative; less is rounding
constexpr double worst = 1e300;            // stands for NaN and inf, which NLopt does not take
constexpr std::size_t simplex_limit = 30;  // free entries beyond which subspaces (Sbplx) beat one simplex
constexpr std::size_t model_limit = 100;   // beyond which BOBYQA's own work counts

std::int64_t budget_of(std::size_t free) {
  return std::min<std::int64_t>(2'000 + 500 * static_cast<std::int64_t>(free), 50'000);
}

/// The best point so far, and the way from NLopt's variables (the continuous entries) to u.
class Search {
 public:
  Search(const Problem& problem, const std::vector<double>& u, double fun, const Objective& objective)
      : problem_(problem), objective_(objective), best_{u, fun, 0} {
    for (const Entry& entry : problem.entries) {
      if (entry.fixed || entry.integer) continue;
      const auto k = static_cast<std::size_t>(entry.free_index);
      if (problem.lower[k] < problem.upper[k]) moved_.push_back(k);
    }
    budget_ = budget_of(moved_.size());
  }

  [[nodiscard]] std::size_t size() const { return moved_.size(); }
  [[nodiscard]] bool exhausted() const { return best_.evaluations >= budget_; }
  [[nodiscard]] const Polished& best() const { return best_; }

  /// One run of `algorithm` from the best point, whose first steps are `relative` of each entry.
  void run(nlopt_algorithm algorithm, double relative, std::int64_t evaluations);

 private:
  static double evaluate(unsigned count, const double* point, double* gradient, void* self);
  double evaluate(const double* point);

  const Problem& problem_;
  const Objective& objective_;
  std::vector<std::size_t> moved_;  // places in u
  std::int64_t budget_ = 0;
  Polished best_;
  nlopt_opt running_ = nullptr;
  std::exception_ptr failure_;  // must not fly through NLopt's C
};

double Search::evaluate(const double* point) {
  std::vector<double> u = best_.u;
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    const std::size_t k = moved_[i];
    u[k] = std::clamp(point[i], problem_.lower[k], problem_.upper[k]);
  }
  ++best_.evaluations;
  const double value = objective_(u);
  if (value < best_.fun) {
    best_.fun = value;
    best_.u = std::move(u);
  }
  if (exhausted()) nlopt_force_stop(running_);
  return value < worst ? value : worst;
}

double Search::evaluate(unsigned /*count*/, const double* point, double* /*gradient*/, void* self) {
  auto& search = *static_cast<Search*>(self);
  try {
    return search.evaluate(point);
  } catch (...) {
    search.failure_ = std::current_exception();
    nlopt_force_stop(search.running_);
    return worst;
  }
}

void Search::run(nlopt_algorithm algorithm, double relative, std::int64_t evaluations) {
  if (exhausted()) return;
  const std::size_t n = moved_.size();
  std::vector<double> lower(n), upper(n), step(n), point(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = moved_[i];
    lower[i] = problem_.lower[k];
    upper[i] = problem_.upper[k];
    point[i] = std::clamp(best_.u[k], lower[i], upper[i]);
    // Of the entry's own size, so that small coefficients in wide boxes move by little; never beyond a quarter box.
    const double width = upper[i] - lower[i];
    step[i] = std::min(relative * std::max(std::abs(point[i]), 1e-3 * width), width / 4);
  }
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> options(nlopt_create(algorithm, static_cast<unsigned>(n)),
                                                                  nlopt_destroy);
  running_ = options.get();
  nlopt_set_min_objective(running_, evaluate, this);
  nlopt_set_lower_bounds(running_, lower.data());
  nlopt_set_upper_bounds(running_, upper.data());
  nlopt_set_initial_step(running_, step.data());
  nlopt_set_ftol_rel(running_, least_gain);
  nlopt_set_maxeval(running_, static_cast<int>(evaluations));
  double value = 0;
  nlopt_optimize(running_, point.data(), &value);  // whatever it returns, best_ has the best point that was seen
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace

bool polish_available() {
  return true;
}

Polished polish(const Problem& problem, const std::vector<double>& u, double fun, const Objective& objective) {
  Search search(problem, u, fun, objective);
  if (search.size() == 0 || !std::isfinite(fun)) return search.best();
  const std::int64_t leg = budget_of(search.size()) / 4;
  // A quadratic model is quickest where the objective is smooth. Sums of absolute deviations have kinks, where it
  // stalls; simplices that start afresh at several scales go on along them.
  if (search.size() <= model_limit) search.run(NLOPT_LN_BOBYQA, 1e-2, leg);
  const nlopt_algorithm algorithm = search.size() <= simplex_limit ? NLOPT_LN_NELDERMEAD : NLOPT_LN_SBPLX;
  double before = 0;
  do {
    before = search.best().fun;
    for (const double relative : {1e-1, 1e-2, 1e-3, 1e-4}) search.run(algorithm, relative, leg);
  } while (!search.exhausted() && search.best().fun < before - least_gain * std::abs(before));
  return search.best();
}

#else

bool polish_available() {
  return false;
}

Polished polish(const Problem& /*problem*/, const std::vector<double>& u, double fun,
                const std::function<double(const std::vector<double>& u)>& /*objective*/) {
  return {u, fun, 0};
}

#endif

}  // namespace atl::de
