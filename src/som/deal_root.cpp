// Rank 0: deals batches, has stored what comes back, and trains between the messages.
#include <algorithm>
#include <thread>

#include "som/batch_writer.hpp"
#include "som/deal_protocol.hpp"

namespace atl::som {
namespace {

class Root {
 public:
  Root(cluster::Mailbox& mailbox, const DealtWork& work, const DealHooks& hooks,
       const std::vector<RankAbility>& abilities)
      : mailbox_(mailbox),
        work_(work),
        hooks_(hooks),
        dealer_(work.costs, work.bytes, mailbox.size(), work.limits),
        workers_(static_cast<std::size_t>(mailbox.size())),
        writer_(hooks.store, workers_.size()),
        outbox_(work, hooks, 0, [&](store::SomBatch&& batch) {
          writer_.add(std::move(batch));
          stored_in_hand_ = hooks_.device.share ? hooks_.device.share() * cost_in_hand_ : 0;
        }) {
    outcome_.busy_seconds.resize(workers_.size());
    for (int r = 0; r < mailbox.size(); ++r) {
      dealer_.set_width(r, abilities[static_cast<std::size_t>(r)].width);
      dealer_.set_speed(r, abilities[static_cast<std::size_t>(r)].speed);
    }
  }

  DealOutcome run(std::optional<Error>& failure) {
    while (!between_launches()) {
      const std::vector<std::int64_t> batch = dealer_.deal(0);
      if (batch.empty()) break;  // rank 0 holds no batch ahead, so it is given one as long as there is any
      train(batch);
    }
    while (std::any_of(workers_.begin() + 1, workers_.end(), [](const Worker& w) { return !w.left; })) {
      between_launches();
      std::this_thread::sleep_for(idle_pause);
    }
    outcome_.maps = writer_.finish();
    look_at_writer();
    failure = failure_;
    outcome_.stop_reason = stop_reason_;
    return outcome_;
  }

 private:
  struct Worker {
    int room = 0;  // batches it could still hold
    bool ended = false, left = false;
  };

  void train(const std::vector<std::int64_t>& batch) {
    const double start = now();
    cost_in_hand_ = stored_in_hand_ = 0;
    for (const std::int64_t position : batch) cost_in_hand_ += work_.costs[static_cast<std::size_t>(position)];
    try {
      train_positions(work_, hooks_, batch, outbox_, [&] { return between_launches(); });
    } catch (const Error& error) {
      fail_with(error);
    } catch (const std::exception& error) {
      fail_with(Error(ExitCode::internal, error.what()));
    }
    cost_in_hand_ = 0;
    const double seconds = now() - start;
    outcome_.busy_seconds[0] += seconds;
    dealer_.finished(0, seconds);
  }

  /// Messages, new batches, progress, reasons to stop; true when all stop.
  bool between_launches() {
    take_all();
    look_at_writer();
    if (!stopping_ && hooks_.stop_reason) {
      const std::string reason = hooks_.stop_reason();
      if (!reason.empty()) stop(reason);
    }
    if (!stopping_) deal_out();
    if (hooks_.tick) hooks_.tick(in_flight());
    return stopping_;
  }

  void take_all() {
    double moved = now();
    while (true) {
      const std::size_t before = mailbox_.parts_received();
      if (auto message = mailbox_.receive()) take(std::move(*message));
      if (mailbox_.parts_received() != before)
        moved = now();
      else if (!mailbox_.arriving() || now() - moved > arrival_patience)
        return;
      else
        std::this_thread::yield();
    }
  }

  /// Cost of what rank 0 has trained of its batch beyond the maps that are stored already.
  [[nodiscard]] double in_flight() const {
    if (cost_in_hand_ == 0 || !hooks_.device.share) return 0;
    return std::max(0.0, hooks_.device.share() * cost_in_hand_ - stored_in_hand_);
  }

  void look_at_writer() {
    if (failure_) return;
    if (const auto failure = writer_.failure()) fail_with(*failure);
  }

  void take(cluster::Message&& message) {
    const auto source = static_cast<std::size_t>(message.source);
    Worker& worker = workers_[source];
    switch (message.tag) {
      case tag_want: {
        const double seconds = values_of<double>(message.bytes).at(0);
        if (seconds >= 0) dealer_.finished(message.source, seconds);
        ++worker.room;
        break;
      }
      case tag_result:
        writer_.add(std::move(message.bytes));
        break;
      case tag_stop:
        if (!stopping_) stop(text_of(message.bytes));
        break;
      case tag_failed: {
        const std::string text = text_of(message.bytes);
        const std::size_t space = text.find(' ');
        fail_with(Error(static_cast<ExitCode>(std::stoi(text.substr(0, space))), text.substr(space + 1)));
        break;
      }
      default:
        worker.left = true;
        outcome_.busy_seconds[source] = values_of<double>(message.bytes).at(0);
        mailbox_.post(message.source, tag_bye, {});
    }
  }

  void deal_out() {
    for (std::size_t r = 1; r < workers_.size(); ++r) {
      Worker& worker = workers_[r];
      while (worker.room > 0 && !worker.left) {
        const std::vector<std::int64_t> batch = dealer_.deal(static_cast<int>(r));
        if (batch.empty()) break;
        mailbox_.post(static_cast<int>(r), tag_batch, bytes_of(batch.data(), batch.size()));
        --worker.room;
      }
      if (!dealer_.empty() || worker.ended) continue;
      mailbox_.post(static_cast<int>(r), tag_end, {});
      worker.ended = true;
    }
  }

  void fail_with(const Error& error) {
    if (!failure_) failure_ = error;
    stop("an error");
  }

  void stop(const std::string& reason) {
    if (stopping_) return;
    stopping_ = true;
    stop_reason_ = reason;
    for (std::size_t r = 1; r < workers_.size(); ++r)
      if (!workers_[r].left) mailbox_.post(static_cast<int>(r), tag_stop, {});
  }

  cluster::Mailbox& mailbox_;
  const DealtWork& work_;
  const DealHooks& hooks_;
  Dealer dealer_;
  std::vector<Worker> workers_;
  DealOutcome outcome_;
  BatchWriter writer_;
  Outbox outbox_;
  double cost_in_hand_ = 0, stored_in_hand_ = 0;  // of the batch that rank 0 trains
  bool stopping_ = false;
  std::string stop_reason_;
  std::optional<Error> failure_;
};

}  // namespace

DealOutcome run_root(cluster::Mailbox& mailbox, const DealtWork& work, const DealHooks& hooks,
                     const std::vector<RankAbility>& abilities, std::optional<Error>& failure) {
  return Root(mailbox, work, hooks, abilities).run(failure);
}

}  // namespace atl::som
