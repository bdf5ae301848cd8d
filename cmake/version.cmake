# Writes version.cpp; touches it only when its text changed. KAKEYA_COMMIT in the environment names the commit where
# nothing else does (a copied tree); an archive that git made names its own.
set(archive "$Format:%h$")
string(SUBSTRING "${archive}" 0 12 archive)
set(commit "$ENV{KAKEYA_COMMIT}")
if(commit STREQUAL "" AND archive MATCHES "^[0-9a-f]+$")
  set(commit ${archive})
elseif(commit STREQUAL "")
  # A copy within another project's tree is not of that project's commit.
  execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse --show-prefix OUTPUT_VARIABLE within
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed OR commit STREQUAL "" OR NOT within STREQUAL "")
    set(commit "unknown")
  else()
    execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain --untracked-files=no -- lib apps kernels cmake CMakeLists.txt
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(NOT changes STREQUAL "")
      string(APPEND commit "-dirty")
    endif()
  endif()
endif()
file(WRITE ${OUTPUT}.new "// Made by cmake/version.cmake.
#include \"kakeya/version.h\"

namespace kakeya {
std::string_view version() { return \"${VERSION}\"; }
std::string_view build_commit() { return \"${commit}\"; }
std::string_view build_compiler() { return \"${COMPILER}\"; }
}  // namespace kakeya
")
execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUTPUT}.new ${OUTPUT})
