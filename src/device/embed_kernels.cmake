# Writes OUTPUT: a C++ table of every kernels/**/*.cl below ROOT. Pieces stay below 64 KiB, the limit of a literal.
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.cl)
list(SORT files)
set(rows "")
foreach(file ${files})
  file(READ ${ROOT}/${file} text)
  string(LENGTH "${text}" length)
  set(pieces "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 12000 piece)
    string(APPEND pieces "R\"~~(${piece})~~\"\n")
    math(EXPR at "${at} + 12000")
  endwhile()
  string(APPEND rows "{\"${file}\",\n${pieces}},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from kernels/ by embed_kernels.cmake.
#include \"device/kernel_table.hpp\"
namespace atoll::device {
std::span<const KernelFile> kernel_table() {
  static constexpr KernelFile table[] = {
${rows}};
  return table;
}
}  // namespace atoll::device
")
