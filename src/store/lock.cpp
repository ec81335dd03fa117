#include "store/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>

#include "base/error.hpp"

namespace atl::store {
namespace {

constexpr int missed_heartbeats = 3;
constexpr int attempts = 20;  // against others that come and go at the same moment

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] int get() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

[[noreturn]] void fail_system(const std::string& path) {
  fail(ExitCode::cannot_write, "cannot write {}: {}", path, std::strerror(errno));
}

std::string text_of(const LockHolder& holder) {
  return fmt::format("host {}\npid {}\njob {}\nrestarts {}\n", holder.host, holder.pid, holder.job, holder.restarts);
}

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// What a lock file says; a file that was only just made is empty.
LockHolder read_holder(int descriptor) {
  std::string text(4096, '\0');
  const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  const auto value = [&](const std::string& key) {
    const std::size_t at = text.find(key + " ");
    if (at == std::string::npos) return std::string();
    const std::size_t begin = at + key.size() + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  return {value("host"), number(value("pid")), value("job"), number(value("restarts"))};
}

/// True when `path` still names the open file.
bool is_in_place(int descriptor, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

/// Seconds since the last heartbeat, both by the clock of the file server: the clocks of hosts may differ.
double seconds_since_heartbeat(int descriptor, const std::string& path) {
  const std::string probe = fmt::format("{}.now-{}", path, ::getpid());
  const Descriptor file(::open(probe.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) fail_system(path);
  const bool touched = ::futimens(file.get(), nullptr) == 0;
  struct stat now {
  }, then{};
  const bool known = touched && ::fstat(file.get(), &now) == 0 && ::fstat(descriptor, &then) == 0;
  ::unlink(probe.c_str());
  if (!known) fail_system(path);
  const auto seconds = [](const timespec& time) {
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  return seconds(now.st_mtim) - seconds(then.st_mtim);
}

bool earlier_start_of_this_job(const LockHolder& holder, const LockHolder& me) {
  return !me.job.empty() && holder.job == me.job && holder.restarts < me.restarts;
}

std::string described(const LockHolder& holder) {
  if (holder.host.empty()) return "another run that is just starting";
  const std::string job = holder.job.empty() ? "" : fmt::format(", Slurm job {}", holder.job);
  return fmt::format("another run: process {} on {}{}", holder.pid, holder.host, job);
}

}  // namespace

LockHolder this_process(const std::string& host) {
  LockHolder me{host, ::getpid(), "", 0};
  if (const char* job = std::getenv("SLURM_JOB_ID")) me.job = job;
  if (const char* restarts = std::getenv("SLURM_RESTART_COUNT")) me.restarts = number(restarts);
  return me;
}

Lock::Lock(const std::string& output, const LockHolder& me, std::chrono::milliseconds heartbeat)
    : path_(output + ".lock"), heartbeat_(heartbeat) {
  bool taken = false;
  for (int attempt = 0; attempt < attempts && !taken; ++attempt) taken = try_once(me);
  if (!taken) fail(ExitCode::cannot_write, "cannot lock {}: others come and go", path_);
  beater_ = std::thread([this] { beat(); });
}

/// False when the file changed hands meanwhile. The kernel's own lock (flock) on the file tells at once whether a
/// process of this host lives, also across containers; where a file system has none, the pid does.
bool Lock::try_once(const LockHolder& me) {
  Descriptor made(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  const bool is_new = made.get() >= 0;
  if (!is_new && errno != EEXIST) fail_system(path_);
  Descriptor file(is_new ? made.release() : ::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT) return false;
  if (file.get() < 0) fail_system(path_);
  const bool locked = ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
  const bool held_by_kernel = !locked && errno == EWOULDBLOCK;
  if (!is_in_place(file.get(), path_)) return false;
  const LockHolder holder = read_holder(file.get());
  const bool fresh = holder.host.empty() && (locked || (is_new && !held_by_kernel));
  bool stale = fresh || earlier_start_of_this_job(holder, me);
  if (!stale && holder.host == me.host)
    stale = !held_by_kernel && (locked || ::kill(static_cast<pid_t>(holder.pid), 0) != 0);
  if (!stale && holder.host != me.host) {
    const double allowed = missed_heartbeats * std::chrono::duration<double>(heartbeat_).count();
    stale = !holder.host.empty() && seconds_since_heartbeat(file.get(), path_) > allowed;
  }
  if (!stale) {
    const std::string result = path_.substr(0, path_.rfind('.'));
    fail(ExitCode::cannot_write, "{} is being written by {}; -o names another output (if that run is gone, remove {})",
         result, described(holder), path_);
  }
  if (held_by_kernel) {  // a dead host whose lock the file server still keeps: a new file gets a new lock
    ::unlink(path_.c_str());
    return false;
  }
  descriptor_ = file.release();
  write_holder(me);
  return true;
}

void Lock::write_holder(const LockHolder& me) const {
  const std::string text = text_of(me);
  const bool written = ::ftruncate(descriptor_, 0) == 0 &&
                       ::pwrite(descriptor_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) &&
                       ::fsync(descriptor_) == 0;
  if (written) return;
  const int reason = errno;
  ::unlink(path_.c_str());
  ::close(descriptor_);
  errno = reason;
  fail_system(path_);
}

void Lock::beat() {
  std::unique_lock<std::mutex> guard(mutex_);
  while (!wake_.wait_for(guard, heartbeat_, [this] { return ending_; })) ::futimens(descriptor_, nullptr);
}

Lock::~Lock() {
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  beater_.join();
  if (is_in_place(descriptor_, path_)) ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace atl::store
