// SPDX-License-Identifier: Apache-2.0
// Points to pages of fields: what each page is written with and how long it is, where pages begin, and the
// pages, a block of threads for each 128 vectors.
#include "kernels/field_entries.cuh"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kFieldWriteThreads = 256;

struct FieldEncode {
  FieldPages codec;
  PagePoints points;
  std::int64_t tokens;
  PageSections out;
  FieldChoice* choices;   // [heads][pages]
  FieldPlace* places;     // [heads][pages][blocks of a page][groups]
  std::uint64_t* starts;  // [heads][pages + 1]
  std::uint32_t* flags;

  __device__ __forceinline__ FieldNumbers page_of(std::int64_t head, std::int64_t page) const {
    const std::int64_t left = tokens_of_head(codec.counts, tokens, head) - page * points.page;
    return {points_of(points, codec.dim, head, page), codec.dim,
            left < points.page ? static_cast<int>(left) : points.page,
            codec.lattice == PageLattice::e8};
  }
  __device__ __forceinline__ FieldPlace* places_of(std::int64_t number, int block) const {
    const int blocks = (points.page + 127) / 128;
    return places + (number * blocks + block) * (codec.dim / 8);
  }
};

// What a page takes with a header, by all threads of a block; `most` where a list is longer than its count
// can say. Sets counts of `choice` and places.
__device__ std::uint32_t measure_page(const FieldEncode& encode, const FieldNumbers& page,
                                      std::int64_t number, FieldChoice& choice,
                                      std::uint32_t most) {
  __shared__ std::uint32_t bytes;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32,
            groups = page.groups(), blocks = page.blocks();
  for (int item = warp; item < blocks * groups; item += kChoiceWarps) {
    const int block = item / groups, g = item % groups;
    const FieldPlace place = count_entries(page, choice, block, g, lane);
    if (lane == 0) encode.places_of(number, block)[g] = place;
  }
  __syncthreads();
  for (int item = thread; item < 4 * blocks; item += kChoiceThreads) {
    const int block = item / 4;
    add_up_entries(choice, groups, page.of_block(block), item % 4, encode.places_of(number, block),
                   choice.counts[block]);
  }
  __syncthreads();
  if (thread == 0) {
    int units[kFieldPlanes] = {};
    for (int g = 0; g < groups; ++g) add_units(units, choice.codes[g], 1);
    std::uint32_t sum = static_cast<std::uint32_t>(header_bytes_of(choice, groups) + 8 * blocks) +
                        all_field_bytes(units, page.vectors);
    bool fits = true;
    for (int block = 0; block < blocks; ++block) {
      for (const std::uint32_t count : choice.counts[block]) fits = fits && count <= 0xffffu;
      sum += list_bytes_of(choice, choice.counts[block]);
    }
    bytes = fits ? sum : most;
  }
  __syncthreads();
  const std::uint32_t found = bytes;
  __syncthreads();
  return found;
}

// The header that FieldCoder::most_bits() counts with, by all threads of a block.
__device__ void choose_usual(const FieldPages& codec, std::int64_t head, int groups,
                             FieldChoice& choice) {
  const float* const bits = codec.usual_bits + plan_number(codec.plans, head) * codec.usual_stride;
  for (int g = static_cast<int>(threadIdx.x); g < groups; g += kChoiceThreads) {
    choice.codes[g] = field_code_of_bits(static_cast<int>(bits[8 * g]));
    choice.lists[g] = kNoList;
    choice.shifted[g] = 0;
    for (int c = 0; c < 8; ++c) choice.shifts[8 * g + c] = 0;
  }
  if (threadIdx.x < kFieldLists) choice.entry_bits[threadIdx.x] = 0;
  __syncthreads();
}

// choose_fields() of the CPU, by all threads of a block.
__device__ void choose_header(const FieldNumbers& page, std::uint8_t* memory, FieldChoice& choice) {
  __shared__ std::uint8_t codes[2][kMostFieldGroups];
  __shared__ double bits[2];
  __shared__ EntryCosts entries;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32,
            groups = page.groups();
  auto* const words = reinterpret_cast<std::uint32_t*>(memory);
  auto* const sums = reinterpret_cast<double*>(words + kChoiceWarps * kHistogramWords);
  const CodeCosts costs{sums, reinterpret_cast<std::uint8_t*>(sums + groups * kCodes)};
  for (int g = warp; g < groups; g += kChoiceWarps) {
    find_costs(page, g, lane, words + warp * kHistogramWords, costs, choice);
  }
  __syncthreads();
  if (warp < 2) {
    const double found = search_codes(page, costs, warp == 0, lane, codes[warp]);
    if (lane == 0) bits[warp] = found;
  }
  __syncthreads();
  const int better = bits[1] < bits[0] ? 1 : 0;
  for (int g = thread; g < groups; g += kChoiceThreads) {
    choice.codes[g] = codes[better][g];
    choice.shifted[g] = costs.shifted[g * kCodes + codes[better][g]];
    for (int c = 0; c < 8 && choice.shifted[g] == 0; ++c) choice.shifts[8 * g + c] = 0;
  }
  __syncthreads();
  for (int g = warp; g < groups; g += kChoiceWarps) {
    find_entry_costs(page, choice, g, lane, entries);
  }
  __syncthreads();
  choose_lists(entries, groups, choice);
}

