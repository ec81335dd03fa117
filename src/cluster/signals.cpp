#include "cluster/signals.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <initializer_list>

namespace atl::cluster {
namespace {

// A handler has no other way to reach the program; lock-free atomics are what it may touch.
std::atomic<int> first_signal = 0;
std::atomic<std::int64_t> first_time = 0;  // nanoseconds of the monotonic clock
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

// Ctrl-C under mpirun comes twice: from the terminal to the whole group and from mpirun to each rank, at times as
// another signal. What comes this soon after the first belongs to it.
constexpr std::int64_t same_moment = 200'000'000;  // nanoseconds

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Calls only what POSIX lists as async-signal-safe.
void handle(int signal) {
  const std::int64_t time = now();
  int none = 0;
  std::int64_t unset = 0;
  first_time.compare_exchange_strong(unset, time);
  if (first_signal.compare_exchange_strong(none, signal)) return;
  if (time - first_time.load() > same_moment) _exit(128 + signal);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) sigaction(signal, &action, nullptr);
}

int signal_received() {
  return first_signal.load();
}

}  // namespace atl::cluster
