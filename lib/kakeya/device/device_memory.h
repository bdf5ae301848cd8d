// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>

// Memory, streams and time on the GPU, for those who have no framework that brings its own. Every
// function throws Error where the build has no CUDA or the device refuses, but device_count()
// and built_with_cuda().

namespace kakeya {

/// A cudaStream_t; null is the default stream.
using DeviceStream = void*;

/// Whether this build has the kernels.
bool built_with_cuda();

/// GPUs there are; 0 also where the build has no CUDA or the machine no driver.
int device_count();

struct DeviceInfo {
  std::string name;
  std::string cuda;  ///< of driver and runtime: "driver 13.0, runtime 13.0"
  int multiprocessors = 0;
  std::size_t memory_bytes = 0, l2_bytes = 0;
};
DeviceInfo device_info();

/// What this thread does from now on it does on GPU number `device`.
void use_device(int device);
int current_device();

/// What this thread does while this lives it does on GPU number `device`, and then where it did before.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_;
  bool changed_;
};

/// Device memory of its own.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  // From and to host memory, `bytes` of the beginning; both wait until it is done.
  void copy_in(const void* from, std::size_t bytes);
  void copy_out(void* to, std::size_t bytes) const;
  /// Sets every byte, on the stream.
  void fill(int byte, DeviceStream stream);

 private:
  void* data_;
  std::size_t bytes_;
};

// From host memory to device memory and back. Both wait until it is done; for what is on a stream that
// does not wait for the default one (OwnStream) device_wait() waits.
void device_copy_in(void* to, const void* from, std::size_t bytes);
void device_copy_out(void* to, const void* from, std::size_t bytes);

/// Copies within device memory, also of two devices, on the stream of this thread's.
void device_copy(void* to, const void* from, std::size_t bytes, DeviceStream stream);
/// The same of `rows` rows of `bytes` bytes, that begin a stride from each other.
void device_copy_rows(void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
                      std::size_t bytes, std::size_t rows, DeviceStream stream);

/// Sets every byte of device memory, on the stream.
void device_fill(void* memory, int byte, std::size_t bytes, DeviceStream stream);

/// Waits for all that is on the stream; throws what went wrong there.
void device_wait(DeviceStream stream);

/// A stream of its own.
class OwnStream {
 public:
  OwnStream();
  ~OwnStream();
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  DeviceStream get() const { return stream_; }

 private:
  DeviceStream stream_;
};

/// The time between two points of a stream.
class DeviceTimer {
 public:
  DeviceTimer();
  ~DeviceTimer();
  DeviceTimer(const DeviceTimer&) = delete;
  DeviceTimer& operator=(const DeviceTimer&) = delete;
  void start(DeviceStream stream);
  void stop(DeviceStream stream);
  double microseconds() const;  ///< waits for what stop() marked

 private:
  void *from_, *to_;
};

/// What is put on a stream between the constructor and finish(), to be run as often as one likes.
class DeviceGraph {
 public:
  explicit DeviceGraph(DeviceStream stream);
  ~DeviceGraph();
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;
  void finish();
  void run(DeviceStream stream) const;

 private:
  DeviceStream stream_;
  void* graph_ = nullptr;
};

}  // namespace kakeya
