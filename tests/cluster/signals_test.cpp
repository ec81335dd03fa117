// Signals are sent in child processes, each of which starts without one.
#include "cluster/signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace atl::cluster {
namespace {

// Exit status of a child that runs `body`, whose return value it exits with.
template <typename Body>
int status_of(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    install_signal_handlers();
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void pause_for(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

TEST(Signals, NoneAtFirst) {
  EXPECT_EQ(status_of([] { return signal_received(); }), 0);
}

TEST(Signals, EachOfTheFourAsksToStop) {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) {
    EXPECT_EQ(status_of([signal] {
                raise(signal);
                return signal_received();
              }),
              signal);
  }
}

TEST(Signals, ASecondOneEndsTheProcess) {
  EXPECT_EQ(status_of([] {
              raise(SIGUSR1);
              pause_for(300);
              raise(SIGTERM);
              return 0;
            }),
            128 + SIGTERM);
}

TEST(Signals, ADoubleDeliveryOfOneCtrlCCountsAsOne) {
  EXPECT_EQ(status_of([] {
              raise(SIGINT);
              raise(SIGINT);
              raise(SIGTERM);
              return signal_received();
            }),
            SIGINT);
}

}  // namespace
}  // namespace atl::cluster