// A block of threads a page: what FieldCoder::encode() writes it with, and its bytes.
__global__ void __launch_bounds__(kChoiceThreads) choose_field_pages(FieldEncode encode) {
  KAKEYA_DYNAMIC_SHARED(memory);
  __shared__ FieldChoice choice;
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t number = blockIdx.x, head = number / encode.points.pages,
                     at = number - head * encode.points.pages;
  const FieldNumbers page = encode.page_of(head, at);
  if (page.vectors <= 0) {
    if (thread == 0) encode.out.pages[head * encode.out.page_stride + at] = 0;
    return;
  }
  constexpr std::uint32_t kNone = ~0u;
  if (thread == 0) choice.entry_bits[kFieldLists] = 0;
  choose_header(page, memory, choice);
  std::uint32_t bytes = measure_page(encode, page, number, choice, kNone);
  const auto most = static_cast<std::uint32_t>(page.vectors * (4 + 2 * page.dim));
  if (bytes > most) {
    auto* const kept = reinterpret_cast<FieldChoice*>(memory);
    if (thread == 0) *kept = choice;
    __syncthreads();
    choose_usual(encode.codec, head, page.groups(), choice);
    const std::uint32_t usual = measure_page(encode, page, number, choice, kNone);
    if (usual < bytes) {
      bytes = usual;
    } else if (bytes != kNone) {
      if (thread == 0) choice = *kept;
      __syncthreads();
      measure_page(encode, page, number, choice, kNone);
    }
  }
  const auto* const from = reinterpret_cast<const std::uint32_t*>(&choice);
  auto* const to = reinterpret_cast<std::uint32_t*>(encode.choices + number);
  for (int i = thread; i < static_cast<int>(sizeof choice / 4); i += kChoiceThreads)
    to[i] = from[i];
  if (thread != 0) return;
  encode.out.pages[head * encode.out.page_stride + at] = bytes == kNone ? 0 : bytes;
  if (bytes == kNone) atomicOr(encode.flags + head, static_cast<std::uint32_t>(kPageTooLong));
}

// Units of planes, whose they are and which bits of u: group | bit << 8.
struct FieldUnits {
  int units[kFieldPlanes], row[kFieldPlanes + 1];
  std::uint16_t of[kFieldPlanes][2 * kMostFieldGroups];
};

// By all threads of a block.
__device__ void find_units(const FieldChoice& choice, int groups, int registers,
                           FieldUnits& units) {
  if (threadIdx.x < kFieldPlanes) {
    const std::size_t plane = threadIdx.x;
    int count = 0;
    for (int g = 0; g < groups; ++g) {
      const auto code = static_cast<std::size_t>(choice.codes[g]);
      int bit = 0;
      for (std::size_t p = 0; p < plane; ++p) {
        bit += static_cast<int>(plane_units(code, p)) * plane_bits(p);
      }
      for (std::size_t unit = 0; unit < plane_units(code, plane); ++unit) {
        units.of[plane][count++] = static_cast<std::uint16_t>(g | bit << 8);
        if (plane != kTritPlane) bit += plane_bits(plane);
      }
    }
    units.units[plane] = count;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    units.row[0] = 0;
    for (std::size_t p = 0; p < kFieldPlanes; ++p) {
      units.row[p + 1] =
          units.row[p] +
          static_cast<int>(plane_rows(static_cast<std::size_t>(units.units[p] * registers), p));
    }
  }
  __syncthreads();
}

