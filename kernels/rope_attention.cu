// SPDX-License-Identifier: Apache-2.0
// Decode attention over pages of tiles whose keys were coded before RoPE. The teams of a block's warps take the
// pages of a sequence's KV head in turn; a head's matrix is in shared memory once.
#include "kernels/field_attention_body.cuh"
#include "kernels/rope_step.cuh"

namespace kakeya::kernels {
namespace {

/// Bytes of shared memory: the matrix, angles of a warp's tokens, two parts of pages a team, RopeTeam each, RopeShared.
/// With 256 coordinates angles are read from device memory.
template <int kDim, int kSets>
struct RopeMemory {
  static constexpr bool kFine = kDim < 256;
  static constexpr int kMatrix = static_cast<int>(rope_matrix_bytes(kDim)),
                       kAngles = kFine ? rope_rows(kDim) * rope_fine_stride(kDim) * 4 : 0,
                       kPages = kMatrix + kAngles;
  static_assert(kPages % 16 == 0);
  int teams, part_bytes;

  constexpr int of_teams() const { return kPages + 2 * teams * part_bytes; }
  constexpr int of_shared() const {
    return of_teams() + teams * static_cast<int>(sizeof(RopeTeam<kDim, kSets>));
  }
  constexpr int bytes() const {
    return of_shared() + static_cast<int>(sizeof(RopeShared<kDim, kSets>));
  }
};

/// Copies `bytes` bytes, a multiple of 16, by all threads.
__device__ __forceinline__ void copy_by_block(std::uint8_t* to, const void* from, int bytes) {
  for (int i = static_cast<int>(threadIdx.x); i < bytes / 16; i += static_cast<int>(blockDim.x)) {
    reinterpret_cast<uint4*>(to)[i] = __ldg(static_cast<const uint4*>(from) + i);
  }
}

/// The position of a sequence's first token in pages.
__device__ __forceinline__ int position_of(const AttendCall& call, const RopeTables& rope,
                                           int sequence) {
  if (rope.first_positions == nullptr) return 0;
  const int position = rope.first_positions[sequence];
  if (position >= 0) return position;
  atomicOr(call.flags + sequence, static_cast<std::uint32_t>(kBadPosition));
  return 0;
}

template <int kDim, int kSets>
__global__ void __launch_bounds__(32 * kMostTeams<kDim> * kTeamWarps<kDim>, 1)
    attend_rope_pages(AttendCall call, FieldRoom room, FieldTransforms transforms,
                      RopeTables rope) {
  KAKEYA_DYNAMIC_SHARED(memory);
  using Step = RopeStep<kDim, kSets>;
  using Memory = RopeMemory<kDim, kSets>;
  constexpr int kWarps = Step::kWarps;
  const int all_warps = static_cast<int>(blockDim.x) / 32,
            block_warp = static_cast<int>(threadIdx.x) / 32,
            lane = static_cast<int>(threadIdx.x) % 32, warp = block_warp % kWarps,
            team = block_warp / kWarps, teams = all_warps / kWarps;
  const Memory places{teams, room.part_bytes};
  auto& own = reinterpret_cast<typename Step::Team*>(memory + places.of_teams())[team];
  auto& shared = *reinterpret_cast<typename Step::Shared*>(memory + places.of_shared());
  const auto splits = static_cast<unsigned>(call.splits);
  const Unit unit = unit_of<kSets>(call, static_cast<int>(blockIdx.x / splits));
  const int sequence = unit.sequence, workers = call.splits * teams,
            worker = static_cast<int>(blockIdx.x % splits) * teams + team;
  const int tokens =
      tokens_of(call, sequence, call.packed_tokens[sequence], call.table_stride * kFieldTokens);
  const int first =
      call.first_tokens == nullptr
          ? 0
          : tokens_of(call, sequence, call.first_tokens[sequence], 0x7fffffff - kFieldTokens);
  const int position = position_of(call, rope, sequence);
  std::uint8_t* const part = memory + Memory::kPages + 2 * team * room.part_bytes;
  Step step{lane,
            warp,
            team,
            memory,
            Memory::kFine ? reinterpret_cast<const float*>(memory + Memory::kMatrix) : rope.fine,
            part,
            part + room.part_bytes,
            own,
            shared,
            TeamCopy(shared.barrier + 2 * team, lane, warp, team, Step::kThreads),
            TeamCopy(shared.barrier + 2 * team + 1, lane, warp, team, Step::kThreads),
            position / rope_rows(kDim) + warp,
            {}};
  FieldWalk now{call, room,    call.table + sequence * call.table_stride,  sequence, unit.head,
                0,    workers, (tokens + kFieldTokens - 1) / kFieldTokens, nullptr,  nullptr,
                0,    0};
  now.seek(first / kFieldTokens + worker);
  if (now.page < now.end) {
    step.start_keys(now);
    step.start_values(now);
  }
  copy_by_block(memory, rope.matrices + unit.head * rope_matrix_bytes(kDim), Memory::kMatrix);
  copy_by_block(memory + Memory::kMatrix, rope.fine, Memory::kAngles);
  load_rope_queries<kDim, kSets>(call, rope, unit, position, shared);
  show_to_wgmma();
  __syncthreads();
  TeamRunning<kSets> running;
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    step.unit[set] =
        shared.step[4 * set + lane % 4] * __ldg(rope.units + unit.head) * (call.scale * kLog2E);
    running.most[set] = kNoScore;
    running.total[set] = 0.0f;
#pragma unroll
    for (float& sum : running.sum[set]) sum = 0.0f;
  }
  while (now.page < now.end) {
    FieldWalk next = now;
    next.seek(now.page + workers);
    step.run(call, rope, now, next, first, tokens, running);
    now.page = next.page, now.keys = next.keys, now.values = next.values;
    now.key_bytes = next.key_bytes, now.value_bytes = next.value_bytes;
  }
  // Joined as if every warp had pages by itself: the first of a team has its weights.
  FieldRunning<kDim> parts[kSets];
  float plain[kSets][kDim / 8] = {};
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    parts[set].most = running.most[set];
    parts[set].total = parts[set].packed = warp == 0 ? running.total[set] : 0.0f;
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i) {
      parts[set].sum[i] = i / 4 == warp ? running.sum[set][i % 4] : 0.0f;
    }
  }
  unsigned plain_blocks = 0;
  if (call.exact_tokens != nullptr) {
    const ExactRows exact = exact_rows_of(call, sequence);
    plain_blocks = blocks_of_rows(exact.count, all_warps, splits);
    const int all = call.splits * all_warps,
              mine = static_cast<int>(blockIdx.x % splits) * all_warps + block_warp;
    // Those that have fewer pages come first.
    for (int row = all - 1 - mine; row < exact.count; row += all) {
      const std::int64_t at = (exact.first + row) * call.pool.heads + unit.head;
      add_plain<kDim, kSets>(call, unit, at, lane, shared, reinterpret_cast<float*>(own.tile[warp]),
                             parts, plain);
    }
  }
  join_field_unit<kDim, kSets>(call, transforms, unit, splits, plain_blocks, block_warp, all_warps,
                               lane, reinterpret_cast<float*>(memory), shared, parts, plain);
}

