#include "config/som_settings.hpp"

#include <gtest/gtest.h>

#include "scratch.hpp"

namespace atl::config {
namespace {

using test::ScratchFolder;

// Line numbers of the messages below count from here.
const char* const head = "[data]\nfile = \"points.csv\"\n";

LoadedSom load(const std::string& text, const std::vector<Override>& overrides = {}) {
  const ScratchFolder folder;
  return load_som(folder.write("sweep.toml", head + text), overrides);
}

SomSettings settings(const std::string& text) {
  return load(text).settings;
}

/// The message of the refusal, without the folder before "sweep.toml".
std::string refusal(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    (void)load(text, overrides);
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.code(), ExitCode::bad_configuration) << message;
    const std::size_t name = message.find("sweep.toml");
    return name == std::string::npos ? message : message.substr(name);
  }
  return "accepted";
}

TEST(LoadSom, EveryKeyArrivesInTheSettings) {
  const ScratchFolder folder;

  const SomSettings s = load_som(folder.write("sweep.toml", R"(
[data]
file = "points.h5:/x"
columns = ["a", "b", "c"]
use = ["a", 2]
scale = "zscore"
missing = "ignore"
[sweep]
neurons = [2, "5..9:2", 4]
shapes = ["8x8", "10x12"]
sigma = [5, "n/2"]
eta = [1, 0.5]
epochs = [10, 20]
topology = ["line", "hexagonal"]
replicates = 7
[som]
training = "online"
order = "orders.h5:/order"
decay = { sigma = "exponential", eta = "asymptotic" }
sigma_end = 0.1
decay_per = "step"
neighborhood = "bubble"
initial = "uniform:-0.5:0.5"
distance = "manhattan"
[run]
seed = 12
precision = "double"
store = ["weights", "hits"]
)"),
                                 {})
                            .settings;

  EXPECT_EQ(s.data.file, (folder / "points.h5") + ":/x");
  EXPECT_EQ(s.data.columns, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(s.data.use, (std::vector<std::string>{"a", "2"}));
  EXPECT_EQ(s.data.scale, Scaling::zscore);
  EXPECT_TRUE(s.data.ignore_missing);
  EXPECT_EQ(s.sweep.neurons, (std::vector<std::int64_t>{2, 5, 7, 9, 4}));
  EXPECT_EQ(s.sweep.shapes, (std::vector<MapShape>{{8, 8}, {10, 12}}));
  EXPECT_EQ(s.sweep.sigma, (std::vector<SigmaSetting>{{5, 0}, {0, 2}}));
  EXPECT_EQ(s.sweep.eta, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(s.sweep.epochs, (std::vector<std::int64_t>{10, 20}));
  EXPECT_EQ(s.sweep.topology, (std::vector<MapTopology>{MapTopology::line, MapTopology::hexagonal}));
  EXPECT_EQ(s.sweep.replicates, 7);
  EXPECT_EQ(s.training.order, SampleOrder::file);
  EXPECT_EQ(s.training.order_file, (folder / "orders.h5") + ":/order");
  EXPECT_EQ(s.training.sigma_decay, Decay::exponential);
  EXPECT_EQ(s.training.eta_decay, Decay::asymptotic);
  EXPECT_EQ(s.training.sigma_end, 0.1);
  EXPECT_FALSE(s.training.eta_end.has_value());
  EXPECT_EQ(s.training.decay_per, DecayPer::step);
  EXPECT_EQ(s.training.neighborhood, Neighborhood::bubble);
  EXPECT_EQ(s.training.initial, MapInitial::uniform);
  EXPECT_EQ(s.training.uniform_low, -0.5);
  EXPECT_EQ(s.training.uniform_high, 0.5);
  EXPECT_EQ(s.training.distance, MapDistance::manhattan);
  EXPECT_EQ(s.seed, 12U);
  EXPECT_EQ(s.precision, Precision::real64);
  EXPECT_TRUE(s.store.weights && s.store.hits && !s.store.assignments);
}

TEST(LoadSom, RangesAreInclusiveAndMayHaveAStep) {
  EXPECT_EQ(settings("[sweep]\nneurons = \"2..5\"").sweep.neurons, (std::vector<std::int64_t>{2, 3, 4, 5}));
  EXPECT_EQ(settings("[sweep]\nneurons = \"2..9:3\"").sweep.neurons, (std::vector<std::int64_t>{2, 5, 8}));
  EXPECT_EQ(settings("[sweep]\nneurons = \"2..9:9223372036854775807\"").sweep.neurons, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(settings("[sweep]\nneurons = \"3..3\"").sweep.neurons, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(settings("[sweep]\nneurons = 7").sweep.neurons, (std::vector<std::int64_t>{7}));
}

TEST(LoadSom, ShapesAloneAreRectangular) {
  const SomSettings s = settings("[sweep]\nshapes = \"3x4\"");

  EXPECT_EQ(s.sweep.topology, (std::vector<MapTopology>{MapTopology::rectangular}));
}

TEST(LoadSom, SigmaFollowsTheSizeOfTheMap) {
  const SigmaSetting half{0, 2};

  EXPECT_EQ(half.of({1, 12}), 6);
  EXPECT_EQ(half.of({8, 10}), 5);
  EXPECT_EQ((SigmaSetting{5, 0}.of({1, 12})), 5);
}

struct Refusal {
  const char* text;
  const char* message;  // the beginning
};

void expect_refusals(const std::vector<Refusal>& refusals) {
  for (const auto& [text, message] : refusals)
    EXPECT_EQ(refusal(text).substr(0, std::string(message).size()), message) << refusal(text);
}

TEST(LoadSom, RefusesNeuronsThatMakeNoSweep) {
  expect_refusals({
      {"[sweep]\nneurons = \"128..2\"", "sweep.toml:4: sweep.neurons: \"128..2\" runs downward; write \"2..128\""},
      {"[sweep]\nneurons = \"0..4\"", "sweep.toml:4: sweep.neurons: \"0..4\" leaves what is allowed, 1 to"},
      {"[sweep]\nneurons = \"2..\"", "sweep.toml:4: sweep.neurons: \"2..\" is not a range"},
      {"[sweep]\nneurons = \"2..8:0\"", "sweep.toml:4: sweep.neurons: \"2..8:0\" has a step of 0"},
      {"[sweep]\nneurons = \"2..8:-1\"", "sweep.toml:4: sweep.neurons: \"2..8:-1\" has a step of -1"},
      {"[sweep]\nneurons = \"2 .. 8\"", "sweep.toml:4: sweep.neurons: \"2 .. 8\" is not a range"},
      {"[sweep]\nneurons = \"1..99999999999\"", "sweep.toml:4: sweep.neurons: \"1..99999999999\" leaves"},
      {"[sweep]\nneurons = \"1..10000001\"",
       "sweep.toml:4: sweep.neurons: \"1..10000001\" has more than 10000000 values"},
      {"[sweep]\nneurons = \"many\"", "sweep.toml:4: sweep.neurons: \"many\" is not a range"},
      {"[sweep]\nneurons = []", "sweep.toml:4: sweep.neurons: is an empty list"},
      {"[sweep]\nneurons = 0", "sweep.toml:4: sweep.neurons: must be an integer from 1"},
      {"[sweep]\nneurons = 2.5", "sweep.toml:4: sweep.neurons: must be an integer from 1"},
      {"[sweep]\nneurons = [2,\n 3,\n 2]", "sweep.toml:6: sweep.neurons: 2 stands twice"},
      {"[sweep]\nneurons = [5, \"2..8\"]", "sweep.toml:4: sweep.neurons: 5 stands twice"},
      {"[sweep]\nreplicates = 2", "sweep.toml:3: sweep.neurons: is missing; topology \"ring\" needs it"},
  });
}

TEST(LoadSom, RefusesShapesThatMakeNoMap) {
  expect_refusals({
      {"[sweep]\nshapes = \"8\"", "sweep.toml:4: sweep.shapes: \"8\" is not a shape; write \"ROWSxCOLUMNS\""},
      {"[sweep]\nshapes = \"0x8\"", "sweep.toml:4: sweep.shapes: \"0x8\": both sides must be 1 or more"},
      {"[sweep]\nshapes = \"8x8x8\"", "sweep.toml:4: sweep.shapes: \"8x8x8\" is not a shape"},
      {"[sweep]\nshapes = [\"8x8\", \"8x8\"]", "sweep.toml:4: sweep.shapes: \"8x8\" stands twice"},
      {"[sweep]\nshapes = 8", "sweep.toml:4: sweep.shapes: must be a string"},
      {"[sweep]\nshapes = \"99999x99999\"", "sweep.toml:4: sweep.shapes: \"99999x99999\": both sides"},
      {"[sweep]\nshapes = \"7x8\"\ntopology = \"hexagonal_toroid\"",
       "sweep.toml:4: sweep.shapes: \"7x8\": a hexagonal_toroid needs an even number of rows"},
      {"[sweep]\nshapes = \"8x8\"\ntopology = \"ring\"", "sweep.toml:3: sweep.neurons: is missing"},
      {"[sweep]\nneurons = 8\ntopology = \"hexagonal\"", "sweep.toml:3: sweep.shapes: is missing"},
      {"[sweep]\nneurons = 8\nshapes = \"8x8\"\ntopology = \"ring\"",
       "sweep.toml:5: sweep.shapes: is used by the grid topologies only"},
      {"[sweep]\nneurons = 8\nshapes = \"8x8\"\ntopology = \"hexagonal\"",
       "sweep.toml:4: sweep.neurons: is used by the topologies line and ring only"},
      {"[sweep]\nneurons = 8\ntopology = \"rings\"",
       "sweep.toml:5: sweep.topology: \"rings\" is not one of line, ring, rectangular"},
  });
}

TEST(LoadSom, RefusesStartValuesThatMakeNoTraining) {
  expect_refusals({
      {"[sweep]\nneurons = 8\nepochs = 0", "sweep.toml:5: sweep.epochs: must be an integer from 1"},
      {"[sweep]\nneurons = 8\nsigma = -1", "sweep.toml:5: sweep.sigma: must be a number from 0"},
      {"[sweep]\nneurons = 8\nsigma = inf", "sweep.toml:5: sweep.sigma: must be a number from 0"},
      {"[sweep]\nneurons = 8\nsigma = \"n*2\"", "sweep.toml:5: sweep.sigma: \"n*2\" is not a start value"},
      {"[sweep]\nneurons = 8\nsigma = \"n/0\"", "sweep.toml:5: sweep.sigma: \"n/0\" is not a start value"},
      {"[sweep]\nneurons = 8\nsigma = []", "sweep.toml:5: sweep.sigma: is an empty list"},
      {"[sweep]\nneurons = 8\neta = nan", "sweep.toml:5: sweep.eta: must be a number from 0 to 2"},
      {"[sweep]\nneurons = 8\neta = [0.5, 0.5]", "sweep.toml:5: sweep.eta: 0.5 stands twice"},
      {"[sweep]\nneurons = 8\nreplicates = 0", "sweep.toml:5: sweep.replicates: must be an integer from 1"},
      {"[sweep]\nneurons = \"1..100000\"\nreplicates = 100000",
       "sweep.toml:3: sweep: the product of the lists is 1e+10"},
  });
}

TEST(LoadSom, RefusesTrainingThatContradictsItself) {
  const std::string sweep = "[sweep]\nneurons = 8\n[som]\n";
  const auto expect = [&](const std::string& text, const std::string& message) {
    EXPECT_EQ(refusal(sweep + text).substr(0, message.size()), message) << refusal(sweep + text);
  };

  expect("decay = \"exponential\"", "sweep.toml:6: som.decay: \"exponential\" for sigma needs an end value");
  expect("decay = \"linear\"\nsigma_end = 1", "sweep.toml:7: som.sigma_end: the decay of sigma is \"linear\"");
  expect("decay = \"exponential\"\nsigma_end = 0\neta_end = 0.1",
         "sweep.toml:7: som.sigma_end: must be a number above 0");
  expect("decay = { sigma = \"linear\", alpha = \"linear\" }", "sweep.toml:6: unknown key som.decay.alpha");
  expect("training = \"batch\"\norder = \"shuffled\"",
         "sweep.toml:7: som.order: is used by training = \"online\" only");
  expect("training = \"batch\"\ndecay_per = \"step\"", "sweep.toml:7: som.decay_per: \"step\" is for training");
  expect("training = \"batch\"\nneighborhood = \"mexican_hat\"", "sweep.toml:7: som.neighborhood: \"mexican_hat\"");
  expect("initial = \"uniform\"", "sweep.toml:6: som.initial: \"uniform\" needs two numbers");
  expect("initial = \"uniform:1:0\"", "sweep.toml:6: som.initial: \"uniform:1:0\": the lower end 1 is above");
  expect("initial = \"random\"", "sweep.toml:6: som.initial: \"random\" is not one of sample, uniform:LO:HI, pca");
  expect("order = \"random\"", "sweep.toml:6: som.order: \"random\" is not one of shuffled, sequential");
  expect("distance = \"euclid\"", "sweep.toml:6: som.distance: \"euclid\" is not one of euclidean");
  expect("neighbourhood = \"gaussian\"", "sweep.toml:6: unknown key som.neighbourhood; [som] has");
}

TEST(LoadSom, RefusesWhatNobodyDeclared) {
  expect_refusals({
      {"[sweep]\nneurons = 8\n[run]\nstore = [\"weight\"]",
       "sweep.toml:6: run.store: \"weight\" is not one of weights, assignments, hits"},
      {"[sweep]\nneurons = 8\n[run]\nstore = [\"hits\", \"hits\"]", "sweep.toml:6: run.store: \"hits\" stands twice"},
      {"[sweep]\nneurons = 8\n[run]\nthreads = 4", "sweep.toml:6: unknown key run.threads; [run] has"},
      {"[sweeps]\nneurons = 8", "sweep.toml:3: unknown key sweeps"},
      {"use = []\n[sweep]\nneurons = 8", "sweep.toml:3: data.use: is an empty list"},
      {"use = [\"a\", \"a\"]\n[sweep]\nneurons = 8", "sweep.toml:3: data.use: column 'a' is named twice"},
  });
}

TEST(LoadSom, AnOverrideIsNamedByItsKey) {
  const std::string message = refusal("[sweep]\nneurons = 8", {{"sweep.neurons", "0..4", "--set sweep.neurons"}});

  EXPECT_EQ(message.substr(0, 20), "--set sweep.neurons:");
}

TEST(LoadSom, ASeedHasAll64Bits) {
  const LoadedSom loaded = load("[sweep]\nneurons = 8\n", {{"run.seed", "18446744073709551615", "--seed"}});

  EXPECT_EQ(loaded.settings.seed, 18446744073709551615U);
  EXPECT_NE(loaded.toml().find("seed = \"18446744073709551615\"\n"), std::string::npos) << loaded.toml();
  EXPECT_EQ(refusal("[sweep]\nneurons = 8\n[run]\nseed = -1"),
            "sweep.toml:6: run.seed: must be an integer from 0 to 18446744073709551615, not -1");
}

TEST(LoadSom, TheEffectiveConfigurationReadsBackToTheSameSettings) {
  const ScratchFolder folder;
  const LoadedSom first = load_som(
      folder.write("sweep.toml", std::string(head) +
                                     "[sweep]\nneurons = \"2..8:3\"\nsigma = [\"n/2\", 1]\ntopology = \"line\"\n[som]\n"
                                     "decay = { sigma = \"linear_to\" }\nsigma_end = 0.5\ninitial = \"pca\"\n"),
      {});

  const LoadedSom second = load_som(folder.write("again.toml", first.toml()), {});

  EXPECT_EQ(first.toml(), second.toml());
  EXPECT_EQ(second.settings.sweep.neurons, (std::vector<std::int64_t>{2, 5, 8}));
  EXPECT_EQ(second.settings.training.sigma_decay, Decay::linear_to);
}

}  // namespace
}  // namespace atl::config
