// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "kernels/field_attention_joins.cuh"
#include "kernels/field_walk.cuh"
#include "kernels/pages_launch.cuh"

// What decode attention over pages of fields and over pages of tiles has in common: the shape of attention.cu,
// whose warps take the pages of a sequence's KV head in turn.

namespace kakeya::kernels {
namespace {

/// Keys and values in bf16: a token a warp, a value a lane and dim / 32. `room`: dim floats of the warp's own.
template <int kDim, int kSets, typename Shared>
__device__ __forceinline__ void add_plain(const AttendCall& call, const Unit& unit,
                                          std::int64_t row, int lane, const Shared& shared,
                                          float* room, FieldRunning<kDim> (&running)[kSets],
                                          float (&plain)[kSets][kDim / 8]) {
  constexpr int kEach = kDim / 32;
  const auto bf16 = [](std::uint16_t pattern) {
    return __uint_as_float(static_cast<std::uint32_t>(pattern) << 16);
  };
  float score[kSets] = {}, key[kEach], value[kEach];
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    key[j] = bf16(call.exact_keys[row * kDim + lane * kEach + j]);
    value[j] = bf16(call.exact_values[row * kDim + lane * kEach + j]);
  }
#pragma unroll
  for (int g = 0; g < 4 * kSets; ++g) {
    if (g >= unit.count) break;
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      sum = __fmaf_rn(key[j], shared.query[g][lane * kEach + j], sum);
    }
#pragma unroll
    for (int half = 1; half < 32; half *= 2) sum += __shfl_xor_sync(kAll, sum, half);
    if (g % 4 == lane % 4) score[g / 4] = sum * call.scale * kLog2E;
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    room[lane * kEach + j] = value[j];
  }
  __syncwarp();
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const float most = fmaxf(running[set].most, score[set]);
    const float shrink = power_of_two(running[set].most - most),
                weight = power_of_two(score[set] - most);
    running[set].most = most;
    running[set].total = __fmaf_rn(running[set].total, shrink, weight);
    running[set].packed *= shrink;
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i) {
      running[set].sum[i] *= shrink;
      plain[set][i] = __fmaf_rn(plain[set][i], shrink, weight * room[8 * i + lane / 4]);
    }
  }
}

/// All of a kernel whose warps take pages as Step does: Step::Own of a warp and Step::Shared of the block in
/// shared memory, behind a room of room.warp_bytes for the pages of each warp. Step has kDim, kSets, the
/// members that are set below, start() for its first page, and run() for each.
template <typename Step>
__device__ __forceinline__ void attend_pages(const AttendCall& call, const FieldRoom& room,
                                             const FieldTransforms& transforms,
                                             std::uint8_t* memory) {
  constexpr int kDim = Step::kDim, kSets = Step::kSets;
  using Own = typename Step::Own;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32,
            warps = static_cast<int>(blockDim.x) / 32;
  std::uint8_t* const behind = memory + warps * room.warp_bytes;
  auto& own = reinterpret_cast<Own*>(behind)[warp];
  auto& shared = *reinterpret_cast<typename Step::Shared*>(behind + warps * sizeof(Own));
  const auto splits = static_cast<unsigned>(call.splits);
  const Unit unit = unit_of<kSets>(call, static_cast<int>(blockIdx.x / splits));
  const int workers = call.splits * warps,
            worker = static_cast<int>(blockIdx.x % splits) * warps + warp;
  const int sequence = unit.sequence;
  const int tokens =
      tokens_of(call, sequence, call.packed_tokens[sequence], call.table_stride * kFieldTokens);
  const int first =
      call.first_tokens == nullptr
          ? 0
          : tokens_of(call, sequence, call.first_tokens[sequence], 0x7fffffff - kFieldTokens);
  Step step{lane,
            memory + warp * room.warp_bytes,
            room.warp_bytes,
            own,
            shared,
            BulkCopy(shared.barrier + 2 * warp, lane),
            BulkCopy(shared.barrier + 2 * warp + 1, lane),
            {},
            {}};
  FieldWalk now{call, room,    call.table + sequence * call.table_stride,  sequence, unit.head,
                0,    workers, (tokens + kFieldTokens - 1) / kFieldTokens, nullptr,  nullptr,
                0,    0};
  now.seek(first / kFieldTokens + worker);
  if (now.page < now.end) step.start(now);
  MatrixRows<kDim> rows;
  rows.load(transforms.keys + static_cast<std::int64_t>(unit.head) * kDim * kDim, 0);
  load_field_queries<kDim, kSets>(call, transforms, unit, rows, reinterpret_cast<float*>(behind),
                                  shared);
  __syncthreads();
  FieldRunning<kDim> running[kSets];
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const int g = 4 * set + lane % 4;
    step.unit[set] = shared.step[g] * (call.scale * kLog2E);
    step.offset[set] = shared.offset[g] * (call.scale * kLog2E);
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i) running[set].sum[i] = 0.0f;
  }
  while (now.page < now.end) {
    FieldWalk next = now;
    next.seek(now.page + workers);
    step.run(call, now, next, first, tokens, running);
    now.page = next.page, now.keys = next.keys, now.values = next.values;
    now.key_bytes = next.key_bytes, now.value_bytes = next.value_bytes;
  }
  float plain[kSets][kDim / 8] = {};