template <int kDim, int kSets>
void launch_rope(const AttendCall& call, const FieldRoom& room, const FieldTransforms& transforms,
                 const RopeTables& rope, Stream stream) {
  constexpr int kWarps = kTeamWarps<kDim>;
  RopeMemory<kDim, kSets> memory{kMostTeams<kDim>, room.part_bytes};
  const auto fits = [&] {
    const int warps = memory.teams * kWarps;
    const int joined = 4 * std::max(warps * 4 * kSets * kDim, join_floats<kDim, kSets>(warps));
    return static_cast<std::size_t>(memory.bytes()) <= kMostSharedBytes &&
           joined <= memory.of_shared();
  };
  const auto runs = [&] {
    return fits() && blocks_at_once(attend_rope_pages<kDim, kSets>, 32 * memory.teams * kWarps,
                                    static_cast<std::size_t>(memory.bytes())) > 0;
  };
  while (memory.teams > 0 && !runs()) --memory.teams;
  if (memory.teams == 0) {
    memory.teams = 1;
    throw Error("attention over pages of klt before RoPE: " + std::to_string(memory.bytes()) +
                " bytes of shared memory a block, of them " + std::to_string(room.part_bytes) +
                " for a head's keys of 128 tokens and as many for its values, expected no more "
                "than this GPU has");
  }
  const auto bytes = static_cast<std::size_t>(memory.bytes());
  const int threads = 32 * memory.teams * kWarps;
  const std::int64_t units = units_of(call.batch, call.pool.heads, call.group);
  launch_blocks(attend_rope_pages<kDim, kSets>, units * call.splits, threads, bytes, stream, call,
                room, transforms, rope);
}

}  // namespace

void attend_rope_tiles(const AttendCall& call, const FieldRoom& room,
                       const FieldTransforms& transforms, const RopeTables& rope, Stream stream) {
  if (call.batch == 0) return;
  with_head_dim(call, [&](auto dim, auto sets) {
    launch_rope<dim(), sets()>(call, room, transforms, rope, stream);
  });
}

}  // namespace kakeya::kernels
