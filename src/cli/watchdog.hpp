// Notices a device that does not come back.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace atl::cli {

/// Calls `warn` once, on a thread of its own, when alive() was not called for `patience` seconds, or for 20 times the
/// longest time between two calls so far if that is more.
class Watchdog {
 public:
  Watchdog(double patience, std::function<void()> warn);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void alive();

 private:
  using Clock = std::chrono::steady_clock;
  void watch();

  std::function<void()> warn_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  Clock::time_point last_ = Clock::now();
  Clock::duration patience_;
  std::thread thread_;
};

}  // namespace atl::cli
