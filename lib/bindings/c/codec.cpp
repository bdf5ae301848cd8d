// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <deque>
#include <mutex>

#include "bindings/c/handles.h"

using namespace kakeya;
using c::guarded;

namespace {

// The codec, as a handle. `profiles` is kept with it: it reads frames by it too.
kakeya_codec* handle_of(std::unique_ptr<Codec> codec,
                        std::shared_ptr<const c::SharedShelf> profiles,
                        std::optional<CodecInput> input) {
  std::string spec = codec->spec();
  return new kakeya_codec{std::move(profiles), std::move(codec), std::move(spec), input};
}

CodecInput input_of(std::string_view spec, const kakeya_codec_options& options) {
  CodecInput input{.dim = options.dim, .profiles = c::shelf_of(options.profiles).get()};
  if (options.has_site != 0) input.site = {options.layer, c::part_of(options.part), options.head};
  if (options.layer_count != 0) {
    input.layers = {options.first_layer, options.layer_count};
  } else if (scope_of(spec) == VectorScope::token && is_calibrated(spec) &&
             input.profiles != nullptr) {
    input.layers = all_layers(spec, *input.profiles);
  }
  return input;
}

double number_or_nan(std::optional<double> value) { return value.value_or(std::nan("")); }

}  // namespace

kakeya_status kakeya_codec_list(const char** json) {
  return guarded([&] {
    c::require(json, "json");
    // Each list stays, for those who have it: one more where codecs were registered since the last.
    static std::mutex mutex;
    static std::deque<std::string>& lists = *new std::deque<std::string>;
    const std::scoped_lock lock(mutex);
    std::string list = codec_list_json();
    if (lists.empty() || lists.back() != list) lists.push_back(std::move(list));
    *json = lists.back().c_str();
  });
}

kakeya_status kakeya_scope_of(const char* spec, kakeya_scope* scope) {
  return guarded([&] {
    c::require(spec, "spec");
    c::require(scope, "scope");
    switch (scope_of(spec)) {
      case VectorScope::any:
        *scope = KAKEYA_SCOPE_ANY;
        break;
      case VectorScope::head:
        *scope = KAKEYA_SCOPE_HEAD;
        break;
      case VectorScope::token:
        *scope = KAKEYA_SCOPE_TOKEN;
        break;
    }
  });
}

kakeya_status kakeya_codec_create(const char* spec, const kakeya_codec_options* options,
                                  kakeya_codec** out) {
  return guarded([&] {
    c::require(spec, "spec");
    c::require(out, "out");
    const kakeya_codec_options known = c::read_struct(options, "options");
    const CodecInput input = input_of(spec, known);
    *out = handle_of(make_codec(spec, input), c::shelf_of(known.profiles), input);
  });
}

kakeya_status kakeya_codec_of_frame(const void* frame, size_t frame_bytes,
                                    const kakeya_profiles* profiles, kakeya_codec** out) {
  return guarded([&] {
    c::require(out, "out");
    auto shelf = c::shelf_of(profiles);
    auto codec = codec_of_frame(c::bytes_of(frame, frame_bytes, "frame"), shelf.get());
    // A frame with a site or layers does not say them to others than its codec.
    std::optional<CodecInput> input;
    if (scope_of(codec->spec()) == VectorScope::any) {
      input = {.dim = codec->dim(), .profiles = shelf.get()};
    }
    *out = handle_of(std::move(codec), std::move(shelf), input);
  });
}

void kakeya_codec_free(kakeya_codec* codec) { delete codec; }

const char* kakeya_codec_spec(const kakeya_codec* codec) {
  return codec == nullptr ? "" : codec->spec.c_str();
}

size_t kakeya_codec_dim(const kakeya_codec* codec) {
  return codec == nullptr ? 0 : codec->codec->dim();
}

size_t kakeya_codec_page_vectors(const kakeya_codec* codec) {
  return codec == nullptr ? 0 : codec->codec->page_vectors();
}

kakeya_status kakeya_codec_encoded_bound(const kakeya_codec* codec, size_t count, size_t* bytes) {
  return guarded([&] {
    c::require(codec, "codec");
    c::require(bytes, "bytes");
    c::require_fewer(count, codec->codec->dim(), "count");
    *bytes = codec->codec->encoded_bound(count);
  });
}

