# The libraries, found wherever they are: system, CMAKE_PREFIX_PATH, or what a module system puts into CPATH and
# LIBRARY_PATH. Each has a Debian package (named where it is missing); scripts/install_packages installs them all.
option(ATOLL_FETCH_HEADERS "Download CLI11, toml++, fmt and nlohmann_json where they are not installed" OFF)
set(ATOLL_NLOPT AUTO CACHE STRING "NLopt, for run.polish: AUTO (where it is found), ON (required) or OFF")
set_property(CACHE ATOLL_NLOPT PROPERTY STRINGS AUTO ON OFF)

set(header_places PATHS ENV CPATH ENV C_INCLUDE_PATH ENV CPLUS_INCLUDE_PATH)
set(library_places PATHS ENV LIBRARY_PATH ENV LD_LIBRARY_PATH)

find_package(Threads REQUIRED)
find_package(MPI REQUIRED COMPONENTS C)
find_package(OpenCL REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)

find_path(OPENCL_CLHPP_INCLUDE_DIR CL/opencl.hpp HINTS ${OpenCL_INCLUDE_DIRS} ${header_places})
if(NOT OPENCL_CLHPP_INCLUDE_DIR)
  message(FATAL_ERROR "CL/opencl.hpp was not found (Debian: opencl-clhpp-headers). "
                      "If it is installed elsewhere, give -DCMAKE_PREFIX_PATH=FOLDER.")
endif()

# Declares the download of one library and makes its targets.
function(atoll_fetch name repository tag)
  include(FetchContent)
  message(STATUS "${name} is not installed: fetching ${tag} from ${repository}")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON SYSTEM)
  FetchContent_MakeAvailable(${name})
  set(${name}_SOURCE_DIR ${${name}_SOURCE_DIR} PARENT_SCOPE)
endfunction()

function(atoll_missing name package)
  message(FATAL_ERROR "${name} was not found (Debian: ${package}). If it is installed elsewhere, give "
                      "-DCMAKE_PREFIX_PATH=FOLDER; -DATOLL_FETCH_HEADERS=ON downloads it.")
endfunction()

# A library with a CMake package: afterwards `target` exists.
function(atoll_library name target package repository tag)
  find_package(${name} QUIET)
  if(NOT TARGET ${target} AND ATOLL_FETCH_HEADERS)
    atoll_fetch(${name} ${repository} ${tag})
  endif()
  if(NOT TARGET ${target})
    atoll_missing(${name} ${package})
  endif()
endfunction()

atoll_library(CLI11 CLI11::CLI11 libcli11-dev https://github.com/CLIUtils/CLI11.git v2.4.2)
atoll_library(fmt fmt::fmt libfmt-dev https://github.com/fmtlib/fmt.git 10.2.1)
atoll_library(nlohmann_json nlohmann_json::nlohmann_json nlohmann-json3-dev https://github.com/nlohmann/json.git v3.11.3)

# toml++ stays header-only, whatever its package prefers: one translation unit includes it with settings of its own.
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h ${header_places})
if(NOT TOMLPLUSPLUS_INCLUDE_DIR AND ATOLL_FETCH_HEADERS)
  atoll_fetch(tomlplusplus https://github.com/marzer/tomlplusplus.git v3.4.0)
  set(TOMLPLUSPLUS_INCLUDE_DIR ${tomlplusplus_SOURCE_DIR}/include)
endif()
if(NOT TOMLPLUSPLUS_INCLUDE_DIR)
  atoll_missing(toml++ libtomlplusplus-dev)
endif()

add_library(atoll_nlopt INTERFACE) # empty without NLopt; the code asks for ATOLL_HAS_NLOPT
if(ATOLL_NLOPT) # AUTO counts as true
  find_library(NLOPT_LIBRARY nlopt ${library_places})
  find_path(NLOPT_INCLUDE_DIR nlopt.h ${header_places})
  if(NLOPT_LIBRARY AND NLOPT_INCLUDE_DIR)
    target_link_libraries(atoll_nlopt INTERFACE ${NLOPT_LIBRARY})
    target_include_directories(atoll_nlopt SYSTEM INTERFACE ${NLOPT_INCLUDE_DIR})
    target_compile_definitions(atoll_nlopt INTERFACE ATOLL_HAS_NLOPT)
  elseif(ATOLL_NLOPT STREQUAL "AUTO")
    message(STATUS "NLopt was not found (Debian: libnlopt-dev): this atoll will not polish")
  else()
    message(FATAL_ERROR "NLopt was not found (Debian: libnlopt-dev), and ATOLL_NLOPT=${ATOLL_NLOPT} asks for it")
  endif()
endif()

add_library(atoll_mpi INTERFACE)
target_link_libraries(atoll_mpi INTERFACE MPI::MPI_C)
target_compile_definitions(atoll_mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

add_library(atoll_hdf5 INTERFACE)
target_include_directories(atoll_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(atoll_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
if(HDF5_IS_PARALLEL) # works as well as a serial one; its headers include mpi.h
  target_link_libraries(atoll_hdf5 INTERFACE atoll_mpi)
endif()

add_library(atoll_opencl INTERFACE)
target_include_directories(atoll_opencl SYSTEM INTERFACE ${OPENCL_CLHPP_INCLUDE_DIR})
target_link_libraries(atoll_opencl INTERFACE OpenCL::OpenCL)
target_compile_definitions(atoll_opencl INTERFACE CL_TARGET_OPENCL_VERSION=120 CL_HPP_TARGET_OPENCL_VERSION=120
                           CL_HPP_MINIMUM_OPENCL_VERSION=120 CL_HPP_ENABLE_EXCEPTIONS)
