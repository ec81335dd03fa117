// One writer at a time: NAME.h5.lock says who writes NAME.h5, and is recognised as stale when its writer is gone.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace atl::store {

struct LockHolder {
  std::string host;
  std::int64_t pid = 0;
  std::string job;            // Slurm job, empty outside
  std::int64_t restarts = 0;  // of that job
};

/// This process: host, pid and Slurm's variables.
[[nodiscard]] LockHolder this_process(const std::string& host);

/// Holds the lock of an output until it is destroyed. While it lives, a thread touches the file at every heartbeat.
class Lock {
 public:
  /// Error 74 when another run holds it, naming host, pid and job; or when the file cannot be made. A lock is stale,
  /// and taken over, when its process ended on this host, when it belongs to an earlier start of the same Slurm job,
  /// or when a process of another host missed three heartbeats.
  Lock(const std::string& output, const LockHolder& me, std::chrono::milliseconds heartbeat = std::chrono::seconds(20));
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  bool try_once(const LockHolder& me);
  void write_holder(const LockHolder& me) const;
  void beat();

  std::string path_;
  std::chrono::milliseconds heartbeat_;
  int descriptor_ = -1;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  std::thread beater_;
};

}  // namespace atl::store
