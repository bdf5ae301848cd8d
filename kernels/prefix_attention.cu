// SPDX-License-Identifier: Apache-2.0
// Decode attention over pages of prefix codes: two kernels, as tables of keys and of values do not fit shared memory
// together. Blocks, units and a warp's pages are as in field_attention_body.cuh.
#include "kernels/field_attention_body.cuh"
#include "kernels/prefix_attention.cuh"
#include "kernels/prefix_attention.h"

namespace kakeya::kernels {
namespace {

template <int kDim>
constexpr PrefixMemory kPrefixMemory = kDim <= 128 ? PrefixMemory::words : PrefixMemory::halves;

/// Warps of a block at most: as many as have registers. Rooms in shared memory leave some of them out.
template <int kDim, int kSets>
constexpr int kPrefixKeyWarps = kSets == 1 ? (kDim < 128 ? 20 : 18) : 16;
template <int kDim, int kSets>
constexpr int kPrefixValueWarps = kDim < 128 ? (kSets == 1 ? 20 : 16)
                                             : (kDim < 256 ? (kSets == 1 ? 16 : 12)
                                                           : (kSets == 1 ? 12 : 8));

/// Shared memory of a block, as numbers: from kSharedBegin on `Own`, then tables at a multiple of their size, then
/// of each warp rings, a stage and kRoom bytes; those of the first before tables where they fit.
template <int kDim, typename Own, std::uint32_t kRoom>
struct PrefixRooms {
  using Tables = PrefixTables<kPrefixMemory<kDim>>;
  static constexpr auto kOwn = static_cast<std::uint32_t>(sizeof(Own));
  static constexpr std::uint32_t kTables = (kSharedBegin + kOwn + Tables::kTableBytes - 1) /
                                           Tables::kTableBytes * Tables::kTableBytes,
                                 kWarps = kTables + kDim / 8 * Tables::kTableBytes,
                                 kFirst = (kSharedBegin + kOwn + 63) / 64 * 64,
                                 kEach = kPrefixRings + kPrefixStage + kRoom;
  static constexpr int kBefore = kFirst + kEach <= kTables ? 1 : 0;  // warps

