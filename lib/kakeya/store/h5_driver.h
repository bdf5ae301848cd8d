// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace kakeya::h5 {

/// What befell a file that is being written. Both stay as they are once set.
struct WriteFault {
  std::string reason;  ///< why the file could not be opened or a write failed; empty: all went well
  bool opened = false;  ///< the file is there and locked by us
};

/// The HDF5 access list (hid_t, to be closed by the caller) under which H5Fcreate() writes in the
/// format of HDF5 1.10, with our own file driver; H5Fclose() closes all objects of such a file.
/// `fault` must outlive the file. Throws IoError.
///
/// HDF5 cannot close a file whose writes fail: it keeps what it could not flush, tries again when
/// it is closed and when the program ends, and then dies of SIGSEGV. So this driver never tells it.
/// After the first failure it notes the reason, keeps metadata in memory where they can be read
/// back, drops raw data, and reports success: the file can be closed, and whoever wrote it looks at
/// `fault`, throws and removes it. Until then it writes what HDF5's own driver "sec2" would, byte
/// by byte. The file is locked (flock) before it is cut off, and until it is closed.
std::int64_t access_for_writing(WriteFault& fault);

}  // namespace kakeya::h5