kakeya_status kakeya_codec_rates(const kakeya_codec* codec, kakeya_rates* rates) {
  return guarded([&] {
    c::require(codec, "codec");
    const RateAccount& account = codec->codec->account();
    kakeya_rates told = {};
    told.nominal_bits_per_vector = number_or_nan(account.rates().nominal_bits_per_vector);
    told.codebook_bits_per_vector = number_or_nan(account.rates().codebook_bits_per_vector);
    told.side_bytes = account.side_bytes();
    told.profile_bytes = account.profile_bytes();
    c::give_struct(told, rates, "rates");
  });
}

kakeya_status kakeya_encode(const kakeya_codec* codec, const void* rows, kakeya_dtype dtype,
                            size_t count, size_t stride, void* frame, size_t capacity,
                            size_t* frame_bytes) {
  return guarded([&] {
    c::require(codec, "codec");
    c::require(frame_bytes, "frame_bytes");
    const Codec& coder = *codec->codec;
    const c::GivenRows given(rows, dtype, count, coder.dim(), stride, "rows");
    const std::size_t bound = coder.encoded_bound(count);
    if (capacity >= bound) {
      c::require(frame, "frame");
      *frame_bytes = coder.encode(given.rows(), {static_cast<std::byte*>(frame), bound});
      return;
    }
    std::vector<std::byte> made(bound);
    made.resize(coder.encode(given.rows(), made));
    c::give_bytes(made, frame, capacity, frame_bytes);
  });
}

kakeya_status kakeya_decode(const kakeya_codec* codec, const void* frame, size_t frame_bytes,
                            void* rows, kakeya_dtype dtype, size_t stride, size_t* count) {
  return guarded([&] {
    c::require(codec, "codec");
    c::require(count, "count");
    const Codec& coder = *codec->codec;
    const auto bytes = c::bytes_of(frame, frame_bytes, "frame");
    c::WantedRows room(rows, dtype, *count, coder.dim(), stride);
    const auto decode = [&](Rows<float> out) { coder.decode(bytes, out); };
    // As many as there is room for, in most cases; who asks first reads every byte once more.
    try {
      room.fill(*count, decode);
    } catch (const InputError&) {
      const FrameInfo info = frame_info(bytes, codec->profiles.get());
      if (info.count == *count) throw;
      c::fill_rows(room, info.count, count, decode);
    }
  });
}

kakeya_status kakeya_decode_page(const kakeya_codec* codec, const void* frame, size_t frame_bytes,
                                 size_t page, void* rows, kakeya_dtype dtype, size_t stride,
                                 size_t* count) {
  return guarded([&] {
    c::require(codec, "codec");
    c::require(count, "count");
    const Codec& coder = *codec->codec;
    const auto bytes = c::bytes_of(frame, frame_bytes, "frame");
    c::WantedRows room(rows, dtype, *count, coder.dim(), stride);
    const std::size_t vectors = frame_info(bytes, codec->profiles.get()).count;
    const std::size_t length = coder.page_vectors();
    // Where there is no such page, decode_page() says so.
    const bool there = length != 0 && page <= vectors / length;
    const std::size_t expected = there ? std::min(length, vectors - page * length) : 0;
    c::fill_rows(room, expected, count,
                 [&](Rows<float> out) { coder.decode_page(bytes, page, out); });
  });
}

kakeya_status kakeya_frame_ledger(const kakeya_codec* codec, const void* frame, size_t frame_bytes,
                                  const void* rows, kakeya_dtype dtype, size_t count, size_t stride,
                                  kakeya_ledger* ledger) {
  return guarded([&] {
    c::require(codec, "codec");
    const Codec& coder = *codec->codec;
    const auto bytes = c::bytes_of(frame, frame_bytes, "frame");
    RateLedger of;
    if (rows == nullptr) {
      const std::size_t there = frame_info(bytes, codec->profiles.get()).count;
      of = ledger_of(coder, {nullptr, there, coder.dim(), coder.dim()}, bytes, false);
    } else {
      const c::GivenRows given(rows, dtype, count, coder.dim(), stride, "rows");
      of = ledger_of(coder, given.rows(), bytes);
    }
    kakeya_ledger told = {};
    told.vectors = of.vectors;
    told.values = of.values;
    told.nominal_bits = number_or_nan(of.nominal_bits);
    told.codebook_bits = number_or_nan(of.codebook_bits);
    told.entropy_bits = number_or_nan(of.entropy_bits);
    told.payload_bits = of.payload_bits;
    told.scale_bits = of.scale_bits;
    told.header_bits = of.header_bits;
    told.table_bits = of.table_bits;
    told.padding_bits = of.padding_bits;
    told.beyond_profile_values = of.beyond_profile_values;
    c::give_struct(told, ledger, "ledger");
  });
}
