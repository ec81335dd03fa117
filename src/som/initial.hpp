// Start weights of a map, drawn on the host in double.
#pragma once
#include <vector>

#include "som/map.hpp"
#include "som/scaling.hpp"
#include "som/trainer.hpp"

namespace atl::som {

/// The first two principal components of the data: unit vectors, largest entry positive, and the roots of their
/// eigenvalues (standard deviations over n).
struct PrincipalComponents {
  std::vector<double> mean;           // (columns)
  std::vector<double> first, second;  // (columns)
  double first_width = 0, second_width = 0;
};

/// By the eigenvectors of the covariance matrix (cyclic Jacobi up to 64 columns, orthogonal iteration beyond).
[[nodiscard]] PrincipalComponents principal_components(const ScaledData& data);

/// Of the present cells.
[[nodiscard]] std::vector<double> column_means(const ScaledData& data);

/// (neurons, columns), row-major, in scaled space. `components` need hold more than `mean` for MapInitial::pca only.
[[nodiscard]] std::vector<double> initial_weights(const MapSetting& map, const TrainerInputs& inputs,
                                                  const PrincipalComponents& components);

}  // namespace atl::som