  static __device__ __forceinline__ std::uint32_t of_warp(int warp) {
    return warp < kBefore ? kFirst : kWarps + static_cast<std::uint32_t>(warp - kBefore) * kEach;
  }
  static constexpr std::uint32_t bytes(int warps) {
    return kWarps + static_cast<std::uint32_t>(warps - kBefore) * kEach - kSharedBegin;
  }
};

struct PrefixKinds {
  std::uint32_t kinds[kMostPrefixGroups / 4];
};
template <int kDim, int kSets>
struct PrefixKeyBlock : PrefixKinds {
  PrefixQueries<kDim, kSets> queries;
};

/// The tables of a head, by all threads of a block; what its vectors take of planes, and whether a group may be wide.
template <typename Rooms>
__device__ __forceinline__ typename Rooms::Tables load_tables(const PrefixPages& codec, int head,
                                                              PrefixKinds& own,
                                                              std::uint32_t* plane_bytes,
                                                              bool* wide) {
  const int groups = codec.dim / 8;
  if (threadIdx.x < kMostPrefixGroups / 4) {
    own.kinds[threadIdx.x] = codec.kinds[head * (kMostPrefixGroups / 4) + threadIdx.x];
  }
  __syncthreads();
  typename Rooms::Tables tables{codec.tables + std::int64_t{head} * groups * kPrefixEntries,
                                Rooms::kTables,
                                shared_number(reinterpret_cast<const std::uint8_t*>(own.kinds))};
  *plane_bytes = 0, *wide = false;
  for (int g = 0; g < groups; ++g) {
    const std::uint32_t planes = own.kinds[g / 4] >> (8 * (g % 4)) & 0x7fu;
    *plane_bytes += planes;
    *wide = *wide || planes > 3;
  }
  tables.fill(groups, own.kinds);
  __syncthreads();
  return tables;
}

/// What shared memory begins with; stops a kernel where it begins elsewhere than it was cut for.
template <typename Own>
__device__ __forceinline__ Own& shared_block(const std::uint8_t* memory) {
#if defined(__CUDACC__)
  if (shared_number(memory) != kSharedBegin) stop_kernel();
#else
  static_cast<void>(memory);
#endif
  return *reinterpret_cast<Own*>(shared_at(kSharedBegin));
}

/// The pages that this warp takes of a unit's, and the tokens that it sees, [first, tokens).
struct PrefixShare {
  int warp, warps, first, tokens;
  FieldWalk walk;
};
__device__ __forceinline__ PrefixShare share_of(const AttendCall& call, const FieldRoom& room,
                                                const Unit& unit, std::int64_t most_pages) {
  const int warp = static_cast<int>(threadIdx.x) / 32, warps = static_cast<int>(blockDim.x) / 32,
            sequence = unit.sequence;
  const auto splits = static_cast<unsigned>(call.splits);
  const int workers = call.splits * warps,
            worker = static_cast<int>(blockIdx.x % splits) * warps + warp;
  const std::int64_t pages = call.table_stride < most_pages ? call.table_stride : most_pages;
  const int tokens = tokens_of(call, sequence, call.packed_tokens[sequence], pages * kFieldTokens);
  const int first =
      call.first_tokens == nullptr
          ? 0
          : tokens_of(call, sequence, call.first_tokens[sequence], 0x7fffffff - kFieldTokens);
  PrefixShare share{warp,
                    warps,
                    first,
                    tokens,
                    {call, room, call.table + sequence * call.table_stride, sequence, unit.head, 0,
                     workers, (tokens + kFieldTokens - 1) / kFieldTokens, nullptr, nullptr, 0, 0}};
  share.walk.seek(first / kFieldTokens + worker);
  return share;
}

/// Calls take(walk, tokens of the page that are seen, next walk), which says what is wrong, page after page.
template <typename Take>
__device__ __forceinline__ void for_pages(PrefixShare& share, bool of_keys, const Take& take) {
  FieldWalk& now = share.walk;
  while (now.page < now.end) {
    FieldWalk next = now;
    next.seek(now.page + now.step);
    if (next.page < next.end && lane_number() == 0) {
      prefetch_bytes(of_keys ? next.keys : next.values,
                     of_keys ? next.key_bytes : next.value_bytes);
    }
    const int left = share.tokens - now.page * kFieldTokens;
    const std::uint32_t found = take(now, left < kFieldTokens ? left : kFieldTokens);
    if (found != 0 && lane_number() == 0) atomicOr(now.call.flags + now.sequence, found);
    now.page = next.page, now.keys = next.keys, now.values = next.values;
    now.key_bytes = next.key_bytes, now.value_bytes = next.value_bytes;
  }
}

/// A page of at least `least` vectors to `consumer`; what is wrong with it.
template <int kDim, typename Tables, typename Consumer>
__device__ __forceinline__ std::uint32_t attend_page(const Tables& tables, const std::uint8_t* page,
                                                     int bytes, int least,
                                                     std::uint32_t plane_bytes, std::uint32_t rings,
                                                     Consumer& consumer) {
  const auto size = static_cast<std::uint64_t>(bytes);
  const int vectors = prefix_vectors(page, size);
  const bool good = vectors >= least && vectors <= kFieldTokens &&
                    take_page(tables, page, size, 15, vectors, kDim, plane_bytes, rings, consumer);
  __syncwarp();
  if (!good) return kBadPage;
  return any_lane(consumer.far) ? kBeyondFields : 0u;
}

template <int kDim, int kSets>
__global__ void __launch_bounds__(32 * kPrefixKeyWarps<kDim, kSets>, 1)
    attend_prefix_keys(AttendCall call, FieldRoom room, FieldTransforms transforms,
                       PrefixPages codec, PrefixWeights out) {
  KAKEYA_DYNAMIC_SHARED(memory);
  using Block = PrefixKeyBlock<kDim, kSets>;
  using Rooms = PrefixRooms<kDim, Block, PrefixKeys<kDim, kSets>::kRoom>;
  using Given = FieldShared<kDim, kSets, 1>;
  constexpr int kHeads = 4 * kSets;
  auto& own = shared_block<Block>(memory);
  const int lane = lane_number(), thread = static_cast<int>(threadIdx.x);
  const Unit unit = unit_of<kSets>(call, static_cast<int>(blockIdx.x) / call.splits);
  PrefixShare share = share_of(call, room, unit, out.pages);
  {
    // Where tables come later.
    auto& given = *reinterpret_cast<Given*>(shared_at(Rooms::kTables));
    MatrixRows<kDim> rows;
    rows.load(transforms.keys + static_cast<std::int64_t>(unit.head) * kDim * kDim, 0);
    load_field_queries<kDim, kSets>(
        call, transforms, unit, rows,
        reinterpret_cast<float*>(shared_at(Rooms::kTables + sizeof(Given))), given);
    __syncthreads();
    auto& to = own.queries;
    for (int i = thread; i < kDim * kHeads; i += static_cast<int>(blockDim.x)) {
      to.number[i / kHeads][i % kHeads] = given.number[i / kHeads][i % kHeads];
      (&to.digit[0][0][0][0])[2 * i] = (&given.digit[0][0][0][0])[2 * i];
      (&to.digit[0][0][0][0])[2 * i + 1] = (&given.digit[0][0][0][0])[2 * i + 1];
    }
    if (thread < kHeads)
      to.step[thread] = given.step[thread], to.offset[thread] = given.offset[thread];
    __syncthreads();
  }
  std::uint32_t plane_bytes;
  bool wide;
  const auto tables = load_tables<Rooms>(codec, unit.head, own, &plane_bytes, &wide);
  const std::uint32_t rings = Rooms::of_warp(share.warp), stage = rings + kPrefixRings;
  PrefixKeys<kDim, kSets> keys{
      own.queries,
      out,
      shared_number(&own.queries.digit[0][0][0][0]) +
          static_cast<std::uint32_t>(lane % 4 / 2 * 64 + lane / 4 * 8 + lane % 2 * 4),
      stage + kPrefixStage,
      {stage + 16 * static_cast<std::uint32_t>(lane), {}, {}},
      {},
      {},
      unit.number,
      wide};
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const int g = 4 * set + lane % 4;
    keys.unit[set] = own.queries.step[g] * (call.scale * kLog2E);
    keys.offset[set] = own.queries.offset[g] * (call.scale * kLog2E);
  }
  for_pages(share, true, [&](const FieldWalk& now, int least) {
    keys.begin_page(now.page, share.first - now.page * kFieldTokens, least);
    const std::uint32_t found =
        attend_page<kDim>(tables, now.keys, now.key_bytes, least, plane_bytes, rings, keys);
    if (found != 0) keys.forget();
    return found;
  });
  wait_for_copies<0>();
}

template <int kDim, int kSets>
__global__ void __launch_bounds__(32 * kPrefixValueWarps<kDim, kSets>, 1)
    attend_prefix_values(AttendCall call, FieldRoom room, FieldTransforms transforms,
                         PrefixPages codec, PrefixWeights in) {
  KAKEYA_DYNAMIC_SHARED(memory);
  using Rooms = PrefixRooms<kDim, PrefixKinds, PrefixValues<kDim, kSets>::kRoom>;
  using Shared = FieldShared<kDim, kSets, kPrefixValueWarps<kDim, kSets>>;
  constexpr int kHeads = 4 * kSets;
  auto& own = shared_block<PrefixKinds>(memory);
  const int lane = lane_number();
  const auto splits = static_cast<unsigned>(call.splits);
  const Unit unit = unit_of<kSets>(call, static_cast<int>(blockIdx.x / splits));
  PrefixShare share = share_of(call, room, unit, in.pages);
  std::uint32_t plane_bytes;
  bool wide;
  const auto tables = load_tables<Rooms>(codec, unit.head, own, &plane_bytes, &wide);
  const std::uint32_t rings = Rooms::of_warp(share.warp), stage = rings + kPrefixRings;
  PrefixValues<kDim, kSets> values{in,
                                   stage + kPrefixStage,
                                   {stage + 16 * static_cast<std::uint32_t>(lane), {}, {}},
                                   unit.number};
  values.zero();
  for_pages(share, false, [&](const FieldWalk& now, int least) {
    values.begin_page(now.page);
    return attend_page<kDim>(tables, now.values, now.value_bytes, least, plane_bytes, rings,
                             values);
  });
  wait_for_copies<0>();
  __syncwarp();
  FieldRunning<kDim> running[kSets];
  values.give(running);
  // Where tables and rooms were.
  auto& shared = *reinterpret_cast<Shared*>(shared_at(Rooms::kTables));
  __syncthreads();
  float plain[kSets][kDim / 8] = {};
  unsigned plain_blocks = 0;
  if (call.exact_tokens != nullptr) {
    const ExactRows exact = exact_rows_of(call, unit.sequence);
    plain_blocks = blocks_of_rows(exact.count, share.warps, splits);
    for (int i = static_cast<int>(threadIdx.x); i < kHeads * kDim;
         i += static_cast<int>(blockDim.x)) {
      const int g = i / kDim;
      shared.query[g][i % kDim] =
          g < unit.count
              ? scalar_at(call.queries, unit.sequence * call.queries.token_stride +
                                            (unit.first + g) * call.queries.head_stride + i % kDim)
              : 0.0f;
    }
    __syncthreads();
    const int workers = call.splits * share.warps,
              worker = static_cast<int>(blockIdx.x % splits) * share.warps + share.warp;
    // Those that have fewer pages come first.
    for (int row = workers - 1 - worker; row < exact.count; row += workers) {
      const std::int64_t at = (exact.first + row) * call.pool.heads + unit.head;
      add_plain<kDim, kSets>(call, unit, at, lane, shared,
                             reinterpret_cast<float*>(shared_at(rings)), running, plain);
    }
  }
  join_field_unit<kDim, kSets>(
      call, transforms, unit, splits, plain_blocks, share.warp, share.warps, lane,
      reinterpret_cast<float*>(shared_at(Rooms::kTables + sizeof(Shared))), shared, running, plain);
}

/// Launches a kernel with as many warps as have rooms. `behind`: bytes that so many warps need from the tables on.
template <typename Rooms, typename Kernel, typename Behind>
void launch_prefix(Kernel kernel, const AttendCall& call, const FieldRoom& room,
                   const FieldTransforms& transforms, const PrefixPages& codec,
                   const PrefixWeights& weights, int most, const Behind& behind, Stream stream) {
  for (int warps = most; warps >= 4; --warps) {
    const std::size_t bytes =
        std::max<std::size_t>(Rooms::bytes(warps), Rooms::kTables - kSharedBegin + behind(warps));
    if (bytes > kMostPrefixShared || blocks_at_once(kernel, 32 * warps, bytes) == 0) continue;
    const std::int64_t units = units_of(call.batch, call.pool.heads, call.group);
    launch_blocks(kernel, units * call.splits, 32 * warps, bytes, stream, call, room, transforms,
                  codec, weights);
    return;
  }
  throw Error("attention over pages of prefix codes: head_dim " + std::to_string(call.pool.dim) +
              " given, expected a GPU whose blocks have " + std::to_string(Rooms::bytes(4)) +
              " bytes of shared memory");
}

std::int64_t parts_bytes(int batch, int heads, int group, int dim, int splits) {
  const std::int64_t bytes =
      workspace_bytes(units_of(batch, heads, group), splits, group, 2 * dim + 3);
  return (bytes + 255) / 256 * 256;
}
std::int64_t pages_of(std::int64_t tokens) { return (tokens + kFieldTokens - 1) / kFieldTokens; }

}  // namespace

