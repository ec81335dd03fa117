#include "de/search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "cluster/signals.hpp"

namespace atl::de {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double slice_seconds = 0.5;  // a launch, so that signals, clocks and the progress line are never far

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One search on one rank. Every rank has the same schedule, so all of them cut their slices alike.
class Loop {
 public:
  Loop(Engine* engine, const config::DeSettings& settings, const IslandPlan& plan, std::int64_t islands,
       Migration& migration, const RunOptions& options, double work_a_generation,
       const cluster::Communicator& communicator, const SearchState* start, const Saving& saving)
      : engine_(engine),
        settings_(settings),
        plan_(plan),
        islands_(islands),
        migration_(migration),
        options_(options),
        communicator_(communicator),
        saving_(saving),
        schedule_(start != nullptr ? Schedule(plan, start->members, start->evaluations) : Schedule(plan)),
        stopping_(settings.stop, start != nullptr ? start->stopping : StoppingState{}),
        history_(start != nullptr ? start->history : History(islands)),
        slice_(std::max<std::int64_t>(1, std::llround(1e8 / work_a_generation))),
        resumed_(start != nullptr),
        generation_(resumed_ ? start->generation : 0),
        seconds_before_(resumed_ ? start->seconds : 0) {}

  // Between two turns the search stands inside an interval, or behind a report and its exchange: only there it stops
  // or is saved, so a resumed one need not know more than its generation.
  Searched run() {
    if (!resumed_) static_cast<void>(schedule_.next());  // generation 0 is there
    StopReason reason = !resumed_ || report_is_missing() ? end_interval() : StopReason::none;
    while (reason == StopReason::none) {
      reason = advance_to(next_report(settings_.migration, settings_.stop, generation_));
      if (reason == StopReason::none) reason = end_interval();
    }
    close_report();
    if (is_interruption(reason) && saving_.save) save(SaveFor::resuming);
    if (reason == StopReason::time) keep();
    if (is_interruption(reason) || reason == StopReason::time) add_last_row();
    return {reason, generation_, schedule_.evaluations(), std::move(history_), seconds()};
  }

 private:
  /// Where the search stood when a report was opened.
  struct Report {
    std::int64_t generation, members, evaluations;  // evaluations of the job
    bool exhausted;
    double seconds;
  };

  /// Of search, over all legs.
  [[nodiscard]] double seconds() const { return seconds_before_ + seconds_since(start_); }

  [[nodiscard]] SearchState state() const {
    return {generation_, schedule_.members(), schedule_.evaluations(), seconds(), history_, stopping_.state()};
  }

  [[nodiscard]] Interruptions interruptions() const {
    const double since_process = seconds_since(options_.process_start);
    const bool save = communicator_.root() && saving_.save && seconds_since(saved_) >= saving_.every &&
                      (!saving_.ready || saving_.ready());
    return {options_.max_seconds ? *options_.max_seconds - since_process : infinity,
            settings_.stop.seconds ? *settings_.stop.seconds - seconds() : infinity, cluster::signal_received() != 0,
            save};
  }

  /// A report that cannot end the search is closed while the device is at the next generations.
  StopReason end_interval() {
    open_report();
    if (report_decides()) {
      const StopReason reason = close_report();
      show_progress();
      if (reason != StopReason::none) return reason;
    }
    if (migration_due(settings_.migration, islands_, generation_)) migrate();
    return stop_or_save();
  }

  /// True where a kept search ended by what its report told: whoever goes on from there reports again, and exchanges.
  [[nodiscard]] bool report_is_missing() const {
    const bool due = next_report(settings_.migration, settings_.stop, generation_ - 1) == generation_;
    const bool done = communicator_.root() && history_.generation.back() == generation_;
    return communicator_.max(std::int64_t{due && !done && communicator_.root()}) != 0;
  }

  void save(SaveFor purpose) {
    const Clock::time_point begin = Clock::now();
    close_report();
    saving_.save(state(), purpose);
    if (options_.note && communicator_.root())
      options_.note(fmt::format("checkpoint at generation {}: the search stood still for {:.3f} s", generation_,
                                seconds_since(begin)));
  }

  /// Saves once what the search that comes to its end may later go on from.
  void keep() {
    if (!saving_.keep || kept_) return;
    save(SaveFor::extending);
    kept_ = true;
  }

  /// Behind the last generation of a budget nothing can go on as if the budget had been larger: that generation may be
  /// a part of one only, and its report one that a longer search would not make.
  [[nodiscard]] bool last_is_next(std::int64_t generation) const {
    Schedule ahead = schedule_;
    static_cast<void>(ahead.next());
    return ahead.exhausted() || (settings_.stop.generations && generation + 1 >= *settings_.stop.generations);
  }

  /// Asks the clock and the signals; saves when it is time for it.
  StopReason stop_or_save() {
    const Agreed agreed = interruptions().agree(communicator_);
    if (agreed.checkpoint) {
      save(SaveFor::a_crash);
      saved_ = Clock::now();
    }
    return agreed.reason;
  }

