#include "cli/watchdog.hpp"

#include <algorithm>
#include <utility>

namespace atl::cli {

Watchdog::Watchdog(double patience, std::function<void()> warn)
    : warn_(std::move(warn)),
      patience_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience))),
      thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watchdog::alive() {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  patience_ = std::max(patience_, 20 * (now - last_));
  last_ = now;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    const Clock::time_point late = last_ + patience_;
    if (Clock::now() >= late) {
      lock.unlock();
      return warn_();
    }
    changed_.wait_until(lock, late);
  }
}

}  // namespace atl::cli