// This lane's word of a row of a block's fields.
__device__ __forceinline__ std::uint32_t row_word(const FieldNumbers& page,
                                                  const FieldChoice& choice, bool values, int block,
                                                  const FieldUnits& units, int row, int lane) {
  const int vectors = page.of_block(block), registers = (vectors + 15) / 16;
  int plane = 0;
  while (row >= units.row[plane + 1]) ++plane;
  const bool trits = plane == static_cast<int>(kTritPlane);
  const int in_a_word = trits ? 5 : 1 << plane, width = trits ? 0 : 8 >> plane;
  const int first = (row - units.row[plane]) * in_a_word,
            left = units.units[plane] * registers - first;
  std::uint32_t bytes[4] = {};
  for (int j = 0; j < in_a_word; ++j) {
    if (trits) {
#pragma unroll
      for (int b = 0; b < 4; ++b) bytes[b] *= 3;
    }
    if (j >= left) continue;
    const int unit = (first + j) / registers, r = (first + j) % registers;
    const int g = units.of[plane][unit] & 0xff, bit = units.of[plane][unit] >> 8;
    const std::int32_t half = field_levels(static_cast<std::size_t>(choice.codes[g])) / 2;
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      const int slot = 4 * r + b;
      const int c = values ? lane / 4 : 2 * (lane % 4) + slot % 2,
                vector = values ? lane % 4 + 4 * slot : lane / 4 + 8 * (slot / 2);
      if (vector >= vectors) continue;
      const std::int32_t x =
          page.at(128 * block + vector, 8 * g + c) - choice.shifts[8 * g + c] + half;
      const std::int32_t high = x >> bit;  // of u the lowest bits are those of x
      if (trits) {
        bytes[b] +=
            static_cast<std::uint32_t>(high - 3 * (high >= 0 ? high / 3 : -((2 - high) / 3)));
      } else {
        bytes[b] |= (static_cast<std::uint32_t>(high) & ((1u << width) - 1u)) << (width * j);
      }
    }
  }
  std::uint32_t word = 0;
#pragma unroll
  for (int b = 0; b < 4; ++b) {
    word |= (trits ? (bytes[b] * 256 + 242) / 243 : bytes[b]) << (8 * b);
  }
  return word;
}

// Writes a header, a multiple of 4 bytes, by all threads of a block; `bytes` is shared memory.
__device__ void write_header(const FieldChoice& choice, int groups, int vectors, int header,
                             std::uint8_t* bytes, std::uint32_t* to) {
  const int thread = static_cast<int>(threadIdx.x), flags = 4 + groups,
            fixed = flags + (groups + 7) / 8;
  for (int i = thread; i < header; i += kFieldWriteThreads) bytes[i] = 0;
  __syncthreads();
  if (thread == 0) {
    const std::uint32_t first = choice.entry_bits[0] |
                                static_cast<std::uint32_t>(choice.entry_bits[1]) << 4 |
                                static_cast<std::uint32_t>(choice.entry_bits[2]) << 8 |
                                static_cast<std::uint32_t>(vectors - 1) << 16;
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(first >> (8 * i));
  }
  for (int g = thread; g < groups; g += kFieldWriteThreads) {
    bytes[4 + g] = static_cast<std::uint8_t>(choice.codes[g] | choice.lists[g] << 6);
    int at = fixed;
    for (int h = 0; h < g; ++h) at += 8 * choice.shifted[h];
    for (int c = 0; c < 8 && choice.shifted[g] != 0; ++c) {
      bytes[at + c] = static_cast<std::uint8_t>(choice.shifts[8 * g + c]);
    }
    if (g % 8 != 0) continue;
    int eight = 0;
    for (int h = g; h < g + 8 && h < groups; ++h) eight |= choice.shifted[h] << (h - g);
    bytes[flags + g / 8] = static_cast<std::uint8_t>(eight);
  }
  __syncthreads();
  for (int i = thread; i < header / 4; i += kFieldWriteThreads) {
    to[i] = reinterpret_cast<const std::uint32_t*>(bytes)[i];
  }
}

