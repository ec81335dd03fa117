#include "config/de_names.hpp"

namespace atl::config {

namespace {

template <typename E, std::size_t N>
const char* word_for(E value, const std::array<Named<E>, N>& names) {
  for (const Named<E>& named : names) {
    if (named.value == value) return named.name;
  }
  return "unknown";
}

}  // namespace

const char* name_of(LossKind value) {
  return word_for(value, loss_names);
}

const char* name_of(Bounds value) {
  return word_for(value, bounds_names);
}

const char* name_of(Initial value) {
  return value == Initial::file ? "file" : word_for(value, initial_names);
}

const char* name_of(Strategy value) {
  return word_for(value, strategy_names);
}

const char* name_of(AlgorithmName value) {
  return word_for(value, algorithm_names);
}

const char* name_of(Topology value) {
  return word_for(value, topology_names);
}

const char* name_of(Selection value) {
  return word_for(value, selection_names);
}

const char* name_of(Replacement value) {
  return word_for(value, replacement_names);
}

const char* name_of(Precision value) {
  return word_for(value, precision_names);
}

}  // namespace atl::config