  /// Evolves to generation `next` or to the end of the budget; stops early for a signal or the clock.
  StopReason advance_to(std::int64_t next) {
    while (generation_ < next && !schedule_.exhausted()) {
      if (saving_.keep && last_is_next(generation_)) keep();
      std::int64_t count = 0;
      do {
        static_cast<void>(schedule_.next());
        ++count;
      } while (count < std::min(slice_, next - generation_) && !schedule_.exhausted() &&
               !(saving_.keep && last_is_next(generation_ + count)));
      advance(count);
      generation_ += count;
      show_progress();
      if (generation_ == next || schedule_.exhausted()) break;  // the report comes first
      const StopReason interruption = stop_or_save();
      if (interruption != StopReason::none) return interruption;
      adapt_slice();
    }
    return StopReason::none;
  }

  void advance(std::int64_t count) {
    const auto meanwhile = [&] {
      close_report();
      migration_.note();
    };
    if (engine_ != nullptr)
      engine_->advance(count, meanwhile);
    else
      meanwhile();
  }

  /// As many generations a launch as the slowest rank does in a slice; grows at most tenfold at a time.
  void adapt_slice() {
    const double mine = engine_ != nullptr ? engine_->seconds_a_generation() : 0;
    const double slowest = communicator_.size() == 1 ? mine : communicator_.max(mine);
    const double wanted = slowest > 0 ? slice_seconds / slowest : 1e9;
    slice_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(wanted, 1e9)), 1, slice_ * 10);
  }

  /// Rank 0 gets those of all islands. Collective.
  [[nodiscard]] std::vector<IslandStatistics> statistics_of_all() const {
    return gather_statistics(engine_ != nullptr ? engine_->statistics() : std::vector<IslandStatistics>{},
                             communicator_);
  }

  void open_report() {
    report_ =
        Report{generation_, schedule_.members(), schedule_.evaluations() * islands_, schedule_.exhausted(), seconds()};
    if (engine_ != nullptr) engine_->start_statistics();
  }

  /// Whether the report of this generation can end the search.
  [[nodiscard]] bool report_decides() const {
    return generation_ == 0 || stopping_.depends_on_energies() || schedule_.exhausted() ||
           (settings_.stop.generations && generation_ >= *settings_.stop.generations);
  }

  /// Does what is left of the report that is open, if one is. Collective.
  StopReason close_report() {
    if (!report_) return StopReason::none;
    const Report at = *std::exchange(report_, std::nullopt);
    const auto all = statistics_of_all();
    StopReason reason = StopReason::none;
    if (communicator_.root()) reason = stopping_.check(all, at.members, at.generation, at.exhausted);
    reason = agree(reason, communicator_);
    if (reason != StopReason::none && generation_ > 0) keep();  // before the row, which is the end's
    if (communicator_.root()) history_.add(at.generation, at.evaluations, at.seconds, all);
    return reason;
  }

  void add_last_row() {
    const auto all = statistics_of_all();
    if (communicator_.root()) history_.add(generation_, schedule_.evaluations() * islands_, seconds(), all);
  }

  void migrate() {
    if (engine_ != nullptr) migration_.exchange(*engine_);
  }

  void show_progress() const {
    if (!options_.progress || !communicator_.root() || history_.rows() == 0) return;
    Progress progress;
    progress.seconds = seconds();
    progress.evaluations = schedule_.evaluations() * islands_;
    progress.generation = generation_;
    progress.best = history_.best.back();
    progress.share_done = share_done();
    options_.progress(progress);
  }

  [[nodiscard]] double share_done() const {
    double share = static_cast<double>(schedule_.evaluations()) / static_cast<double>(plan_.evaluations);
    if (settings_.stop.generations && *settings_.stop.generations > 0)
      share = std::max(share, static_cast<double>(generation_) / static_cast<double>(*settings_.stop.generations));
    if (settings_.stop.seconds) share = std::max(share, seconds() / *settings_.stop.seconds);
    return std::min(share, 1.0);
  }

  Engine* engine_;
  const config::DeSettings& settings_;
  const IslandPlan& plan_;
  std::int64_t islands_;
  Migration& migration_;
  const RunOptions& options_;
  const cluster::Communicator& communicator_;
  const Saving& saving_;
  Schedule schedule_;
  Stopping stopping_;
  History history_;
  std::int64_t slice_;
  std::optional<Report> report_;
  bool resumed_, kept_ = false;
  std::int64_t generation_;
  double seconds_before_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point saved_ = start_;
};

}  // namespace

std::int64_t next_report(const config::MigrationSettings& settings, const config::StopSettings& stop,
                         std::int64_t generation) {
  std::int64_t next = (generation / settings.interval + 1) * settings.interval;
  if (settings.topology != config::Topology::unconnected) {
    const std::int64_t behind = generation - settings.first;
    const std::int64_t exchange =
        behind < 0 ? settings.first : settings.first + (behind / settings.interval + 1) * settings.interval;
    // Before the first exchange the reports keep the interval; afterwards they fall on the exchanges.
    next = generation >= settings.first ? exchange : std::min(next, exchange);
  }
  return stop.generations ? std::min(next, std::max(*stop.generations, generation + 1)) : next;
}

Searched search(Engine* engine, const config::DeSettings& settings, const IslandPlan& plan, std::int64_t islands,
                Migration& migration, const RunOptions& options, double work_a_generation,
                const cluster::Communicator& communicator, const SearchState* start, const Saving& saving) {
  return Loop(engine, settings, plan, islands, migration, options, work_a_generation, communicator, start, saving)
      .run();
}

}  // namespace atl::de
