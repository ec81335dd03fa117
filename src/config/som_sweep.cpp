#include "config/som_sweep.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "config/som_names.hpp"

namespace atl::config {
namespace {

constexpr std::int64_t most_neurons = 100'000'000;  // of one map
constexpr std::int64_t most_maps = 10'000'000;      // of one sweep; the tables of all are kept in memory

/// A number that fills `text` to its end, without a sign, blanks or anything else beside it.
template <typename T>
bool parse(std::string_view text, T& number) {
  if (text.empty() || text.front() == '+') return false;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && stop == text.data() + text.size();
}

/// The items of a list that must not be empty; a value alone is a list of one.
std::vector<const Value*> items_of(const Reader& reader, const char* key) {
  std::vector<const Value*> items = reader.list(key);
  if (items.empty() && reader.find(key) != nullptr) reader.refuse(key, "is an empty list; it needs at least one value");
  return items;
}

void refuse_duplicate(const Reader& reader, const Value& item, const char* key, const std::string& what) {
  reader.refuse(line_of(item), key, fmt::format("{} stands twice in the list; a map is trained once", what));
}

/// Numbers of neurons in the order of the file. `seen` has a bit a number, so that ranges of millions are read at once.
struct NeuronList {
  std::vector<std::int64_t> all;
  std::vector<bool> seen;
};

void add_neurons(const Reader& reader, const Value& item, std::int64_t first, std::int64_t last, std::int64_t step,
                 NeuronList& list) {
  const auto needed = static_cast<std::size_t>(last) + 1;
  if (list.seen.size() < needed) list.seen.resize(needed);
  for (std::int64_t n = first;; n += step) {
    const auto bit = static_cast<std::size_t>(n);
    if (list.seen[bit]) refuse_duplicate(reader, item, "sweep.neurons", fmt::format("{}", n));
    list.seen[bit] = true;
    list.all.push_back(n);
    if (last - n < step) return;  // a step may be so large that n + step is none
  }
}

/// "2..128" or "2..1024:2"
void add_range(const Reader& reader, const Value& item, NeuronList& list) {
  const std::string_view text = item.text;
  const auto refuse = [&](const std::string& why) {
    reader.refuse(line_of(item), "sweep.neurons", fmt::format("\"{}\" {}", text, why));
  };
  const std::size_t dots = text.find("..");
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 1;
  if (dots == std::string_view::npos) {
    if (!parse(text, first))
      refuse("is not a range; write \"FIRST..LAST\", \"FIRST..LAST:STEP\" or a list of integers");
    last = first;
  } else {
    std::string_view end = text.substr(dots + 2);
    if (const std::size_t colon = end.find(':'); colon != std::string_view::npos) {
      if (!parse(end.substr(colon + 1), step)) refuse("is not a range; the step behind ':' must be an integer");
      end = end.substr(0, colon);
    }
    if (!parse(text.substr(0, dots), first) || !parse(end, last))
      refuse("is not a range; write \"FIRST..LAST\" or \"FIRST..LAST:STEP\" with both ends");
  }
  if (step < 1) refuse(fmt::format("has a step of {}; allowed is 1 or more", step));
  if (first < 1 || last > most_neurons) refuse(fmt::format("leaves what is allowed, 1 to {} neurons", most_neurons));
  if (first > last) refuse(fmt::format("runs downward; write \"{}..{}\"", last, first));
  if ((last - first) / step >= most_maps) refuse(fmt::format("has more than {} values", most_maps));
  add_neurons(reader, item, first, last, step, list);
}

std::vector<std::int64_t> read_neurons(Reader& reader) {
  NeuronList list;
  for (const Value* item : items_of(reader, "sweep.neurons")) {
    if (item->kind == Value::Kind::string) {
      add_range(reader, *item, list);
    } else {
      const std::int64_t n = reader.check(*item, "sweep.neurons", Range{1, most_neurons});
      add_neurons(reader, *item, n, n, 1, list);
    }
  }
  if (const Value* value = reader.find("sweep.neurons")) reader.record("sweep.neurons", toml_text(*value));
  return list.all;
}

std::vector<MapShape> read_shapes(Reader& reader, bool even_rows) {
  const char* const key = "sweep.shapes";
  std::vector<MapShape> all;
  for (const Value* item : items_of(reader, key)) {
    const std::string_view text = reader.check_text_of(*item, key);
    const std::size_t cross = text.find('x');
    MapShape shape;
    if (cross == std::string_view::npos || !parse(text.substr(0, cross), shape.rows) ||
        !parse(text.substr(cross + 1), shape.columns))
      reader.refuse(line_of(*item), key,
                    fmt::format("\"{}\" is not a shape; write \"ROWSxCOLUMNS\", as in \"8x12\"", text));
    if (shape.rows < 1 || shape.columns < 1 || shape.rows > most_neurons / shape.columns)
      reader.refuse(
          line_of(*item), key,
          fmt::format("\"{}\": both sides must be 1 or more, and the neurons at most {}", text, most_neurons));
    if (even_rows && shape.rows % 2 != 0)
      reader.refuse(
          line_of(*item), key,
          fmt::format("\"{}\": a hexagonal_toroid needs an even number of rows, or its edges do not meet", text));
    if (std::find(all.begin(), all.end(), shape) != all.end())
      refuse_duplicate(reader, *item, key, fmt::format("\"{}\"", text));
    all.push_back(shape);
  }
  if (const Value* value = reader.find(key)) reader.record(key, toml_text(*value));
  return all;
}

SigmaSetting one_sigma(const Reader& reader, const Value& item) {
  const char* const key = "sweep.sigma";
  constexpr double largest = 1e9;
  if (item.kind != Value::Kind::string) return {reader.check(item, key, Interval{0, largest}), 0};
  const std::string_view text = item.text;
  SigmaSetting sigma{0, 1};
  const bool relative = text == "n" || (text.starts_with("n/") && parse(text.substr(2), sigma.divisor));
  if (!relative || !(sigma.divisor > 0) || !std::isfinite(sigma.divisor))
    reader.refuse(
        line_of(item), key,
        fmt::format("\"{}\" is not a start value; write a number of map units, or \"n/2\" for half the size of "
                    "each map (a grid's longer side)",
                    text));
  return sigma;
}

template <typename T, typename One>
std::vector<T> read_list(Reader& reader, const char* key, const std::vector<T>& fallback, const std::string& text,
                         One one) {
  std::vector<T> all;
  for (const Value* item : items_of(reader, key)) {
    const T value = one(*item);
    if (std::find(all.begin(), all.end(), value) != all.end()) refuse_duplicate(reader, *item, key, toml_text(*item));
    all.push_back(value);
  }
  const Value* value = reader.find(key);
  reader.record(key, value != nullptr ? toml_text(*value) : text);
  return all.empty() ? fallback : all;
}

MapTopology one_topology(const Reader& reader, const Value& item) {
  std::vector<std::string> words;
  for (const auto& named : map_topologies) {
    if (item.kind == Value::Kind::string && item.text == named.name) return named.value;
    words.emplace_back(named.name);
  }
  reader.wrong_word(item, "sweep.topology", words);
}

std::vector<MapTopology> read_topologies(Reader& reader) {
  const bool only_shapes = reader.find("sweep.shapes") != nullptr && reader.find("sweep.neurons") == nullptr;
  const MapTopology usual = only_shapes ? MapTopology::rectangular : MapTopology::ring;
  return read_list<MapTopology>(reader, "sweep.topology", {usual}, fmt::format("\"{}\"", name_of(usual)),
                                [&](const Value& item) { return one_topology(reader, item); });
}

/// Every topology has the key that gives its shapes, and every key a topology that uses it.
void check_shapes_given(const Reader& reader, const SweepSettings& sweep) {
  bool lines = false;
  bool grids = false;
  for (const MapTopology topology : sweep.topology) {
    (is_grid(topology) ? grids : lines) = true;
    if (is_grid(topology) && sweep.shapes.empty())
      reader.refuse(
          "sweep.shapes",
          fmt::format("is missing; topology \"{}\" needs it, as in shapes = [\"8x8\", \"10x12\"]", name_of(topology)));
    if (!is_grid(topology) && sweep.neurons.empty())
      reader.refuse("sweep.neurons",
                    fmt::format("is missing; topology \"{}\" needs it, as in neurons = \"2..128\"", name_of(topology)));
  }
  if (!lines && !sweep.neurons.empty())
    reader.refuse("sweep.neurons",
                  "is used by the topologies line and ring only; add one of them, or give shapes alone");
  if (!grids && !sweep.shapes.empty())
    reader.refuse("sweep.shapes", "is used by the grid topologies only; add one, as in topology = \"rectangular\"");
}

void check_size(const Reader& reader, const SweepSettings& sweep) {
  double maps = 0;
  for (const MapTopology topology : sweep.topology)
    maps += static_cast<double>(is_grid(topology) ? sweep.shapes.size() : sweep.neurons.size());
  maps *= static_cast<double>(sweep.sigma.size() * sweep.eta.size() * sweep.epochs.size());
  maps *= static_cast<double>(sweep.replicates);
  if (maps > static_cast<double>(most_maps))
    reader.refuse("sweep",
                  fmt::format("the product of the lists is {:.3g} maps; at most {} are allowed", maps, most_maps));
}

}  // namespace

SweepSettings read_sweep(Reader& reader) {
  constexpr std::int64_t most_epochs = 100'000'000;
  constexpr double largest_eta = 2;  // beyond it every step moves a weight away from the point
  const SweepSettings usual;
  SweepSettings sweep;
  sweep.where = reader.where("sweep");
  sweep.topology = read_topologies(reader);
  sweep.neurons = read_neurons(reader);
  const bool even_rows =
      std::find(sweep.topology.begin(), sweep.topology.end(), MapTopology::hexagonal_toroid) != sweep.topology.end();
  sweep.shapes = read_shapes(reader, even_rows);
  sweep.sigma = read_list(reader, "sweep.sigma", usual.sigma, toml_text(usual.sigma.front().value),
                          [&](const Value& item) { return one_sigma(reader, item); });
  sweep.eta = read_list(reader, "sweep.eta", usual.eta, toml_text(usual.eta.front()), [&](const Value& item) {
    return reader.check(item, "sweep.eta", Interval{0, largest_eta});
  });
  sweep.epochs =
      read_list(reader, "sweep.epochs", usual.epochs, toml_text(usual.epochs.front()), [&](const Value& item) {
        return reader.check(item, "sweep.epochs", Range{1, most_epochs});
      });
  sweep.replicates = reader.integer("sweep.replicates", Range{1, most_maps}, usual.replicates);
  check_shapes_given(reader, sweep);
  check_size(reader, sweep);
  return sweep;
}

}  // namespace atl::config
