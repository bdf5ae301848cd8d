// SPDX-License-Identifier: Apache-2.0
// In the place of every .cu file where a build has no CUDA.
#include "kakeya/core/error.h"
#include "kernels/attention.h"
#include "kernels/budget.h"
#include "kernels/budget_slots.h"
#include "kernels/build.h"
#include "kernels/entropy_coded.h"
#include "kernels/field_attention.h"
#include "kernels/fields.h"
#include "kernels/kernels.h"
#include "kernels/klt.h"
#include "kernels/page_classes.h"
#include "kernels/pages.h"
#include "kernels/prefix.h"
#include "kernels/prefix_attention.h"
#include "kernels/rope_attention.h"
#include "kernels/tiles.h"

namespace kakeya::kernels {
namespace {

[[noreturn]] void refuse() {
  throw Error("this build has no CUDA kernels (see the configure output): --codec-device cpu");
}

}  // namespace

bool built_with_cuda() { return false; }
int device_count() { return 0; }
DeviceFacts device_facts() { refuse(); }
void use_device(int) { refuse(); }
void return_to_device(int) noexcept {}
int current_device() { refuse(); }
void* allocate(std::size_t) { refuse(); }
void release(void*) {}
void copy_in(void*, const void*, std::size_t) { refuse(); }
void copy_out(void*, const void*, std::size_t) { refuse(); }
void copy(void*, const void*, std::size_t, Stream) { refuse(); }
void copy_rows(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, Stream) {
  refuse();
}
void fill(void*, int, std::size_t, Stream) { refuse(); }
Stream make_stream() { refuse(); }
void release_stream(Stream) {}
void wait(Stream) { refuse(); }
Event make_event() { refuse(); }
void release_event(Event) {}
void record(Event, Stream) { refuse(); }
double microseconds(Event, Event) { refuse(); }
void begin_graph(Stream) { refuse(); }
Graph end_graph(Stream) { refuse(); }
void launch(Graph, Stream) { refuse(); }
void release_graph(Graph) {}

void lay_pages(const FixedRate&, const Sections&, std::int64_t, bool, const PagePool&,
               const std::int32_t*, std::uint32_t*, Stream) {
  refuse();
}
void unpack_pages(const FixedRate&, const PagePool&, const std::int32_t*, std::int64_t,
                  std::int64_t, const Vectors&, const Vectors&, std::uint32_t*, Stream) {
  refuse();
}
void lay_byte_pages(const Blocks&, const Sections&, std::int64_t, bool, const PagePool&,
                    const std::int32_t*, std::uint32_t*, Stream) {
  refuse();
}
void unpack_byte_pages(const PagePool&, const std::int32_t*, std::int64_t, std::int64_t,
                       const Vectors&, const Vectors&, std::uint32_t*, Stream) {
  refuse();
}
int attend_splits(const PagePool&, int, int, std::int64_t) { refuse(); }
std::int64_t attend_workspace_bytes(int, int, int, int, int) { refuse(); }
void attend(const AttendCall&, Stream) { refuse(); }

std::size_t lay_fields_workspace(std::int64_t, int) { refuse(); }
void lay_fields(const FieldSections&, const FieldSections&, std::int64_t, const PagePool&,
                const FieldRoom&, const std::int32_t*, void*, std::uint32_t*, Stream) {
  refuse();
}
std::size_t lift_fields_workspace(std::int64_t, int) { refuse(); }
void lift_fields(const PagePool&, const FieldRoom&, const std::int32_t*, std::int64_t,
                 const PageSections&, const PageSections&, void*, std::uint32_t*, Stream) {
  refuse();
}
int attend_fields_splits(int, int, int, int, std::int64_t) { refuse(); }
std::int64_t attend_fields_workspace_bytes(int, int, int, int, int) { refuse(); }
void attend_fields(const AttendCall&, const FieldRoom&, const FieldTransforms&, Stream) {
  refuse();
}
int attend_prefix_splits(int, int, int, int, std::int64_t) { refuse(); }
std::int64_t attend_prefix_workspace_bytes(int, int, int, int, int, std::int64_t) { refuse(); }
void attend_prefix(const AttendCall&, const FieldRoom&, const FieldTransforms&, const PrefixSides&,
                   std::int64_t, Stream) {
  refuse();
}
void attend_tiles(const AttendCall&, const FieldRoom&, const FieldTransforms&, Stream) { refuse(); }
void attend_rope_tiles(const AttendCall&, const FieldRoom&, const FieldTransforms&,
                       const RopeTables&, Stream) {
  refuse();
}

std::size_t field_decode_workspace(const PagePoints&, int) { refuse(); }
std::size_t field_encode_workspace(const PagePoints&, int, int) { refuse(); }
void encode_fields(const FieldPages&, const PagePoints&, std::int64_t, const PageSections&, void*,
                   std::uint32_t*, Stream) {
  refuse();
}
void decode_fields(const FieldPages&, const PageSections&, const PagePoints&, std::int64_t, void*,
                   std::uint32_t*, Stream) {
  refuse();
}

std::size_t tile_decode_workspace(const PagePoints&, int) { refuse(); }
std::size_t tile_encode_workspace(const PagePoints&, int, int) { refuse(); }
void encode_tiles(const FieldPages&, const PagePoints&, std::int64_t, const PageSections&, void*,
                  std::uint32_t*, Stream) {
  refuse();
}
bool has_tile_vectors(const Klt&) { return false; }
void decode_tile_vectors(const Klt&, const FieldPages&, const PageSections&, const PagePoints&,
                         const KltWork&, const Vectors&, void*, std::uint32_t*, Stream) {
  refuse();
}
void decode_tiles(const FieldPages&, const PageSections&, const PagePoints&, std::int64_t, void*,
                  std::uint32_t*, Stream) {
  refuse();
}

std::size_t prefix_encode_workspace(const PagePoints&, int) { refuse(); }
std::size_t prefix_decode_workspace(const PagePoints&, int) { refuse(); }
void encode_prefix(const PrefixPages&, const PagePoints&, std::int64_t, const PageSections&, void*,
                   std::uint32_t*, Stream) {
  refuse();
}
void decode_prefix(const PrefixPages&, const PageSections&, const PagePoints&, std::int64_t, void*,
                   std::uint32_t*, Stream) {
  refuse();
}
void sum_prefix(const PrefixPages&, const PageSections&, const PagePoints&, std::int64_t,
                std::int32_t*, void*, std::uint32_t*, Stream) {
  refuse();
}

void encode(const Plain&, const Vectors&, const Sections&, std::uint32_t*, Stream) { refuse(); }
void decode(const Plain&, const Sections&, const Vectors&, std::uint32_t*, Stream) { refuse(); }
void round_trip(const Plain&, const Vectors&, const Vectors&, std::uint32_t*, Stream) { refuse(); }
void convert(const Vectors&, const Vectors&, bool, Stream) { refuse(); }
void scatter(const Vectors&, const Vectors&, const std::int32_t*, std::uint32_t*, Stream) {
  refuse();
}
void compare_and_replace(const Vectors&, const Vectors&, VectorSums*, Stream) { refuse(); }
void encode(const FixedRate&, const Vectors&, const Sections&, std::uint32_t*, Stream) { refuse(); }
void decode(const FixedRate&, const Sections&, const Vectors&, std::uint32_t*, Stream) { refuse(); }
void round_trip(const FixedRate&, const Vectors&, const Vectors&, std::uint32_t*, Stream) {
  refuse();
}
void encode(const Blocks&, const Vectors&, const Sections&, std::uint32_t*, Stream) { refuse(); }
void decode(const Blocks&, const Sections&, const Vectors&, std::uint32_t*, Stream) { refuse(); }
void round_trip(const Blocks&, const Vectors&, const Vectors&, std::uint32_t*, Stream) { refuse(); }
void encode(const RotatedBlocks&, const Vectors&, const Sections&, std::uint32_t*, Stream) {
  refuse();
}
void decode(const RotatedBlocks&, const Sections&, const Vectors&, std::uint32_t*, Stream) {
  refuse();
}
void round_trip(const RotatedBlocks&, const Vectors&, const Vectors&, std::uint32_t*, Stream) {
  refuse();
}
void encode(const KiviKeys&, const Vectors&, const Sections&, std::uint32_t*, Stream) { refuse(); }
void decode(const KiviKeys&, const Sections&, const Vectors&, std::uint32_t*, Stream) { refuse(); }
void round_trip(const KiviKeys&, const Vectors&, const Vectors&, std::uint32_t*, Stream) {
  refuse();
}
void klt_forward(const Klt&, const Vectors&, const KltWork&, std::uint32_t*, Stream) { refuse(); }
void klt_layers_forward(const KltLayers&, const Vectors&, const KltLayersWork&, std::uint32_t*,
                        Stream) {
  refuse();
}
void klt_settle(const Klt&, std::int64_t, std::int64_t, const KltWork&, bool, Stream) { refuse(); }
void klt_write_exact(const Klt&, const Vectors&, const KltWork&, const SizedSection&, Stream) {
  refuse();
}
void klt_read_exact(const Klt&, std::int64_t, std::int64_t, const SizedSection&, const KltWork&,
                    std::uint32_t*, Stream) {
  refuse();
}
void klt_move_apart(const Klt&, std::int64_t, std::int64_t, const KltWork&, Stream) { refuse(); }
void klt_backward(const Klt&, const KltWork&, const Vectors&, std::uint32_t*, Stream) { refuse(); }
void klt_layers_backward(const KltLayers&, const KltLayersWork&, const Vectors&, std::uint32_t*,
                         Stream) {
  refuse();
}
void klt_put_exact(const Klt&, const SizedSection&, const KltWork&, const Vectors&, Stream) {
  refuse();
}
void klt_copy_exact(const Klt&, const Vectors&, const KltWork&, const Vectors&, Stream) {
  refuse();
}

std::size_t page_encode_workspace(const PagePoints&, int, std::size_t) { refuse(); }
std::size_t page_decode_workspace(const PagePoints&, int) { refuse(); }
void encode_pages(const PageCoding&, const PagePoints&, const PageSections&, void*, std::size_t,
                  std::uint32_t*, Stream) {
  refuse();
}
void decode_pages(const PageCoding&, const PageSections&, const PagePoints&, void*, std::uint32_t*,
                  Stream) {
  refuse();
}
void locate_pages(int, std::int64_t, const PageSections&, std::uint64_t*, std::uint32_t*, Stream) {
  refuse();
}
void cost_pages(const PageCoding&, const PagePoints&, std::uint32_t*, Stream) { refuse(); }
void sum_pages(const PageCoding&, const PageSections&, const PagePoints&, std::int32_t*, void*,
               std::uint32_t*, Stream) {
  refuse();
}

void take_means(const EntropyCoded&, const Vectors&, const Section&, const EntropyCodedWork&,
                Stream) {
  refuse();
}
void read_means(const EntropyCoded&, std::int64_t, const Section&, const EntropyCodedWork&,
                std::uint32_t*, Stream) {
  refuse();
}
void share_scales(const EntropyCoded&, const Vectors&, const EntropyCodedSections&,
                  const EntropyCodedWork&, std::uint32_t*, Stream) {
  refuse();
}
void find_points(const EntropyCoded&, const Vectors&, const EntropyCodedSections&,
                 const EntropyCodedWork&, std::uint32_t*, Stream) {
  refuse();
}
void restore_vectors(const EntropyCoded&, const EntropyCodedSections&, const EntropyCodedWork&,
                     const Vectors&, std::uint32_t*, Stream) {
  refuse();
}
void round_trip(const EntropyCoded&, const Vectors&, const EntropyCodedSections&,
                const EntropyCodedWork&, const Vectors&, std::uint32_t*, Stream) {
  refuse();
}
void take_outliers(const EntropyCoded&, const Vectors&, const EntropyCodedSections&,
                   const EntropyCodedWork&, std::uint32_t*, Stream) {
  refuse();
}
void put_outliers(const EntropyCoded&, const EntropyCodedSections&, const EntropyCodedWork&, bool,
                  const Vectors&, std::uint32_t*, Stream) {
  refuse();
}
void write_exact_vectors(const EntropyCoded&, const Vectors&, const EntropyCodedSections&,
                         const EntropyCodedWork&, Stream) {
  refuse();
}
void put_exact_vectors(const EntropyCoded&, const EntropyCodedSections&, const Vectors&,
                       std::uint32_t*, Stream) {
  refuse();
}

void begin_budget(const BudgetPool&, const BudgetWork&, Stream) { refuse(); }
void next_budget_step(const BudgetPool&, const BudgetWork&, Stream) { refuse(); }
void end_budget(const BudgetPool&, const BudgetWork&, Stream) { refuse(); }
void write_budget_pages(const BudgetPool&, const BudgetWork&, Stream) { refuse(); }
void read_budget_pages(const BudgetPool&, const BudgetWork&, Stream) { refuse(); }
void add_budget_flags(const BudgetPool&, const BudgetWork&, std::uint32_t*, Stream) { refuse(); }
void lay_budget_pages(const BudgetSections&, const BudgetSections&, std::int64_t, const PagePool&,
                      const FieldRoom&, const std::int32_t*, std::uint32_t*, Stream) {
  refuse();
}
void lift_budget_pages(const PagePool&, const FieldRoom&, const std::int32_t*, std::int64_t,
                       const BudgetSections&, const BudgetSections&, std::uint32_t*, Stream) {
  refuse();
}

std::size_t class_workspace(const PageClasses&, const ClassChoice&) { refuse(); }
void choose_classes(const PageClasses&, const ClassChoice&, const PagePoints&, std::int32_t,
                    const Section&, void*, Stream) {
  refuse();
}
std::size_t class_plan_bytes(const PageClasses&, const ClassChoice&) { refuse(); }
void plan_classes(const PageClasses&, const ClassChoice&, const Section&, const PagePoints&,
                  std::int64_t, std::uint32_t*, void*, std::uint32_t*, Stream) {
  refuse();
}
PageCoding class_coding(const PageClasses&, const ClassChoice&, const void*) { refuse(); }

}  // namespace kakeya::kernels
