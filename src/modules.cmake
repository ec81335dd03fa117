# One library a folder of src/: `atoll_module(data USES base store)` is atoll_data from src/data/*.cpp.
# The USES lists are the picture of src/README.md: data flows one way, so a module never names one below it.
function(atoll_module name)
  cmake_parse_arguments(module "" "" "USES;LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(atoll_${name} STATIC ${sources})
  target_include_directories(atoll_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  foreach(used ${module_USES})
    if(TARGET atoll_${used})
      target_link_libraries(atoll_${name} PUBLIC atoll_${used})
    endif()
  endforeach()
  target_link_libraries(atoll_${name} PUBLIC fmt::fmt PRIVATE ${module_LINKS})
endfunction()

# kernels/**/*.cl become string literals of the binary, so that an installed atoll needs no source tree.
file(GLOB_RECURSE kernel_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.cl)
set(kernel_table ${CMAKE_BINARY_DIR}/generated/kernel_table.cpp)
add_custom_command(
  OUTPUT ${kernel_table}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${kernel_table} -DROOT=${PROJECT_SOURCE_DIR}/kernels -P
          ${PROJECT_SOURCE_DIR}/src/device/embed_kernels.cmake
  DEPENDS ${kernel_files} ${PROJECT_SOURCE_DIR}/src/device/embed_kernels.cmake
  VERBATIM)

# The git hash is asked at every build, but the file only changes when the hash does.
set(version_file ${CMAKE_BINARY_DIR}/generated/version.cpp)
add_custom_target(
  atoll_version_file
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${version_file} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -P
          ${PROJECT_SOURCE_DIR}/src/base/write_version.cmake
  BYPRODUCTS ${version_file}
  VERBATIM)

atoll_module(base)
target_sources(atoll_base PRIVATE ${version_file})
add_dependencies(atoll_base atoll_version_file)
atoll_module(expression USES base)
atoll_module(store USES base LINKS nlohmann_json::nlohmann_json Threads::Threads)
if(TARGET atoll_store)
  target_link_libraries(atoll_store PUBLIC atoll_hdf5)
endif()
atoll_module(data USES base store LINKS atoll_hdf5)
atoll_module(config USES base)
if(TARGET atoll_config)
  target_include_directories(atoll_config SYSTEM PRIVATE ${TOMLPLUSPLUS_INCLUDE_DIR})
endif()
atoll_module(cluster USES base LINKS atoll_mpi)
atoll_module(device USES base)
if(TARGET atoll_device)
  target_sources(atoll_device PRIVATE ${kernel_table})
  target_link_libraries(atoll_device PUBLIC atoll_opencl)
endif()
atoll_module(de USES base expression store data config cluster device LINKS atoll_nlopt Threads::Threads)
if(TARGET atoll_de)
  target_include_directories(atoll_de PUBLIC ${PROJECT_SOURCE_DIR}) # kernels/common is shared with the device
endif()
atoll_module(som USES base store data config cluster device LINKS Threads::Threads)
atoll_module(cli USES base config store de som cluster device LINKS CLI11::CLI11 nlohmann_json::nlohmann_json atoll_mpi)

if(TARGET atoll_cli)
  add_executable(atoll src/main.cpp)
  target_link_libraries(atoll PRIVATE atoll_cli CLI11::CLI11)
endif()
