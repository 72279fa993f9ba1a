# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: libraries, header, pkg-config and CMake package files, man pages, licence.
install(TARGETS cadenza cadenza_static EXPORT cadenza-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/cadenza.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

# Paths in cadenza.pc are relative to the file itself, so that the tree can be moved.
set(CDZ_PC_DIR "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(CDZ_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
    set(CDZ_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
else()
    file(RELATIVE_PATH up "/prefix/${CDZ_PC_DIR}" "/prefix")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(CDZ_PC_PREFIX "\${pcfiledir}/${up}")
    set(CDZ_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(CDZ_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
else()
    set(CDZ_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/cadenza.pc.in cadenza.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cadenza.pc DESTINATION ${CDZ_PC_DIR})

set(CDZ_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/cadenza")
install(EXPORT cadenza-targets NAMESPACE cadenza:: DESTINATION ${CDZ_CMAKE_DIR})
configure_package_config_file(cmake/cadenza-config.cmake.in cadenza-config.cmake INSTALL_DESTINATION ${CDZ_CMAKE_DIR})
write_basic_package_version_file(cadenza-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cadenza-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/cadenza-config-version.cmake
    DESTINATION ${CDZ_CMAKE_DIR})

foreach(section 1 3 5 7)
    file(GLOB pages CONFIGURE_DEPENDS docs/man/*.${section})
    if(pages)
        install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
    endif()
endforeach()
