// One outcome for all ranks: when one of them fails, all stop with its error, and one message is printed.
#pragma once
#include <functional>

#include "base/error.hpp"
#include "cluster/communicator.hpp"

namespace atl::cli {

/// An error that every rank throws at the same place: rank 0 prints it and all ranks end in peace.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// Runs `work` on every rank; when any fails, all throw the error of the lowest rank that did, with "rank 3 (host): "
/// before the message where rank 0 did not fail the same way. `work` itself must not wait for other ranks unless it
/// fails on all of them alike. Collective.
void together(const cluster::Communicator& communicator, const std::function<void()>& work);

}  // namespace atl::cli
