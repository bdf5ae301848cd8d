// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_memory.h"

#include "kernels/build.h"
#include "kernels/kernels.h"

namespace kakeya {
namespace {

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

}  // namespace

bool built_with_cuda() { return kernels::built_with_cuda(); }

int device_count() { return kernels::device_count(); }

DeviceInfo device_info() {
  const kernels::DeviceFacts facts = kernels::device_facts();
  return {facts.name, "driver " + version(facts.driver) + ", runtime " + version(facts.runtime),
          facts.multiprocessors, facts.memory_bytes, facts.l2_bytes};
}

void use_device(int device) { kernels::use_device(device); }
int current_device() { return kernels::current_device(); }

OnDevice::OnDevice(int device) : before_(current_device()), changed_(device != before_) {
  if (changed_) use_device(device);
}
OnDevice::~OnDevice() {
  if (changed_) kernels::return_to_device(before_);
}

DeviceBuffer::DeviceBuffer(std::size_t bytes) : data_(kernels::allocate(bytes)), bytes_(bytes) {}
DeviceBuffer::~DeviceBuffer() { kernels::release(data_); }
void DeviceBuffer::copy_in(const void* from, std::size_t bytes) {
  kernels::copy_in(data_, from, bytes);
}
void DeviceBuffer::copy_out(void* to, std::size_t bytes) const {
  kernels::copy_out(to, data_, bytes);
}
void DeviceBuffer::fill(int byte, DeviceStream stream) {
  kernels::fill(data_, byte, bytes_, stream);
}

void device_copy_in(void* to, const void* from, std::size_t bytes) {
  kernels::copy_in(to, from, bytes);
  kernels::wait(nullptr);  // a copy may return when its bytes have left the host's memory
}
void device_copy_out(void* to, const void* from, std::size_t bytes) {
  kernels::copy_out(to, from, bytes);
}
void device_copy(void* to, const void* from, std::size_t bytes, DeviceStream stream) {
  kernels::copy(to, from, bytes, stream);
}
void device_copy_rows(void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
                      std::size_t bytes, std::size_t rows, DeviceStream stream) {
  kernels::copy_rows(to, to_stride, from, from_stride, bytes, rows, stream);
}
void device_fill(void* memory, int byte, std::size_t bytes, DeviceStream stream) {
  kernels::fill(memory, byte, bytes, stream);
}
void device_wait(DeviceStream stream) { kernels::wait(stream); }

OwnStream::OwnStream() : stream_(kernels::make_stream()) {}
OwnStream::~OwnStream() { kernels::release_stream(stream_); }

DeviceTimer::DeviceTimer() : from_(kernels::make_event()), to_(kernels::make_event()) {}
DeviceTimer::~DeviceTimer() {
  kernels::release_event(from_);
  kernels::release_event(to_);
}
void DeviceTimer::start(DeviceStream stream) { kernels::record(from_, stream); }
void DeviceTimer::stop(DeviceStream stream) { kernels::record(to_, stream); }
double DeviceTimer::microseconds() const { return kernels::microseconds(from_, to_); }

DeviceGraph::DeviceGraph(DeviceStream stream) : stream_(stream) { kernels::begin_graph(stream); }
DeviceGraph::~DeviceGraph() {
  if (graph_ != nullptr) kernels::release_graph(graph_);
}
void DeviceGraph::finish() { graph_ = kernels::end_graph(stream_); }
void DeviceGraph::run(DeviceStream stream) const { kernels::launch(graph_, stream); }

}  // namespace kakeya
