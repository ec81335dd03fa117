// Yardstick: pagmo's differential evolution on the 27-row product model, islands on threads.
// apt-get install libpagmo-dev; g++ -O3 -march=native -std=c++17 de_pagmo.cpp -lpagmo -ltbb -lboost_serialization
// -lpthread -o de_pagmo
// ./de_pagmo data/de_product/tables.csv ISLANDS GENERATIONS (scripts/benchmark does both)
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/de.hpp>
#include <pagmo/archipelago.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/topologies/ring.hpp>
#include <sstream>
#include <string>
#include <vector>

struct ProductModel {
  std::vector<double> rows;  // x1 x2 x3 y
  pagmo::vector_double fitness(const pagmo::vector_double& v) const {
    double sum = 0;
    for (std::size_t r = 0; r < rows.size(); r += 4) {
      const double a = v[0] * rows[r] + v[1];
      const double b = (v[2] * rows[r + 1] + v[3]) * rows[r + 1] + v[4];
      const double c = (v[5] * rows[r + 2] + v[6]) * rows[r + 2] + v[7];
      sum += std::fabs(rows[r + 3] - a * b * c);
    }
    return {sum};
  }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    return {pagmo::vector_double(8, -20.), pagmo::vector_double(8, 20.)};
  }
  template <typename Archive>
  void serialize(Archive& ar, unsigned) {
    ar& rows;
  }
};
PAGMO_S11N_PROBLEM_EXPORT(ProductModel)

int main(int argc, char** argv) {
  if (argc < 4) return 64;
  ProductModel model;
  std::ifstream in(argv[1]);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    for (auto& ch : line)
      if (ch == ',') ch = ' ';
    std::istringstream fields(line);
    for (double v; fields >> v;) model.rows.push_back(v);
  }
  const unsigned islands = std::atoi(argv[2]), generations = std::atoi(argv[3]), members = 128;
  pagmo::archipelago archipelago{
      pagmo::ring(1.),       islands, pagmo::algorithm{pagmo::de(generations, .75, .7, 6, 0, 0, 42)},
      pagmo::problem{model}, members, 32u};
  const auto start = std::chrono::steady_clock::now();
  archipelago.evolve(1);
  archipelago.wait_check();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  double best = 1e300;
  for (auto& f : archipelago.get_champions_f()) best = std::min(best, f[0]);
  std::printf("evaluations %.0f seconds %.3f evaluations_per_second %.4g best %.10g\n",
              1. * islands * generations * members, seconds, 1. * islands * generations * members / seconds, best);
}