#pragma unroll
  for (int set = 0; set < kSets; ++set) running[set].packed = running[set].total;
  unsigned plain_blocks = 0;
  if (call.exact_tokens != nullptr) {
    const ExactRows exact = exact_rows_of(call, sequence);
    plain_blocks = blocks_of_rows(exact.count, warps, splits);
    // Those that have fewer pages come first.
    for (int row = workers - 1 - worker; row < exact.count; row += workers) {
      const std::int64_t at = (exact.first + row) * call.pool.heads + unit.head;
      add_plain<kDim, kSets>(call, unit, at, lane, shared, step.floats(), running, plain);
    }
  }
  join_field_unit<kDim, kSets>(call, transforms, unit, splits, plain_blocks, warp, warps, lane,
                               reinterpret_cast<float*>(memory), shared, running, plain);
}

/// Shared memory of a block of so many warps: their rooms, which at the end hold sums or shares.
template <typename Step>
std::size_t shared_bytes(int warps, int warp_bytes) {
  return static_cast<std::size_t>(warps) *
             (static_cast<std::size_t>(warp_bytes) + sizeof(typename Step::Own)) +
         sizeof(typename Step::Shared);
}
/// What joins need of the rooms.
template <typename Step>
bool rooms_suffice(int warps, int warp_bytes) {
  constexpr int kDim = Step::kDim, kSets = Step::kSets;
  const int sums = warps * 4 * kSets * kDim, joined = join_floats<kDim, kSets>(warps);
  return warps * (warp_bytes + static_cast<int>(sizeof(typename Step::Own))) >=
         4 * std::max(sums, joined);
}

/// Launches `kernel`, attend_pages<Step>(), with as many warps as have a room of `least` bytes each, which is
/// then up to room.head_bytes.
template <typename Step, typename Kernel>
void launch_attend(Kernel kernel, const AttendCall& call, FieldRoom room, int least,
                   const FieldTransforms& transforms, Stream stream) {
  int warps = Step::kMostWarps;
  while (warps > 0 && shared_bytes<Step>(warps, least) > kMostSharedBytes) --warps;
  if (warps > 0) {
    const std::size_t left = kMostSharedBytes - shared_bytes<Step>(warps, 0);
    room.warp_bytes = std::min(
        room.head_bytes, static_cast<std::int32_t>(left / static_cast<unsigned>(warps) / 16 * 16));
  }
  const std::size_t bytes = shared_bytes<Step>(warps, room.warp_bytes);
  if (warps == 0 || !rooms_suffice<Step>(warps, room.warp_bytes) ||
      blocks_at_once(kernel, 32 * warps, bytes) == 0) {
    throw Error("attention over pages of klt: " + std::to_string(room.head_bytes) +
                " bytes for a head's keys and values of 128 tokens, " + std::to_string(least) +
                " of them at once, expected such as a block's shared memory has room for");
  }
  const std::int64_t units = units_of(call.batch, call.pool.heads, call.group);
  launch_blocks(kernel, units * call.splits, 32 * warps, bytes, stream, call, room, transforms);
}

}  // namespace
}  // namespace kakeya::kernels