// A block of threads for 128 vectors of a page.
__global__ void __launch_bounds__(kFieldWriteThreads)
    write_field_pages(FieldEncode encode, int most_blocks) {
  __shared__ FieldChoice choice;
  __shared__ FieldUnits units;
  __shared__ std::uint32_t header_words[(4 + kMostFieldGroups * 9 + kMostFieldGroups / 8) / 4 + 1];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const std::int64_t number = blockIdx.x / static_cast<unsigned>(most_blocks),
                     head = number / encode.points.pages, at = number - head * encode.points.pages;
  const int block = static_cast<int>(blockIdx.x % static_cast<unsigned>(most_blocks));
  const FieldNumbers page = encode.page_of(head, at);
  const std::uint64_t* const starts = encode.starts + head * (encode.points.pages + 1);
  const bool fits =
      starts[encode.points.pages] <= static_cast<std::uint64_t>(encode.out.stream_room);
  if (!fits || block >= page.blocks() || starts[at] == starts[at + 1]) return;
  auto* const into = reinterpret_cast<std::uint32_t*>(encode.out.streams +
                                                      head * encode.out.stream_stride + starts[at]);
  const auto* const from = reinterpret_cast<const std::uint32_t*>(encode.choices + number);
  for (int i = thread; i < static_cast<int>(sizeof choice / 4); i += kFieldWriteThreads) {
    reinterpret_cast<std::uint32_t*>(&choice)[i] = from[i];
  }
  __syncthreads();
  const int groups = page.groups(), blocks = page.blocks(), vectors = page.of_block(block),
            header = header_bytes_of(choice, groups);
  find_units(choice, groups, (vectors + 15) / 16, units);
  if (block == 0) {
    write_header(choice, groups, page.vectors, header,
                 reinterpret_cast<std::uint8_t*>(header_words), into);
  }
  const std::uint32_t* const counts = choice.counts[block];
  std::uint32_t* const count_words = into + header / 4 + 2 * block;
  if (thread < 2) count_words[thread] = counts[2 * thread] | counts[2 * thread + 1] << 16;
  std::uint32_t* const all_fields = into + header / 4 + 2 * blocks;
  std::uint32_t* const fields = all_fields + block * (32 * rows_of(units.units, 8));
  for (int row = warp; row < units.row[kFieldPlanes]; row += kFieldWriteThreads / 32) {
    fields[32 * row + lane] = row_word(page, choice, encode.codec.values, block, units, row, lane);
  }
  std::uint32_t* lists = all_fields + all_field_bytes(units.units, page.vectors) / 4;
  for (int before = 0; before < block; ++before) {
    lists += list_bytes_of(choice, choice.counts[before]) / 4;
  }
  const auto words = static_cast<int>(list_bytes_of(choice, counts) / 4);
  for (int i = static_cast<int>(counts[0]) + thread; i < words; i += kFieldWriteThreads)
    lists[i] = 0;
  __threadfence();
  __syncthreads();
  std::uint32_t first_bit[kFieldLists];
  first_bit[0] = 32 * counts[0];
  first_bit[1] = first_bit[0] + choice.entry_bits[0] * counts[1];
  first_bit[2] = first_bit[1] + choice.entry_bits[1] * counts[2];
  for (int g = warp; g < groups; g += kFieldWriteThreads / 32) {
    put_entries(page, choice, block, g, encode.places_of(number, block)[g], first_bit, lane, lists);
  }
}

// Pieces of the workspace, one after another.
struct FieldRooms {
  std::size_t starts, places, choices, bytes;
  FieldRooms(const PagePoints& points, int heads, int dim) {
    const auto pages = static_cast<std::size_t>(points.pages) * static_cast<std::size_t>(heads);
    const auto blocks = static_cast<std::size_t>((points.page + 127) / 128);
    starts = 0;
    places = (8 * (pages + static_cast<std::size_t>(heads)) + 15) / 16 * 16;
    choices = places + sizeof(FieldPlace) * pages * blocks * static_cast<std::size_t>(dim / 8);
    bytes = (choices + sizeof(FieldChoice) * pages + 255) / 256 * 256;
  }
};

}  // namespace

std::size_t field_encode_workspace(const PagePoints& points, int heads, int dim) {
  return FieldRooms(points, heads, dim).bytes;
}

void encode_fields(const FieldPages& codec, const PagePoints& points, std::int64_t tokens,
                   const PageSections& out, void* workspace, std::uint32_t* flags, Stream stream) {
  if (codec.heads == 0) return;
  const std::int64_t all = points.pages * codec.heads;
  const FieldRooms rooms(points, codec.heads, codec.dim);
  auto* const memory = static_cast<std::uint8_t*>(workspace);
  const FieldEncode encode{codec,
                           points,
                           tokens,
                           out,
                           reinterpret_cast<FieldChoice*>(memory + rooms.choices),
                           reinterpret_cast<FieldPlace*>(memory + rooms.places),
                           reinterpret_cast<std::uint64_t*>(memory + rooms.starts),
                           flags};
  if (all != 0) {
    const std::size_t shared =
        4 * kChoiceWarps * kHistogramWords + static_cast<std::size_t>(codec.dim / 8) * kCodes * 9;
    if (blocks_at_once(choose_field_pages, kChoiceThreads, shared) == 0) {
      throw Error("CUDA: fields: no multiprocessor takes a block that chooses their widths");
    }
    launch_blocks(choose_field_pages, all, kChoiceThreads, shared, stream, encode);
  }
  place_pages(codec.heads, points.pages, out, encode.starts, flags, stream);
  if (all == 0) return;
  const int blocks = (points.page + 127) / 128;
  KAKEYA_LAUNCH(write_field_pages, all * blocks, kFieldWriteThreads, stream, encode, blocks);
}

}  // namespace kakeya::kernels