// Pages take a warp about ten times as long as 64 tokens of nibbles.
int attend_prefix_splits(int batch, int heads, int group, int dim, std::int64_t tokens) {
  return best_splits(units_of(batch, heads, group),
                     10 * static_cast<double>(tokens) / kFieldTokens * dim / 128);
}

std::int64_t attend_prefix_workspace_bytes(int batch, int heads, int group, int dim, int splits,
                                           std::int64_t tokens) {
  return parts_bytes(batch, heads, group, dim, splits) +
         units_of(batch, heads, group) * pages_of(tokens) *
             prefix_weight_bytes(unit_heads(group) / 4);
}

void attend_prefix(const AttendCall& call, const FieldRoom& room, const FieldTransforms& transforms,
                   const PrefixSides& sides, std::int64_t most_tokens, Stream stream) {
  if (call.batch == 0) return;
  const std::int64_t units = units_of(call.batch, call.pool.heads, call.group);
  auto* const base =
      reinterpret_cast<std::uint8_t*>(call.partial) +
      parts_bytes(call.batch, call.pool.heads, call.group, call.pool.dim, call.splits);
  with_head_dim(call, [&](auto of_dim, auto of_sets) {
    constexpr int kDim = of_dim(), kSets = of_sets();
    const PrefixWeights weights{
        base,
        reinterpret_cast<float*>(base + units * pages_of(most_tokens) * kPageSlots * 256 * kSets),
        pages_of(most_tokens)};
    using KeyRooms = PrefixRooms<kDim, PrefixKeyBlock<kDim, kSets>, PrefixKeys<kDim, kSets>::kRoom>;
    using ValueRooms = PrefixRooms<kDim, PrefixKinds, PrefixValues<kDim, kSets>::kRoom>;
    constexpr int kMostKeys = kPrefixKeyWarps<kDim, kSets>,
                  kMostValues = kPrefixValueWarps<kDim, kSets>;
    const auto floats = [](int slices) { return 16 * kSets * kDim * slices; };
    launch_prefix<KeyRooms>(
        attend_prefix_keys<kDim, kSets>, call, room, transforms, sides.keys, weights, kMostKeys,
        [&](int warps) {
          return sizeof(FieldShared<kDim, kSets, 1>) + floats(matrix_slices<kDim>(32 * warps));
        },
        stream);
    launch_prefix<ValueRooms>(
        attend_prefix_values<kDim, kSets>, call, room, transforms, sides.values, weights,
        kMostValues,
        [&](int warps) {
          return sizeof(FieldShared<kDim, kSets, kMostValues>) +
                 std::max(floats(warps), 4 * join_floats<kDim, kSets>(warps));
        },
        stream);
  });
}

}  // namespace kakeya::kernels
