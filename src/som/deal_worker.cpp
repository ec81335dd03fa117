// A rank other than 0: trains what it is dealt, with one batch ahead, and sends home every map.
#include <deque>
#include <thread>

#include "som/deal_protocol.hpp"

namespace atl::som {
namespace {

constexpr int held_batches = 2;  // the one being trained and the next

/// Between two looks of a rank that has nothing to train: short while messages of its own are on their way.
void pause(cluster::Mailbox& mailbox) {
  if (mailbox.delivered())
    std::this_thread::sleep_for(idle_pause);
  else
    std::this_thread::yield();
}

class Worker {
 public:
  Worker(cluster::Mailbox& mailbox, const DealtWork& work, const DealHooks& hooks)
      : mailbox_(mailbox),
        work_(work),
        hooks_(hooks),
        outbox_(work, hooks, mailbox.rank(), [&](store::SomBatch&& batch) { post(tag_result, pack(batch)); }) {}

  void run() {
    for (int i = 0; i < held_batches; ++i) want(-1);
    while (true) {
      look();
      if (stopping_ || (ended_ && batches_.empty())) break;
      if (batches_.empty()) {
        pause(mailbox_);
      } else {
        train_next();
      }
    }
  }

  [[nodiscard]] double busy() const { return busy_; }

 private:
  void post(Tag tag, std::vector<std::byte> bytes) { mailbox_.post(0, tag, std::move(bytes)); }
  void want(double seconds) { post(tag_want, bytes_of(&seconds, 1)); }

  void train_next() {
    const std::vector<std::int64_t> batch = std::move(batches_.front());
    batches_.pop_front();
    const double start = now();
    train_positions(work_, hooks_, batch, outbox_, [&] { return look(); });
    const double seconds = now() - start;
    busy_ += seconds;
    want(seconds);
  }

  /// Takes what has arrived and says when this rank wants to stop; true when all stop.
  bool look() {
    while (const auto message = mailbox_.receive()) {
      if (message->tag == tag_batch) batches_.push_back(values_of<std::int64_t>(message->bytes));
      if (message->tag == tag_end) ended_ = true;
      if (message->tag == tag_stop) stopping_ = true;
    }
    if (!asked_to_stop_ && hooks_.stop_reason) {
      const std::string reason = hooks_.stop_reason();
      if (!reason.empty()) post(tag_stop, bytes_of(reason));
      asked_to_stop_ = !reason.empty();
    }
    return stopping_;
  }

  cluster::Mailbox& mailbox_;
  const DealtWork& work_;
  const DealHooks& hooks_;
  Outbox outbox_;
  std::deque<std::vector<std::int64_t>> batches_;
  bool ended_ = false, stopping_ = false, asked_to_stop_ = false;
  double busy_ = 0;
};

std::vector<std::byte> failure_message(ExitCode code, int rank, const std::string& what) {
  return bytes_of(fmt::format("{} rank {}: {}", static_cast<int>(code), rank, what));
}

}  // namespace

void run_worker(cluster::Mailbox& mailbox, const DealtWork& work, const DealHooks& hooks) {
  double busy = 0;
  try {
    Worker worker(mailbox, work, hooks);
    worker.run();
    busy = worker.busy();
  } catch (const Error& error) {
    mailbox.post(0, tag_failed, failure_message(error.code(), mailbox.rank(), error.what()));
  } catch (const std::exception& error) {
    mailbox.post(0, tag_failed, failure_message(ExitCode::internal, mailbox.rank(), error.what()));
  }
  mailbox.post(0, tag_left, bytes_of(&busy, 1));
  // Whatever was dealt meanwhile is taken, so that nothing stays behind in the mailbox.
  while (true) {
    const auto message = mailbox.receive();
    if (message && message->tag == tag_bye) return;
    if (!message) pause(mailbox);
  }
}

}  // namespace atl::som
