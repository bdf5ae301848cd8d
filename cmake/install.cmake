# The package: kakeya::codec with its public headers and kakeya::c, found by find_package(kakeya), and the programs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/kakeya)

get_property(targets GLOBAL PROPERTY KAKEYA_INSTALLED)
install(TARGETS ${targets} EXPORT kakeya ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT codec)
install(EXPORT kakeya NAMESPACE kakeya:: FILE kakeyaTargets.cmake DESTINATION ${package} COMPONENT codec)

get_property(headers GLOBAL PROPERTY KAKEYA_PUBLIC_HEADERS)
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/lib/${header} DESTINATION include/${folder} COMPONENT codec)
endforeach()

set(KAKEYA_ZLIB OFF)
set(KAKEYA_HIGHWAY OFF)
if(TARGET kakeya_zlib)
  set(KAKEYA_ZLIB ON)
endif()
if(TARGET kakeya_highway)
  set(KAKEYA_HIGHWAY ON)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/kakeyaConfig.cmake.in ${PROJECT_BINARY_DIR}/kakeyaConfig.cmake
                              INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a minor version may change what there is.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kakeyaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
set(components codec)
if(TARGET kakeya_c)  # the C library; each component is installed without the other too
  list(APPEND components c)
  install(TARGETS kakeya_c EXPORT kakeya_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT c)
  install(EXPORT kakeya_c NAMESPACE kakeya:: FILE kakeyaCTargets.cmake DESTINATION ${package} COMPONENT c)
  install(FILES ${PROJECT_SOURCE_DIR}/lib/bindings/c/kakeya.h ${PROJECT_SOURCE_DIR}/lib/bindings/c/kakeya_device.h
                ${PROJECT_SOURCE_DIR}/lib/bindings/c/kakeya_plugin.h DESTINATION include/kakeya-c COMPONENT c)
  set(KAKEYA_PC_INCLUDE ${CMAKE_INSTALL_PREFIX}/include)
  cmake_path(RELATIVE_PATH KAKEYA_PC_INCLUDE BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/kakeya.pc.in ${PROJECT_BINARY_DIR}/kakeya.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/kakeya.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT c)
endif()
foreach(component IN LISTS components)
  install(FILES ${PROJECT_BINARY_DIR}/kakeyaConfig.cmake ${PROJECT_BINARY_DIR}/kakeyaConfigVersion.cmake
          DESTINATION ${package} COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${component})
endforeach()

get_property(programs GLOBAL PROPERTY KAKEYA_PROGRAMS)
if(programs)
  install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
  if(TARGET kakeya_torch_library)  # found from the programs: ../lib/kakeya
    install(TARGETS kakeya_torch_library LIBRARY DESTINATION lib/kakeya COMPONENT programs)
  endif()
endif()
