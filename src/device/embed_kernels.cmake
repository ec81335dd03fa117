# Writes OUTPUT: a C++ table of every kernels/**/*.cl below ROOT, one raw string literal a file.
# The text is only ever expanded inside quotes, never as a list, so that ; [ ] and \\ in a kernel come through unchanged.
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.cl)
list(SORT files)
list(LENGTH files count)
set(rows "")
foreach(file ${files})
  file(READ "${ROOT}/${file}" text)
  string(LENGTH "${text}" length)
  string(FIND "${text}" ")~~\"" terminator)
  if(length GREATER 65535)
    message(FATAL_ERROR "kernels/${file} has ${length} bytes; a string literal holds 65535: split the file")
  endif()
  if(NOT terminator EQUAL -1)
    message(FATAL_ERROR "kernels/${file} contains )~~\", which ends the literal that embeds it")
  endif()
  string(APPEND rows "    KernelFile{\"${file}\", R\"~~(${text})~~\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from kernels/ by embed_kernels.cmake.
#include <array>

#include \"device/kernel_table.hpp\"

namespace atl::device {
std::span<const KernelFile> kernel_table() {
  static constexpr std::array<KernelFile, ${count}> table{
${rows}  };
  return table;
}
}  // namespace atl::device
")
