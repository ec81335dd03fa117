#include "config/som_settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/som_names.hpp"
#include "config/som_sweep.hpp"

namespace atl::config {
namespace {

void declare(Reader& reader) {
  reader.expect("", {"data", "sweep", "som", "run"});
  reader.expect("data", {"file", "columns", "use", "scale", "missing"});
  reader.expect("sweep", {"neurons", "shapes", "sigma", "eta", "epochs", "topology", "replicates"});
  reader.expect("som", {"training", "order", "decay", "decay_per", "sigma_end", "eta_end", "neighborhood", "initial",
                        "distance"});
  reader.expect("som.decay", {"sigma", "eta"});
  reader.expect("run", {"seed", "precision", "store"});
  reader.refuse_unknown();
  for (const char* table : {"data", "sweep", "som", "run"}) (void)reader.table(table);
}

void read_use(Reader& reader, SomData& data) {
  for (const Value* item : reader.list("data.use")) {
    std::string column;
    if (item->kind == Value::Kind::integer) {
      column = fmt::format("{}", reader.check(*item, "data.use", Range{0, 1'000'000'000}));
    } else {
      column = reader.check_text_of(*item, "data.use");
    }
    if (std::find(data.use.begin(), data.use.end(), column) != data.use.end())
      reader.refuse(line_of(*item), "data.use", fmt::format("column '{}' is named twice", column));
    data.use.push_back(column);
    data.use_where.push_back(line_of(*item));
  }
  const Value* value = reader.find("data.use");
  if (value == nullptr) return;
  if (data.use.empty()) reader.refuse("data.use", "is an empty list; leave it out to use every column");
  reader.record("data.use", toml_text(*value));
}

SomData read_data(Reader& reader) {
  constexpr std::array<Named<bool>, 2> missing = {{{"error", false}, {"ignore", true}}};
  SomData data;
  const std::optional<std::string> file = reader.path("data.file");
  if (!file) reader.refuse("data.file", "is missing; it names the table of points, as in file = \"points.csv\"");
  data.file = *file;
  data.where = reader.where("data.file");
  data.columns = reader.texts("data.columns");
  read_use(reader, data);
  data.scale = reader.choice("data.scale", Scaling::none, scalings);
  data.ignore_missing = reader.choice("data.missing", false, missing);
  return data;
}

bool names_hdf5(const Value& value) {
  return value.kind == Value::Kind::string &&
         (value.text.find(".h5") != std::string::npos || value.text.find(".hdf5") != std::string::npos);
}

/// Records the path of a key whose value is a file, from the root of the file system.
std::string file_of(Reader& reader, const char* key, const Value& value) {
  std::string path = resolved_path(reader.document(), value);
  reader.record(key, toml_text(absolute_path(path)));
  return path;
}

void read_order(Reader& reader, SomTraining& som) {
  som.order_where = reader.where("som.order");
  const Value* value = reader.find("som.order");
  if (value != nullptr && som.training == Training::batch)
    reader.refuse("som.order", "is used by training = \"online\" only; a batch sees all points at once");
  if (som.training == Training::batch) return;
  if (value == nullptr) {
    reader.record("som.order", toml_text(name_of(som.order)));
    return;
  }
  if (names_hdf5(*value)) {
    som.order = SampleOrder::file;
    som.order_file = file_of(reader, "som.order", *value);
    return;
  }
  const std::string& word = reader.check_text_of(*value, "som.order");
  if (word == "sequential") {
    som.order = SampleOrder::sequential;
  } else if (word != "shuffled") {
    reader.wrong_word(*value, "som.order", {"shuffled", "sequential", "file.h5:/path"});
  }
  reader.record("som.order", toml_text(word));
}

void read_uniform(const Reader& reader, const Value& value, SomTraining& som) {
  const std::string_view rest = std::string_view(value.text).substr(std::string_view("uniform").size());
  const std::size_t colon = rest.find(':', 1);
  const auto parse = [](std::string_view text, double& number) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && error == std::errc() && stop == text.data() + text.size() && std::isfinite(number);
  };
  if (rest.empty() || rest.front() != ':' || colon == std::string_view::npos ||
      !parse(rest.substr(1, colon - 1), som.uniform_low) || !parse(rest.substr(colon + 1), som.uniform_high))
    reader.refuse("som.initial", fmt::format("\"{}\" needs two numbers, as in \"uniform:-0.5:0.5\"", value.text));
  if (som.uniform_low > som.uniform_high)
    reader.refuse("som.initial", fmt::format("\"{}\": the lower end {} is above the upper end {}", value.text,
                                             som.uniform_low, som.uniform_high));
}

void read_initial(Reader& reader, SomTraining& som) {
  som.initial_where = reader.where("som.initial");
  const Value* value = reader.find("som.initial");
  if (value == nullptr) {
    reader.record("som.initial", toml_text(name_of(som.initial)));
    return;
  }
  if (names_hdf5(*value)) {
    som.initial = MapInitial::file;
    som.initial_file = file_of(reader, "som.initial", *value);
    return;
  }
  const std::string& word = reader.check_text_of(*value, "som.initial");
  if (word == "pca") {
    som.initial = MapInitial::pca;
  } else if (word.starts_with("uniform")) {
    som.initial = MapInitial::uniform;
    read_uniform(reader, *value, som);
  } else if (word != "sample") {
    reader.wrong_word(*value, "som.initial", {"sample", "uniform:LO:HI", "pca", "file.h5:/path"});
  }
  reader.record("som.initial", toml_text(word));
}

/// The end value of a decay that has one; refused beside a decay that has none.
std::optional<double> read_end(Reader& reader, const char* key, const char* what, Decay decay, bool starts_at_zero) {
  if (!has_end(decay)) {
    if (reader.find(key) != nullptr)
      reader.refuse(key,
                    fmt::format("the decay of {} is \"{}\", which has no end value; \"exponential\" and \"linear_to\" "
                                "have one",
                                what, name_of(decay)));
    return std::nullopt;
  }
  const bool exponential = decay == Decay::exponential;
  const std::optional<double> end = reader.real(key, Interval{0, 1e9, exponential});
  if (!end)
    reader.refuse("som.decay", fmt::format("\"{}\" for {} needs an end value; give {}", name_of(decay), what, key));
  if (exponential && starts_at_zero)
    reader.refuse("som.decay", fmt::format("\"exponential\" cannot start at 0, but sweep.{} has a 0", what));
  return end;
}

void read_decays(Reader& reader, SomTraining& som, const SweepSettings& sweep) {
  const Value* value = reader.find("som.decay");
  if (value != nullptr && value->kind == Value::Kind::table) {
    som.sigma_decay = reader.choice("som.decay.sigma", Decay::linear, decays);
    som.eta_decay = reader.choice("som.decay.eta", Decay::linear, decays);
  } else {
    som.sigma_decay = som.eta_decay = reader.choice("som.decay", Decay::linear, decays);
  }
  const bool zero_sigma = std::any_of(sweep.sigma.begin(), sweep.sigma.end(),
                                      [](const SigmaSetting& s) { return s.value == 0 && s.divisor == 0; });
  const bool zero_eta = std::find(sweep.eta.begin(), sweep.eta.end(), 0.0) != sweep.eta.end();
  som.sigma_end = read_end(reader, "som.sigma_end", "sigma", som.sigma_decay, zero_sigma);
  som.eta_end = read_end(reader, "som.eta_end", "eta", som.eta_decay, zero_eta);
  som.decay_per = reader.choice("som.decay_per", DecayPer::epoch, decay_pers);
  if (som.decay_per == DecayPer::step && som.training == Training::batch)
    reader.refuse("som.decay_per", "\"step\" is for training = \"online\" only; a batch epoch has no steps");
}

SomTraining read_training(Reader& reader, const SweepSettings& sweep) {
  SomTraining som;
  som.training = reader.choice("som.training", Training::online, trainings);
  read_order(reader, som);
  read_decays(reader, som, sweep);
  som.neighborhood = reader.choice("som.neighborhood", Neighborhood::gaussian, neighborhoods);
  if (som.neighborhood == Neighborhood::mexican_hat && som.training == Training::batch)
    reader.refuse("som.neighborhood",
                  "\"mexican_hat\" is for training = \"online\" only; its negative part would divide a batch by zero");
  read_initial(reader, som);
  som.distance = reader.choice("som.distance", MapDistance::euclidean, map_distances);
  return som;
}

SomStore read_store(Reader& reader) {
  const Value* value = reader.find("run.store");
  SomStore store;
  if (value == nullptr) {
    reader.record("run.store", R"(["weights", "assignments", "hits"])");
    return store;
  }
  store = {false, false, false};
  for (const Value* item : reader.list("run.store")) {
    const std::string& word = reader.check_text_of(*item, "run.store");
    bool* const wanted = word == "weights"       ? &store.weights
                         : word == "assignments" ? &store.assignments
                         : word == "hits"        ? &store.hits
                                                 : nullptr;
    if (wanted == nullptr) reader.wrong_word(*item, "run.store", {"weights", "assignments", "hits"});
    if (*wanted) reader.refuse(line_of(*item), "run.store", fmt::format("\"{}\" stands twice in the list", word));
    *wanted = true;
  }
  reader.record("run.store", toml_text(*value));
  return store;
}

}  // namespace

LoadedSom load_som(const std::string& path, const std::vector<Override>& overrides) {
  constexpr std::array<Named<Precision>, 2> precisions = {
      {{"double", Precision::real64}, {"single", Precision::real32}}};
  Document document = read_document(path);
  apply(document, overrides);
  Reader reader(std::move(document));
  declare(reader);
  LoadedSom loaded;
  SomSettings& settings = loaded.settings;
  settings.file = path;
  settings.data = read_data(reader);
  settings.sweep = read_sweep(reader);
  settings.training = read_training(reader, settings.sweep);
  settings.seed = reader.seed("run.seed", settings.seed);
  settings.precision = reader.choice("run.precision", Precision::real32, precisions);
  settings.store = read_store(reader);
  loaded.effective = reader.effective();
  return loaded;
}

std::string LoadedSom::toml() const {
  return toml_document(effective);
}

}  // namespace atl::config
