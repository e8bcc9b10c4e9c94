//! `<metal_texture>`: textures, samplers, and the values that say how a texture is sampled.
//!
//! A texture is a handle to an image. `access` in its type says what the function does with it:
//! `sample` and `gather` need `access::sample`; `read` needs any but `access::write`; `write` needs `access::write` or
//! `access::read_write`.
//! Coordinates of `sample` are normalized unless the sampler says otherwise; those of `read` and `write` are pixels.
//! All members are undefined on a null texture (MSL spec §2.9, §2.10, §6.12).

namespace metal {

/// Whether the coordinates given to `sample` run from 0 to 1 or count pixels.
enum class coord {
    /// From 0 to 1 across the texture (default).
    normalized = 0,
    /// In pixels of the largest level.
    ///
    /// The filters have to be equal, the mip filter `none`, and the address modes ones that clamp.
    pixel = 1,
};

/// What lies outside the texture, in all directions.
enum class address {
    /// Zero in each component that the format has.
    clamp_to_zero = 0,
    /// The pixels of the edge (default).
    clamp_to_edge = 1,
    /// The texture again.
    repeat = 2,
    /// The texture again, each time mirrored.
    mirrored_repeat = 3,
    /// The sampler's `border_color`.
    clamp_to_border [[msl::since("ios 2.3, macos 1.2")]] = 4,
};

/// What lies outside the texture along its first coordinate.
enum class s_address {
    /// Zero in each component that the format has.
    clamp_to_zero = 0,
    /// The pixels of the edge (default).
    clamp_to_edge = 1,
    /// The texture again.
    repeat = 2,
    /// The texture again, each time mirrored.
    mirrored_repeat = 3,
    /// The sampler's `border_color`.
    clamp_to_border [[msl::since("ios 2.3, macos 1.2")]] = 4,
};

/// What lies outside the texture along its second coordinate.
enum class t_address {
    /// Zero in each component that the format has.
    clamp_to_zero = 0,
    /// The pixels of the edge (default).
    clamp_to_edge = 1,
    /// The texture again.
    repeat = 2,
    /// The texture again, each time mirrored.
    mirrored_repeat = 3,
    /// The sampler's `border_color`.
    clamp_to_border [[msl::since("ios 2.3, macos 1.2")]] = 4,
};

/// What lies outside the texture along its third coordinate.
enum class r_address {
    /// Zero in each component that the format has.
    clamp_to_zero = 0,
    /// The pixels of the edge (default).
    clamp_to_edge = 1,
    /// The texture again.
    repeat = 2,
    /// The texture again, each time mirrored.
    mirrored_repeat = 3,
    /// The sampler's `border_color`.
    clamp_to_border [[msl::since("ios 2.3, macos 1.2")]] = 4,
};

/// The colour outside the texture under the address mode `clamp_to_border`.
enum class [[msl::since("ios 2.3, macos 1.2")]] border_color {
    /// Zero in all components (default).
    transparent_black = 0,
    /// Zero, with alpha 1.
    opaque_black = 1,
    /// One in all components.
    opaque_white = 2,
};

/// How pixels are blended, both when the texture is enlarged and when it is reduced.
enum class filter {
    /// The nearest pixel alone (default).
    nearest = 0,
    /// The nearest pixels in each direction, by distance.
    linear = 1,
    /// Four pixels in each direction, by a cubic curve.
    bicubic [[msl::since("ios 1.2, macos 2.3")]] = 2,
};

/// How pixels are blended when the texture is enlarged.
enum class mag_filter {
    /// The nearest pixel alone (default).
    nearest = 0,
    /// The nearest pixels in each direction, by distance.
    linear = 1,
    /// Four pixels in each direction, by a cubic curve.
    bicubic [[msl::since("ios 1.2, macos 2.3")]] = 2,
};

/// How pixels are blended when the texture is reduced.
enum class min_filter {
    /// The nearest pixel alone (default).
    nearest = 0,
    /// The nearest pixels in each direction, by distance.
    linear = 1,
    /// Four pixels in each direction, by a cubic curve.
    bicubic [[msl::since("ios 1.2, macos 2.3")]] = 2,
};

/// Which mipmap levels are read.
enum class mip_filter {
    /// Only level 0 (default).
    none = 0,
    /// The nearest level.
    nearest = 1,
    /// The two nearest levels, blended.
    linear = 2,
};

/// The comparison that `sample_compare` and `gather_compare` make between the given value and the pixel.
enum class compare_func {
    /// Always false (default).
    never [[msl::since("1.1")]] = 8,
    /// The given value is less than the pixel.
    less = 1,
    /// The given value is less than the pixel, or equal.
    less_equal = 2,
    /// The given value is greater than the pixel.
    greater = 3,
    /// The given value is greater than the pixel, or equal.
    greater_equal = 4,
    /// The given value equals the pixel.
    equal = 5,
    /// The given value differs from the pixel.
    not_equal = 6,
    /// Always true.
    always [[msl::since("1.1")]] = 7,
};

/// How the pixels that a filter selects become one value.
enum class [[msl::since("ios 3.0, macos 2.3")]] reduction {
    /// Their average, by the weights of the filter (default).
    weighted_average = 0,
    /// The smallest value of each component.
    minimum = 1,
    /// The largest value of each component.
    maximum = 2,
};

/// A component of a colour, for `gather`.
enum class component { x = 0, y = 1, z = 2, w = 3 };

/// Adds to the mipmap level that the hardware finds.
struct bias {
    /// - `value`: the number of levels to add.
    constexpr bias(float value) : value(value) {}
    /// The number of levels to add.
    float value;
};

/// Says the mipmap level to read.
struct level {
    /// - `lod`: the level, 0 for the largest; the fraction blends two levels.
    constexpr level(float lod) : lod(lod) {}
    /// The level.
    float lod;
};

/// Gives the derivatives from which the mipmap level of a two-dimensional texture follows.
struct gradient2d {
    /// - `dPdx`: the change of the coordinate from one pixel to the next in x.
    /// - `dPdy`: the change of the coordinate from one pixel to the next in y.
    constexpr gradient2d(float2 dPdx, float2 dPdy) : dPdx(dPdx), dPdy(dPdy) {}
    /// The change along x.
    float2 dPdx;
    /// The change along y.
    float2 dPdy;
};

/// Gives the derivatives from which the mipmap level of a three-dimensional texture follows.
struct gradient3d {
    /// - `dPdx`: the change of the coordinate from one pixel to the next in x.
    /// - `dPdy`: the change of the coordinate from one pixel to the next in y.
    constexpr gradient3d(float3 dPdx, float3 dPdy) : dPdx(dPdx), dPdy(dPdy) {}
    /// The change along x.
    float3 dPdx;
    /// The change along y.
    float3 dPdy;
};

/// Gives the derivatives from which the mipmap level of a cube texture follows.
struct gradientcube {
    /// - `dPdx`: the change of the direction from one pixel to the next in x.
    /// - `dPdy`: the change of the direction from one pixel to the next in y.
    constexpr gradientcube(float3 dPdx, float3 dPdy) : dPdx(dPdx), dPdy(dPdy) {}
    /// The change along x.
    float3 dPdx;
    /// The change along y.
    float3 dPdy;
};

/// Bounds the mipmap level from below: no level of more detail is read.
struct [[msl::since("2.2")]] min_lod_clamp {
    /// - `value`: the lowest level.
    constexpr min_lod_clamp(float value) : value(value) {}
    /// The lowest level.
    float value;
};

/// The state of a sampler that bounds how many pixels anisotropic filtering reads.
struct [[msl::since("ios 1.2, macos 2.0")]] max_anisotropy {
    /// - `v`: the bound, from 1 to 16.
    constexpr explicit max_anisotropy(int v) {}
};

/// The state of a sampler that bounds the mipmap levels that it reads.
struct [[msl::since("ios 1.2, macos 2.0")]] lod_clamp {
    /// - `min`: the lowest level, the one of most detail.
    /// - `max`: the highest level.
    constexpr explicit lod_clamp(float min, float max) {}
};

/// The state of a sampler that is added to the mipmap level of each access.
struct [[msl::since("4.0")]] lod_bias {
    /// - `value`: the number of levels to add.
    constexpr explicit lod_bias(float value) {}
};

/// Whether `T` is the type of a value that sets a state of a sampler.
template <typename T>
[[msl::internal]] constexpr constant bool __is_sampler_state =
    __is_same(T, coord) || __is_same(T, address) || __is_same(T, s_address) || __is_same(T, t_address) ||
    __is_same(T, r_address) || __is_same(T, border_color) || __is_same(T, filter) || __is_same(T, mag_filter) ||
    __is_same(T, min_filter) || __is_same(T, mip_filter) || __is_same(T, compare_func) || __is_same(T, reduction) ||
    __is_same(T, max_anisotropy) || __is_same(T, lod_clamp) || __is_same(T, lod_bias) || __is_same(T, bias);

/// How a texture is sampled: the coordinates, what lies outside, the filters and the comparison.
///
/// A sampler is a parameter with `[[sampler(n)]]`, a member of an argument buffer, or a `constexpr` variable:
/// `constexpr sampler s(coord::normalized, address::repeat, filter::linear);`
struct sampler {
    /// A sampler with every state at its default.
    constexpr sampler() {}

    /// A sampler with the given states, in any order; the others have their defaults.
    ///
    /// - `states`: values of `coord`, `address` and its forms for one direction, `border_color`, `filter` and its
    ///   forms, `mip_filter`, `compare_func`, `reduction`, `max_anisotropy`, `lod_clamp` and `lod_bias`.
    template <typename... Ts>
    [[msl::enable_if((__is_sampler_state<Ts> && ...), "a sampler is made from sampler states")]]
    constexpr sampler(Ts... states) {}
};

/// A value read from a sparse texture, and whether all pixels that it came from are in memory.
template <typename T>
struct [[msl::since("ios 2.2, macos 2.3")]] sparse_color {
    /// - `value`: the value.
    /// - `resident`: whether all pixels that it came from are in memory.
    constexpr sparse_color(T value, bool resident);

    /// Whether all pixels that the value came from are in memory.
    constexpr bool resident() const;

    /// The value.
    constexpr T const value() const;
};

/// Whether `T` can be the component type of a colour texture.
template <typename T>
struct is_color_texture_channel
    : bool_constant<
          __is_same(T, half) || __is_same(T, float) || __is_same(T, short) || __is_same(T, ushort) ||
          __is_same(T, int) || __is_same(T, uint) || __is_same(T, ulong)> {};
template <typename T>
constexpr constant bool is_color_texture_channel_v = is_color_texture_channel<T>::value;

/// Whether `T` can be the component type of a depth texture.
template <typename T>
struct is_depth_texture_channel : bool_constant<__is_same(T, float)> {};
template <typename T>
constexpr constant bool is_depth_texture_channel_v = is_depth_texture_channel<T>::value;

/// Whether a colour texture of the component type `T` has atomic operations.
template <typename T>
struct [[msl::since("3.1")]] is_color_texture_atomic_channel
    : bool_constant<__is_same(T, int) || __is_same(T, uint) || __is_same(T, ulong)> {};
template <typename T>
[[msl::since("3.1")]] constexpr constant bool is_color_texture_atomic_channel_v =
    is_color_texture_atomic_channel<T>::value;

/// Whether an imageblock slice of `E` can be written to a texture of the component type `T`.
template <typename E, typename T>
struct [[msl::since("ios 2.0, macos 2.3")]] is_color_texture_imageblock_slice_storage_valid;
template <typename E, typename T>
[[msl::since("ios 2.0, macos 2.3")]] constexpr constant bool is_color_texture_imageblock_slice_storage_valid_v =
    is_color_texture_imageblock_slice_storage_valid<E, T>::value;

// The conditions on the access of a texture under which its members exist.

#define __msl_if_sample [[msl::enable_if(a == access::sample, "needs a texture declared with access::sample")]]
#define __msl_if_read [[msl::enable_if(a != access::write, "needs a texture that can be read, not access::write")]]
#define __msl_if_write                                                                                                 \
    [[msl::enable_if(a == access::write || a == access::read_write,                                                    \
        "needs a texture declared with access::write or access::read_write")]]
#define __msl_if_read_write                                                                                            \
    [[msl::enable_if(a == access::read_write, "needs a texture declared with access::read_write")]]
#define __msl_if_atomic_load                                                                                           \
    [[msl::enable_if(a != access::write && is_color_texture_atomic_channel_v<T>,                                       \
        "needs a texture of int, uint or ulong that can be read")]]
#define __msl_if_atomic_store                                                                                          \
    [[msl::enable_if((a == access::write || a == access::read_write) && is_color_texture_atomic_channel_v<T>,          \
        "needs a texture of int, uint or ulong that can be written")]]
#define __msl_if_atomic                                                                                                \
    [[msl::enable_if(a == access::read_write && is_color_texture_atomic_channel_v<T>,                                  \
        "needs a texture of int, uint or ulong declared with access::read_write")]]
#define __msl_if_atomic_int                                                                                            \
    [[msl::enable_if(a == access::read_write && (__is_same(T, int) || __is_same(T, uint)),                             \
        "needs a texture of int or uint declared with access::read_write")]]
#define __msl_if_atomic_ulong                                                                                          \
    [[msl::enable_if(a == access::read_write && __is_same(T, ulong),                                                   \
        "needs a texture of ulong declared with access::read_write")]]

template <typename E, typename L>
struct imageblock_slice;

/// A one-dimensional colour texture.
///
/// - `T`: the type of a component: `half`, `float`, `short`, `ushort`, `int`, `uint`, or `ulong` for atomic operations (3.1).
/// - `a`: what the function does with the texture; `access::sample` allows reading as well.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct texture1d {
    static_assert(is_color_texture_channel_v<T>,
        "the component type of a texture is half, float, short, ushort, int, uint or ulong");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] texture1d();

    /// Returns the colour at a place of the texture, filtered as the sampler says.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place along the row, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample vec<T, 4> sample(sampler s, float coord) const;

    /// Returns the colour of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `lod`: 0; one-dimensional textures have no smaller levels.
    __msl_if_read vec<T, 4> read(uint coord, uint lod = 0) const;
    __msl_if_read [[msl::since("1.2")]] vec<T, 4> read(ushort coord, ushort lod = 0) const;

    /// Writes one pixel.
    /// Nothing happens outside the texture.
    ///
    /// The form with an imageblock slice writes the region of a tile, and is for tile functions.
    ///
    /// - `color`: the value; components that the format lacks are ignored.
    /// - `coord`: the pixel, counted from 0.
    /// - `lod`: 0; one-dimensional textures have no smaller levels.
    __msl_if_write void write(vec<T, 4> color, uint coord, uint lod = 0) const;
    __msl_if_write [[msl::since("1.2")]] void write(vec<T, 4> color, ushort coord, ushort lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, uint coord, uint lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, ushort coord, ushort lod = 0) const;

    /// Makes what the calling thread wrote to the texture visible to its own later reads.
    __msl_if_read_write [[msl::fence]] void fence() const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: 0; one-dimensional textures have no smaller levels.
    uint get_width(uint lod = 0) const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float coord) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(uint coord, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(ushort coord, ushort lod = 0) const;

    /// Returns the value of one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(uint coord) const;
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(ushort coord) const;

    /// Writes one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, uint coord) const;
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, ushort coord) const;

    /// Replaces the value of one pixel as one indivisible step and returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]] vec<T, 4> atomic_exchange(uint coord, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]] vec<T, 4> atomic_exchange(ushort coord, vec<T, 4> desired) const;

    /// Replaces the value of one pixel by `desired` if it equals `*expected`, as one indivisible step.
    ///
    /// Returns whether it did; if not, `*expected` receives the current value.
    /// The weak form may fail although the values are equal: call it in a loop.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(uint coord, thread vec<T, 4>* expected, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(ushort coord, thread vec<T, 4>* expected, vec<T, 4> desired) const;

    /// Adds `operand` to the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_add(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_add(ushort coord, vec<T, 4> operand) const;

    /// Subtracts `operand` from the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_sub(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_sub(ushort coord, vec<T, 4> operand) const;

    /// Combines, by bitwise AND, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_and(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_and(ushort coord, vec<T, 4> operand) const;

    /// Combines, by bitwise OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_or(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_or(ushort coord, vec<T, 4> operand) const;

    /// Combines, by bitwise exclusive OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_xor(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_xor(ushort coord, vec<T, 4> operand) const;

    /// Replaces, by the smaller of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_min(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_min(ushort coord, vec<T, 4> operand) const;

    /// Replaces, by the larger of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_max(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_max(ushort coord, vec<T, 4> operand) const;

    /// Replaces the 64-bit value of one pixel by the smaller of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(uint coord, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(ushort coord, ulong4 operand) const;

    /// Replaces the 64-bit value of one pixel by the larger of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(uint coord, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(ushort coord, ulong4 operand) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    vec<T, 4> read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

/// An array of one-dimensional colour textures.
///
/// - `T`: the type of a component: `half`, `float`, `short`, `ushort`, `int`, `uint`, or `ulong` for atomic operations (3.1).
/// - `a`: what the function does with the texture; `access::sample` allows reading as well.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct texture1d_array {
    static_assert(is_color_texture_channel_v<T>,
        "the component type of a texture is half, float, short, ushort, int, uint or ulong");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] texture1d_array();

    /// Returns the colour at a place of the texture, filtered as the sampler says.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place along the row, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `array`: the element of the array; it is clamped to the last one.
    __msl_if_sample vec<T, 4> sample(sampler s, float coord, uint array) const;

    /// Returns the colour of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    /// - `lod`: 0; one-dimensional textures have no smaller levels.
    __msl_if_read vec<T, 4> read(uint coord, uint array, uint lod = 0) const;
    __msl_if_read [[msl::since("1.2")]] vec<T, 4> read(ushort coord, ushort array, ushort lod = 0) const;

    /// Writes one pixel.
    /// Nothing happens outside the texture.
    ///
    /// The form with an imageblock slice writes the region of a tile, and is for tile functions.
    ///
    /// - `color`: the value; components that the format lacks are ignored.
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    /// - `lod`: 0; one-dimensional textures have no smaller levels.
    __msl_if_write void write(vec<T, 4> color, uint coord, uint array, uint lod = 0) const;
    __msl_if_write [[msl::since("1.2")]] void write(vec<T, 4> color, ushort coord, ushort array, ushort lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, uint coord, uint array, uint lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, ushort coord, ushort array, ushort lod = 0) const;

    /// Makes what the calling thread wrote to the texture visible to its own later reads.
    __msl_if_read_write [[msl::fence]] [[msl::since("ios 2.0, macos 1.2")]] void fence() const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: 0; one-dimensional textures have no smaller levels.
    uint get_width(uint lod = 0) const;

    /// The number of elements of the array.
    uint get_array_size() const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float coord, uint array) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(uint coord, uint array, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(ushort coord, ushort array, ushort lod = 0) const;

    /// Returns the value of one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(uint coord, uint array) const;
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(ushort coord, ushort array) const;

    /// Writes one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, uint coord, uint array) const;
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, ushort coord, ushort array) const;

    /// Replaces the value of one pixel as one indivisible step and returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]] vec<T, 4> atomic_exchange(uint coord, uint array, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]]
    vec<T, 4> atomic_exchange(ushort coord, ushort array, vec<T, 4> desired) const;

    /// Replaces the value of one pixel by `desired` if it equals `*expected`, as one indivisible step.
    ///
    /// Returns whether it did; if not, `*expected` receives the current value.
    /// The weak form may fail although the values are equal: call it in a loop.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(uint coord, uint array, thread vec<T, 4>* expected, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(ushort coord, ushort array, thread vec<T, 4>* expected, vec<T, 4> desired) const;

    /// Adds `operand` to the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_add(uint coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_add(ushort coord, ushort array, vec<T, 4> operand) const;

    /// Subtracts `operand` from the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_sub(uint coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_sub(ushort coord, ushort array, vec<T, 4> operand) const;

    /// Combines, by bitwise AND, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_and(uint coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_and(ushort coord, ushort array, vec<T, 4> operand) const;

    /// Combines, by bitwise OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_or(uint coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_or(ushort coord, ushort array, vec<T, 4> operand) const;

    /// Combines, by bitwise exclusive OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_xor(uint coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_xor(ushort coord, ushort array, vec<T, 4> operand) const;

    /// Replaces, by the smaller of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_min(uint coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_min(ushort coord, ushort array, vec<T, 4> operand) const;

    /// Replaces, by the larger of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_max(uint coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_max(ushort coord, ushort array, vec<T, 4> operand) const;

    /// Replaces the 64-bit value of one pixel by the smaller of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(uint coord, uint array, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(ushort coord, ushort array, ulong4 operand) const;

    /// Replaces the 64-bit value of one pixel by the larger of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(uint coord, uint array, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(ushort coord, ushort array, ulong4 operand) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    vec<T, 4> read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

/// A two-dimensional colour texture.
///
/// - `T`: the type of a component: `half`, `float`, `short`, `ushort`, `int`, `uint`, or `ulong` for atomic operations (3.1).
/// - `a`: what the function does with the texture; `access::sample` allows reading as well.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct texture2d {
    static_assert(is_color_texture_channel_v<T>,
        "the component type of a texture is half, float, short, ushort, int, uint or ulong");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] texture2d();

    /// Returns the colour at a place of the texture, filtered as the sampler says.
    ///
    /// Without `options` a fragment function derives the mipmap level from how `coord` changes between pixels.
    /// Other functions use level 0.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradient2d` or `min_lod_clamp`.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, bias options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, level options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, min_lod_clamp options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, bias bias_options, min_lod_clamp min_lod_clamp_options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, gradient2d options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, gradient2d grad_options, min_lod_clamp min_lod_clamp_options,
        int2 offset = int2(0)) const;

    /// Returns one component of the four pixels that linear filtering would blend.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    /// - `c`: the component, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7), msl::constant(c)]]
    vec<T, 4> gather(sampler s, float2 coord, int2 offset = int2(0), component c = component::x) const;

    /// Returns the colour of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest.
    __msl_if_read vec<T, 4> read(uint2 coord, uint lod = 0) const;
    __msl_if_read [[msl::since("1.2")]] vec<T, 4> read(ushort2 coord, ushort lod = 0) const;

    /// Writes one pixel.
    /// Nothing happens outside the texture.
    ///
    /// The form with an imageblock slice writes the region of a tile, and is for tile functions.
    ///
    /// - `color`: the value; components that the format lacks are ignored.
    /// - `coord`: the pixel, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest; up to 2.2 it has to be the constant 0 on macOS.
    __msl_if_write void write(vec<T, 4> color, uint2 coord, uint lod = 0) const;
    __msl_if_write [[msl::since("1.2")]] void write(vec<T, 4> color, ushort2 coord, ushort lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, uint2 coord, uint lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, ushort2 coord, ushort lod = 0) const;

    /// Makes what the calling thread wrote to the texture visible to its own later reads.
    __msl_if_read_write [[msl::fence]] [[msl::since("ios 2.0, macos 1.2")]] void fence() const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_width(uint lod = 0) const;

    /// The height of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_height(uint lod = 0) const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// Returns the mipmap level from which `sample` would read, limited by the sampler and the number of levels.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_clamped_lod(sampler s, float2 coord) const;

    /// Returns the mipmap level from which `sample` would read, before the limits of the sampler and the number of levels apply.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_unclamped_lod(sampler s, float2 coord) const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, bias options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, level options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, min_lod_clamp options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, bias bias_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, gradient2d options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, gradient2d options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;

    /// As `gather`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7), msl::constant(c)]]
    sparse_color<vec<T, 4>> sparse_gather(sampler s, float2 coord, int2 offset = int2(0),
        component c = component::x) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(uint2 coord, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(ushort2 coord, ushort lod = 0) const;

    /// Returns the value of one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(uint2 coord) const;
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(ushort2 coord) const;

    /// Writes one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, uint2 coord) const;
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, ushort2 coord) const;

    /// Replaces the value of one pixel as one indivisible step and returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]] vec<T, 4> atomic_exchange(uint2 coord, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]] vec<T, 4> atomic_exchange(ushort2 coord, vec<T, 4> desired) const;

    /// Replaces the value of one pixel by `desired` if it equals `*expected`, as one indivisible step.
    ///
    /// Returns whether it did; if not, `*expected` receives the current value.
    /// The weak form may fail although the values are equal: call it in a loop.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(uint2 coord, thread vec<T, 4>* expected, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(ushort2 coord, thread vec<T, 4>* expected, vec<T, 4> desired) const;

    /// Adds `operand` to the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_add(uint2 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_add(ushort2 coord, vec<T, 4> operand) const;

    /// Subtracts `operand` from the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_sub(uint2 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_sub(ushort2 coord, vec<T, 4> operand) const;

    /// Combines, by bitwise AND, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_and(uint2 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_and(ushort2 coord, vec<T, 4> operand) const;

    /// Combines, by bitwise OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_or(uint2 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_or(ushort2 coord, vec<T, 4> operand) const;

    /// Combines, by bitwise exclusive OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_xor(uint2 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_xor(ushort2 coord, vec<T, 4> operand) const;

    /// Replaces, by the smaller of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_min(uint2 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_min(ushort2 coord, vec<T, 4> operand) const;

    /// Replaces, by the larger of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_max(uint2 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_max(ushort2 coord, vec<T, 4> operand) const;

    /// Replaces the 64-bit value of one pixel by the smaller of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(uint2 coord, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(ushort2 coord, ulong4 operand) const;

    /// Replaces the 64-bit value of one pixel by the larger of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(uint2 coord, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(ushort2 coord, ulong4 operand) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    vec<T, 4> read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

/// An array of two-dimensional colour textures.
///
/// - `T`: the type of a component: `half`, `float`, `short`, `ushort`, `int`, `uint`, or `ulong` for atomic operations (3.1).
/// - `a`: what the function does with the texture; `access::sample` allows reading as well.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct texture2d_array {
    static_assert(is_color_texture_channel_v<T>,
        "the component type of a texture is half, float, short, ushort, int, uint or ulong");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] texture2d_array();

    /// Returns the colour at a place of the texture, filtered as the sampler says.
    ///
    /// Without `options` a fragment function derives the mipmap level from how `coord` changes between pixels.
    /// Other functions use level 0.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradient2d` or `min_lod_clamp`.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, uint array, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, uint array, bias options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, uint array, level options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, uint array, min_lod_clamp options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, uint array, bias bias_options, min_lod_clamp min_lod_clamp_options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, uint array, gradient2d options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float2 coord, uint array, gradient2d grad_options, min_lod_clamp min_lod_clamp_options,
        int2 offset = int2(0)) const;

    /// Returns one component of the four pixels that linear filtering would blend.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    /// - `c`: the component, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7), msl::constant(c)]]
    vec<T, 4> gather(sampler s, float2 coord, uint array, int2 offset = int2(0), component c = component::x) const;

    /// Returns the colour of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest.
    __msl_if_read vec<T, 4> read(uint2 coord, uint array, uint lod = 0) const;
    __msl_if_read [[msl::since("1.2")]] vec<T, 4> read(ushort2 coord, ushort array, ushort lod = 0) const;

    /// Writes one pixel.
    /// Nothing happens outside the texture.
    ///
    /// The form with an imageblock slice writes the region of a tile, and is for tile functions.
    ///
    /// - `color`: the value; components that the format lacks are ignored.
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest; up to 2.2 it has to be the constant 0 on macOS.
    __msl_if_write void write(vec<T, 4> color, uint2 coord, uint array, uint lod = 0) const;
    __msl_if_write [[msl::since("1.2")]] void write(vec<T, 4> color, ushort2 coord, ushort array, ushort lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, uint2 coord, uint array, uint lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, ushort2 coord, ushort array, ushort lod = 0) const;

    /// Makes what the calling thread wrote to the texture visible to its own later reads.
    __msl_if_read_write [[msl::fence]] [[msl::since("ios 2.0, macos 1.2")]] void fence() const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_width(uint lod = 0) const;

    /// The height of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_height(uint lod = 0) const;

    /// The number of elements of the array.
    uint get_array_size() const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// Returns the mipmap level from which `sample` would read, limited by the sampler and the number of levels.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_clamped_lod(sampler s, float2 coord) const;

    /// Returns the mipmap level from which `sample` would read, before the limits of the sampler and the number of levels apply.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_unclamped_lod(sampler s, float2 coord) const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, uint array, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, uint array, bias options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, uint array, level options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, uint array, min_lod_clamp options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, uint array, bias bias_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, uint array, gradient2d options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float2 coord, uint array, gradient2d grad_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;

    /// As `gather`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7), msl::constant(c)]]
    sparse_color<vec<T, 4>> sparse_gather(sampler s, float2 coord, uint array, int2 offset = int2(0),
        component c = component::x) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(uint2 coord, uint array, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(ushort2 coord, ushort array, ushort lod = 0) const;

    /// Returns the value of one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(uint2 coord, uint array) const;
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(ushort2 coord, ushort array) const;

    /// Writes one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, uint2 coord, uint array) const;
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, ushort2 coord, ushort array) const;

    /// Replaces the value of one pixel as one indivisible step and returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]] vec<T, 4> atomic_exchange(uint2 coord, uint array, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]]
    vec<T, 4> atomic_exchange(ushort2 coord, ushort array, vec<T, 4> desired) const;

    /// Replaces the value of one pixel by `desired` if it equals `*expected`, as one indivisible step.
    ///
    /// Returns whether it did; if not, `*expected` receives the current value.
    /// The weak form may fail although the values are equal: call it in a loop.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(uint2 coord, uint array, thread vec<T, 4>* expected, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(ushort2 coord, ushort array, thread vec<T, 4>* expected, vec<T, 4> desired) const;

    /// Adds `operand` to the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_add(uint2 coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_add(ushort2 coord, ushort array, vec<T, 4> operand) const;

    /// Subtracts `operand` from the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_sub(uint2 coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_sub(ushort2 coord, ushort array, vec<T, 4> operand) const;

    /// Combines, by bitwise AND, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_and(uint2 coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_and(ushort2 coord, ushort array, vec<T, 4> operand) const;

    /// Combines, by bitwise OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_or(uint2 coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_or(ushort2 coord, ushort array, vec<T, 4> operand) const;

    /// Combines, by bitwise exclusive OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_xor(uint2 coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_xor(ushort2 coord, ushort array, vec<T, 4> operand) const;

    /// Replaces, by the smaller of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_min(uint2 coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_min(ushort2 coord, ushort array, vec<T, 4> operand) const;

    /// Replaces, by the larger of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_max(uint2 coord, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]]
    vec<T, 4> atomic_fetch_max(ushort2 coord, ushort array, vec<T, 4> operand) const;

    /// Replaces the 64-bit value of one pixel by the smaller of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(uint2 coord, uint array, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(ushort2 coord, ushort array, ulong4 operand) const;

    /// Replaces the 64-bit value of one pixel by the larger of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(uint2 coord, uint array, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(ushort2 coord, ushort array, ulong4 operand) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    vec<T, 4> read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

/// A three-dimensional colour texture.
///
/// - `T`: the type of a component: `half`, `float`, `short`, `ushort`, `int`, `uint`, or `ulong` for atomic operations (3.1).
/// - `a`: what the function does with the texture; `access::sample` allows reading as well.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct texture3d {
    static_assert(is_color_texture_channel_v<T>,
        "the component type of a texture is half, float, short, ushort, int, uint or ulong");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] texture3d();

    /// Returns the colour at a place of the texture, filtered as the sampler says.
    ///
    /// Without `options` a fragment function derives the mipmap level from how `coord` changes between pixels.
    /// Other functions use level 0.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the volume, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradient3d` or `min_lod_clamp`.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float3 coord, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float3 coord, bias options, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float3 coord, level options, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float3 coord, min_lod_clamp options, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float3 coord, bias bias_options, min_lod_clamp min_lod_clamp_options,
        int3 offset = int3(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float3 coord, gradient3d options, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    vec<T, 4> sample(sampler s, float3 coord, gradient3d grad_options, min_lod_clamp min_lod_clamp_options,
        int3 offset = int3(0)) const;

    /// Returns the colour of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest.
    __msl_if_read vec<T, 4> read(uint3 coord, uint lod = 0) const;
    __msl_if_read [[msl::since("1.2")]] vec<T, 4> read(ushort3 coord, ushort lod = 0) const;

    /// Writes one pixel.
    /// Nothing happens outside the texture.
    ///
    /// The form with an imageblock slice writes the region of a tile, and is for tile functions.
    ///
    /// - `color`: the value; components that the format lacks are ignored.
    /// - `coord`: the pixel, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest; up to 2.2 it has to be the constant 0 on macOS.
    __msl_if_write void write(vec<T, 4> color, uint3 coord, uint lod = 0) const;
    __msl_if_write [[msl::since("1.2")]] void write(vec<T, 4> color, ushort3 coord, ushort lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, uint3 coord, uint lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, ushort3 coord, ushort lod = 0) const;

    /// Makes what the calling thread wrote to the texture visible to its own later reads.
    __msl_if_read_write [[msl::fence]] [[msl::since("ios 2.0, macos 1.2")]] void fence() const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_width(uint lod = 0) const;

    /// The height of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_height(uint lod = 0) const;

    /// The depth of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_depth(uint lod = 0) const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// Returns the mipmap level from which `sample` would read, limited by the sampler and the number of levels.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the volume, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_clamped_lod(sampler s, float3 coord) const;

    /// Returns the mipmap level from which `sample` would read, before the limits of the sampler and the number of levels apply.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the volume, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_unclamped_lod(sampler s, float3 coord) const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, bias options, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, level options, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, min_lod_clamp options, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, bias bias_options,
        min_lod_clamp min_lod_clamp_options, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, gradient3d options, int3 offset = int3(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, gradient3d grad_options,
        min_lod_clamp min_lod_clamp_options, int3 offset = int3(0)) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(uint3 coord, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(ushort3 coord, ushort lod = 0) const;

    /// Returns the value of one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(uint3 coord) const;
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(ushort3 coord) const;

    /// Writes one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, uint3 coord) const;
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, ushort3 coord) const;

    /// Replaces the value of one pixel as one indivisible step and returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]] vec<T, 4> atomic_exchange(uint3 coord, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]] vec<T, 4> atomic_exchange(ushort3 coord, vec<T, 4> desired) const;

    /// Replaces the value of one pixel by `desired` if it equals `*expected`, as one indivisible step.
    ///
    /// Returns whether it did; if not, `*expected` receives the current value.
    /// The weak form may fail although the values are equal: call it in a loop.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(uint3 coord, thread vec<T, 4>* expected, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(ushort3 coord, thread vec<T, 4>* expected, vec<T, 4> desired) const;

    /// Adds `operand` to the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_add(uint3 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_add(ushort3 coord, vec<T, 4> operand) const;

    /// Subtracts `operand` from the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_sub(uint3 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_sub(ushort3 coord, vec<T, 4> operand) const;

    /// Combines, by bitwise AND, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_and(uint3 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_and(ushort3 coord, vec<T, 4> operand) const;

    /// Combines, by bitwise OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_or(uint3 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_or(ushort3 coord, vec<T, 4> operand) const;

    /// Combines, by bitwise exclusive OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_xor(uint3 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_xor(ushort3 coord, vec<T, 4> operand) const;

    /// Replaces, by the smaller of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_min(uint3 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_min(ushort3 coord, vec<T, 4> operand) const;

    /// Replaces, by the larger of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_max(uint3 coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_max(ushort3 coord, vec<T, 4> operand) const;

    /// Replaces the 64-bit value of one pixel by the smaller of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(uint3 coord, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(ushort3 coord, ulong4 operand) const;

    /// Replaces the 64-bit value of one pixel by the larger of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(uint3 coord, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(ushort3 coord, ulong4 operand) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    vec<T, 4> read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

/// A colour texture of six square faces, sampled by direction.
///
/// - `T`: the type of a component: `half`, `float`, `short`, `ushort`, `int`, `uint`, or `ulong` for atomic operations (3.1).
/// - `a`: what the function does with the texture; `access::sample` allows reading as well.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct texturecube {
    static_assert(is_color_texture_channel_v<T>,
        "the component type of a texture is half, float, short, ushort, int, uint or ulong");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] texturecube();

    /// Returns the colour at a place of the texture, filtered as the sampler says.
    ///
    /// Without `options` a fragment function derives the mipmap level from how `coord` changes between pixels.
    /// Other functions use level 0.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradientcube` or `min_lod_clamp`.
    __msl_if_sample vec<T, 4> sample(sampler s, float3 coord) const;
    __msl_if_sample vec<T, 4> sample(sampler s, float3 coord, bias options) const;
    __msl_if_sample vec<T, 4> sample(sampler s, float3 coord, level options) const;
    __msl_if_sample [[msl::since("2.2")]] vec<T, 4> sample(sampler s, float3 coord, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("2.2")]]
    vec<T, 4> sample(sampler s, float3 coord, bias bias_options, min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample vec<T, 4> sample(sampler s, float3 coord, gradientcube options) const;
    __msl_if_sample [[msl::since("2.2")]]
    vec<T, 4> sample(sampler s, float3 coord, gradientcube grad_options, min_lod_clamp min_lod_clamp_options) const;

    /// Returns one component of the four pixels that linear filtering would blend.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `c`: the component, a constant.
    __msl_if_sample [[msl::constant(c)]] vec<T, 4> gather(sampler s, float3 coord, component c = component::x) const;

    /// Returns the colour of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `lod`: the mipmap level, 0 for the largest.
    __msl_if_read [[msl::since("ios 2.0, macos 1.1")]] vec<T, 4> read(uint2 coord, uint face, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.0, macos 1.2")]] vec<T, 4> read(ushort2 coord, ushort face, ushort lod = 0) const;

    /// Writes one pixel.
    /// Nothing happens outside the texture.
    ///
    /// The form with an imageblock slice writes the region of a tile, and is for tile functions.
    ///
    /// - `color`: the value; components that the format lacks are ignored.
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `lod`: the mipmap level, 0 for the largest; up to 2.2 it has to be the constant 0 on macOS.
    __msl_if_write [[msl::since("ios 2.0, macos 1.1")]]
    void write(vec<T, 4> color, uint2 coord, uint face, uint lod = 0) const;
    __msl_if_write [[msl::since("ios 2.0, macos 1.2")]]
    void write(vec<T, 4> color, ushort2 coord, ushort face, ushort lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, uint2 coord, uint face, uint lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, ushort2 coord, ushort face, ushort lod = 0) const;

    /// Makes what the calling thread wrote to the texture visible to its own later reads.
    __msl_if_read_write [[msl::fence]] [[msl::since("ios 2.0, macos 1.2")]] void fence() const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_width(uint lod = 0) const;

    /// The height of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_height(uint lod = 0) const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// Returns the mipmap level from which `sample` would read, limited by the sampler and the number of levels.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_clamped_lod(sampler s, float3 coord) const;

    /// Returns the mipmap level from which `sample` would read, before the limits of the sampler and the number of levels apply.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_unclamped_lod(sampler s, float3 coord) const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, bias options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, level options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, bias bias_options,
        min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, gradientcube options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, gradientcube grad_options,
        min_lod_clamp min_lod_clamp_options) const;

    /// As `gather`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::constant(c)]]
    sparse_color<vec<T, 4>> sparse_gather(sampler s, float3 coord, component c = component::x) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(uint2 coord, uint face, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(ushort2 coord, ushort face, ushort lod = 0) const;

    /// Returns the value of one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_load [[msl::since("4.0")]] vec<T, 4> atomic_load(uint2 coord, uint face) const;
    __msl_if_atomic_load [[msl::since("4.0")]] vec<T, 4> atomic_load(ushort2 coord, ushort face) const;

    /// Writes one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_store [[msl::since("4.0")]] void atomic_store(vec<T, 4> color, uint2 coord, uint face) const;
    __msl_if_atomic_store [[msl::since("4.0")]] void atomic_store(vec<T, 4> color, ushort2 coord, ushort face) const;

    /// Replaces the value of one pixel as one indivisible step and returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic [[msl::since("4.0")]] vec<T, 4> atomic_exchange(uint2 coord, uint face, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("4.0")]]
    vec<T, 4> atomic_exchange(ushort2 coord, ushort face, vec<T, 4> desired) const;

    /// Replaces the value of one pixel by `desired` if it equals `*expected`, as one indivisible step.
    ///
    /// Returns whether it did; if not, `*expected` receives the current value.
    /// The weak form may fail although the values are equal: call it in a loop.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic [[msl::since("4.0")]]
    bool atomic_compare_exchange_weak(uint2 coord, uint face, thread vec<T, 4>* expected, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("4.0")]]
    bool atomic_compare_exchange_weak(ushort2 coord, ushort face, thread vec<T, 4>* expected, vec<T, 4> desired) const;

    /// Adds `operand` to the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_add(uint2 coord, uint face, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_add(ushort2 coord, ushort face, vec<T, 4> operand) const;

    /// Subtracts `operand` from the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_sub(uint2 coord, uint face, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_sub(ushort2 coord, ushort face, vec<T, 4> operand) const;

    /// Combines, by bitwise AND, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_and(uint2 coord, uint face, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_and(ushort2 coord, ushort face, vec<T, 4> operand) const;

    /// Combines, by bitwise OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_or(uint2 coord, uint face, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_or(ushort2 coord, ushort face, vec<T, 4> operand) const;

    /// Combines, by bitwise exclusive OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_xor(uint2 coord, uint face, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_xor(ushort2 coord, ushort face, vec<T, 4> operand) const;

    /// Replaces, by the smaller of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_min(uint2 coord, uint face, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_min(ushort2 coord, ushort face, vec<T, 4> operand) const;

    /// Replaces, by the larger of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_max(uint2 coord, uint face, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_max(ushort2 coord, ushort face, vec<T, 4> operand) const;

    /// Replaces the 64-bit value of one pixel by the smaller of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_ulong [[msl::since("4.0")]] void atomic_min(uint2 coord, uint face, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("4.0")]] void atomic_min(ushort2 coord, ushort face, ulong4 operand) const;

    /// Replaces the 64-bit value of one pixel by the larger of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    __msl_if_atomic_ulong [[msl::since("4.0")]] void atomic_max(uint2 coord, uint face, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("4.0")]] void atomic_max(ushort2 coord, ushort face, ulong4 operand) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    vec<T, 4> read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

/// An array of cube colour textures.
///
/// - `T`: the type of a component: `half`, `float`, `short`, `ushort`, `int`, `uint`, or `ulong` for atomic operations (3.1).
/// - `a`: what the function does with the texture; `access::sample` allows reading as well.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct [[msl::since("ios 2.0, macos 1.1")]] texturecube_array {
    static_assert(is_color_texture_channel_v<T>,
        "the component type of a texture is half, float, short, ushort, int, uint or ulong");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("2.0")]] texturecube_array();

    /// Returns the colour at a place of the texture, filtered as the sampler says.
    ///
    /// Without `options` a fragment function derives the mipmap level from how `coord` changes between pixels.
    /// Other functions use level 0.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradientcube` or `min_lod_clamp`.
    __msl_if_sample vec<T, 4> sample(sampler s, float3 coord, uint array) const;
    __msl_if_sample vec<T, 4> sample(sampler s, float3 coord, uint array, bias options) const;
    __msl_if_sample vec<T, 4> sample(sampler s, float3 coord, uint array, level options) const;
    __msl_if_sample [[msl::since("2.2")]]
    vec<T, 4> sample(sampler s, float3 coord, uint array, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("2.2")]]
    vec<T, 4> sample(sampler s, float3 coord, uint array, bias bias_options, min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample vec<T, 4> sample(sampler s, float3 coord, uint array, gradientcube options) const;
    __msl_if_sample [[msl::since("2.2")]]
    vec<T, 4> sample(sampler s, float3 coord, uint array, gradientcube grad_options,
        min_lod_clamp min_lod_clamp_options) const;

    /// Returns one component of the four pixels that linear filtering would blend.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `c`: the component, a constant.
    __msl_if_sample [[msl::constant(c)]]
    vec<T, 4> gather(sampler s, float3 coord, uint array, component c = component::x) const;

    /// Returns the colour of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest.
    __msl_if_read vec<T, 4> read(uint2 coord, uint face, uint array, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.0, macos 1.2")]]
    vec<T, 4> read(ushort2 coord, ushort face, ushort array, ushort lod = 0) const;

    /// Writes one pixel.
    /// Nothing happens outside the texture.
    ///
    /// The form with an imageblock slice writes the region of a tile, and is for tile functions.
    ///
    /// - `color`: the value; components that the format lacks are ignored.
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest; up to 2.2 it has to be the constant 0 on macOS.
    __msl_if_write void write(vec<T, 4> color, uint2 coord, uint face, uint array, uint lod = 0) const;
    __msl_if_write [[msl::since("ios 2.0, macos 1.2")]]
    void write(vec<T, 4> color, ushort2 coord, ushort face, ushort array, ushort lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, uint2 coord, uint face, uint array, uint lod = 0) const;
    template <typename E, typename L> __msl_if_write [[msl::since("ios 2.0, macos 2.3")]]
    void write(imageblock_slice<E, L> slice, ushort2 coord, ushort face, ushort array, ushort lod = 0) const;

    /// Makes what the calling thread wrote to the texture visible to its own later reads.
    __msl_if_read_write [[msl::fence]] [[msl::since("ios 2.0, macos 1.2")]] void fence() const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_width(uint lod = 0) const;

    /// The height of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_height(uint lod = 0) const;

    /// The number of elements of the array.
    uint get_array_size() const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// Returns the mipmap level from which `sample` would read, limited by the sampler and the number of levels.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_clamped_lod(sampler s, float3 coord) const;

    /// Returns the mipmap level from which `sample` would read, before the limits of the sampler and the number of levels apply.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_unclamped_lod(sampler s, float3 coord) const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, uint array) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, uint array, bias options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, uint array, level options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, uint array, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, uint array, bias bias_options,
        min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, uint array, gradientcube options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_sample(sampler s, float3 coord, uint array, gradientcube grad_options,
        min_lod_clamp min_lod_clamp_options) const;

    /// As `gather`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::constant(c)]]
    sparse_color<vec<T, 4>> sparse_gather(sampler s, float3 coord, uint array, component c = component::x) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(uint2 coord, uint face, uint array, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(ushort2 coord, ushort face, ushort array, ushort lod = 0) const;

    /// Returns the value of one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_load [[msl::since("4.0")]] vec<T, 4> atomic_load(uint2 coord, uint face, uint array) const;
    __msl_if_atomic_load [[msl::since("4.0")]] vec<T, 4> atomic_load(ushort2 coord, ushort face, ushort array) const;

    /// Writes one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_store [[msl::since("4.0")]]
    void atomic_store(vec<T, 4> color, uint2 coord, uint face, uint array) const;
    __msl_if_atomic_store [[msl::since("4.0")]]
    void atomic_store(vec<T, 4> color, ushort2 coord, ushort face, ushort array) const;

    /// Replaces the value of one pixel as one indivisible step and returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic [[msl::since("4.0")]]
    vec<T, 4> atomic_exchange(uint2 coord, uint face, uint array, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("4.0")]]
    vec<T, 4> atomic_exchange(ushort2 coord, ushort face, ushort array, vec<T, 4> desired) const;

    /// Replaces the value of one pixel by `desired` if it equals `*expected`, as one indivisible step.
    ///
    /// Returns whether it did; if not, `*expected` receives the current value.
    /// The weak form may fail although the values are equal: call it in a loop.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic [[msl::since("4.0")]]
    bool atomic_compare_exchange_weak(uint2 coord, uint face, uint array, thread vec<T, 4>* expected, vec<T,
        4> desired) const;
    __msl_if_atomic [[msl::since("4.0")]]
    bool atomic_compare_exchange_weak(ushort2 coord, ushort face, ushort array, thread vec<T, 4>* expected, vec<T,
        4> desired) const;

    /// Adds `operand` to the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_add(uint2 coord, uint face, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_add(ushort2 coord, ushort face, ushort array, vec<T, 4> operand) const;

    /// Subtracts `operand` from the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_sub(uint2 coord, uint face, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_sub(ushort2 coord, ushort face, ushort array, vec<T, 4> operand) const;

    /// Combines, by bitwise AND, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_and(uint2 coord, uint face, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_and(ushort2 coord, ushort face, ushort array, vec<T, 4> operand) const;

    /// Combines, by bitwise OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_or(uint2 coord, uint face, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_or(ushort2 coord, ushort face, ushort array, vec<T, 4> operand) const;

    /// Combines, by bitwise exclusive OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_xor(uint2 coord, uint face, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_xor(ushort2 coord, ushort face, ushort array, vec<T, 4> operand) const;

    /// Replaces, by the smaller of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_min(uint2 coord, uint face, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_min(ushort2 coord, ushort face, ushort array, vec<T, 4> operand) const;

    /// Replaces, by the larger of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_max(uint2 coord, uint face, uint array, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("4.0")]]
    vec<T, 4> atomic_fetch_max(ushort2 coord, ushort face, ushort array, vec<T, 4> operand) const;

    /// Replaces the 64-bit value of one pixel by the smaller of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_ulong [[msl::since("4.0")]]
    void atomic_min(uint2 coord, uint face, uint array, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("4.0")]]
    void atomic_min(ushort2 coord, ushort face, ushort array, ulong4 operand) const;

    /// Replaces the 64-bit value of one pixel by the larger of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    __msl_if_atomic_ulong [[msl::since("4.0")]]
    void atomic_max(uint2 coord, uint face, uint array, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("4.0")]]
    void atomic_max(ushort2 coord, ushort face, ushort array, ulong4 operand) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    vec<T, 4> read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

/// A two-dimensional colour texture with several samples for each pixel.
///
/// - `T`: the type of a component: `half`, `float`, `short`, `ushort`, `int` or `uint`.
/// - `a`: `access::read`.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::read, memory_coherence coherence = memory_coherence_threadgroup>
struct texture2d_ms {
    static_assert(is_color_texture_channel_v<T>,
        "the component type of a texture is half, float, short, ushort, int, uint or ulong");
    static_assert(a == access::read, "a multisampled texture is declared with access::read");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] texture2d_ms();

    /// Returns the colour of one pixel sample without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `sample`: the sample of the pixel, counted from 0.
    __msl_if_read vec<T, 4> read(uint2 coord, uint sample) const;
    __msl_if_read [[msl::since("1.2")]] vec<T, 4> read(ushort2 coord, ushort sample) const;

    /// The width, in pixels.
    uint get_width() const;

    /// The height, in pixels.
    uint get_height() const;

    /// The number of samples of each pixel.
    uint get_num_samples() const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(uint2 coord, uint sample) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_read(ushort2 coord, ushort sample) const;
};

/// An array of two-dimensional colour textures with several samples for each pixel.
///
/// - `T`: the type of a component: `half`, `float`, `short`, `ushort`, `int` or `uint`.
/// - `a`: `access::read`.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::read, memory_coherence coherence = memory_coherence_threadgroup>
struct [[msl::since("ios 2.3, macos 2.0")]] texture2d_ms_array {
    static_assert(is_color_texture_channel_v<T>,
        "the component type of a texture is half, float, short, ushort, int, uint or ulong");
    static_assert(a == access::read, "a multisampled texture is declared with access::read");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 2.3, macos 2.1")]] texture2d_ms_array();

    /// Returns the colour of one pixel sample without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    /// - `sample`: the sample of the pixel, counted from 0.
    __msl_if_read vec<T, 4> read(uint2 coord, uint array, uint sample) const;
    __msl_if_read vec<T, 4> read(ushort2 coord, ushort array, ushort sample) const;

    /// The width, in pixels.
    uint get_width() const;

    /// The height, in pixels.
    uint get_height() const;

    /// The number of elements of the array.
    uint get_array_size() const;

    /// The number of samples of each pixel.
    uint get_num_samples() const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("2.3")]] sparse_color<vec<T, 4>> sparse_read(uint2 coord, uint array, uint sample) const;
    __msl_if_read [[msl::since("2.3")]]
    sparse_color<vec<T, 4>> sparse_read(ushort2 coord, ushort array, ushort sample) const;
};

/// A long row of pixels whose storage is a buffer.
///
/// - `T`: the type of a component: `half`, `float`, `short`, `ushort`, `int` or `uint`; `ulong` for atomic operations (3.1).
/// - `a`: `access::read`, `access::write` or `access::read_write`.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::read, memory_coherence coherence = memory_coherence_threadgroup>
struct [[msl::since("2.1")]] texture_buffer {
    static_assert(is_color_texture_channel_v<T>,
        "the component type of a texture is half, float, short, ushort, int, uint or ulong");
    static_assert(a != access::sample, "a texture buffer cannot be sampled");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("2.1")]] texture_buffer();

    /// Returns the colour of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_read vec<T, 4> read(uint coord) const;
    __msl_if_read vec<T, 4> read(ushort coord) const;

    /// Writes one pixel.
    /// Nothing happens outside the texture.
    ///
    /// - `color`: the value; components that the format lacks are ignored.
    /// - `coord`: the pixel, counted from 0.
    __msl_if_write void write(vec<T, 4> color, uint coord) const;
    __msl_if_write void write(vec<T, 4> color, ushort coord) const;

    /// Makes what the calling thread wrote to the texture visible to its own later reads.
    __msl_if_read_write [[msl::fence]] void fence() const;

    /// The width, in pixels.
    uint get_width() const;

    /// Returns the value of one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(uint coord) const;
    __msl_if_atomic_load [[msl::since("3.1")]] vec<T, 4> atomic_load(ushort coord) const;

    /// Writes one pixel as one indivisible step.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, uint coord) const;
    __msl_if_atomic_store [[msl::since("3.1")]] void atomic_store(vec<T, 4> color, ushort coord) const;

    /// Replaces the value of one pixel as one indivisible step and returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]] vec<T, 4> atomic_exchange(uint coord, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]] vec<T, 4> atomic_exchange(ushort coord, vec<T, 4> desired) const;

    /// Replaces the value of one pixel by `desired` if it equals `*expected`, as one indivisible step.
    ///
    /// Returns whether it did; if not, `*expected` receives the current value.
    /// The weak form may fail although the values are equal: call it in a loop.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(uint coord, thread vec<T, 4>* expected, vec<T, 4> desired) const;
    __msl_if_atomic [[msl::since("3.1")]]
    bool atomic_compare_exchange_weak(ushort coord, thread vec<T, 4>* expected, vec<T, 4> desired) const;

    /// Adds `operand` to the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_add(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_add(ushort coord, vec<T, 4> operand) const;

    /// Subtracts `operand` from the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_sub(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_sub(ushort coord, vec<T, 4> operand) const;

    /// Combines, by bitwise AND, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_and(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_and(ushort coord, vec<T, 4> operand) const;

    /// Combines, by bitwise OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_or(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_or(ushort coord, vec<T, 4> operand) const;

    /// Combines, by bitwise exclusive OR, `operand` with the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_xor(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_xor(ushort coord, vec<T, 4> operand) const;

    /// Replaces, by the smaller of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_min(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_min(ushort coord, vec<T, 4> operand) const;

    /// Replaces, by the larger of it and `operand`, the value of one pixel as one indivisible step.
    ///
    /// Returns the value that it had before.
    ///
    /// The format of the texture has one 32-bit integer component, which is the first component of the values here.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_max(uint coord, vec<T, 4> operand) const;
    __msl_if_atomic_int [[msl::since("3.1")]] vec<T, 4> atomic_fetch_max(ushort coord, vec<T, 4> operand) const;

    /// Replaces the 64-bit value of one pixel by the smaller of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(uint coord, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_min(ushort coord, ulong4 operand) const;

    /// Replaces the 64-bit value of one pixel by the larger of it and `operand` as one indivisible step.
    ///
    /// The texture is of the type `ulong` with a format of two 32-bit unsigned components.
    /// The value is in the first component of `operand`.
    ///
    /// - `coord`: the pixel, counted from 0.
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(uint coord, ulong4 operand) const;
    __msl_if_atomic_ulong [[msl::since("3.1")]] void atomic_max(ushort coord, ulong4 operand) const;
};

/// A two-dimensional depth texture.
///
/// - `T`: the type of a depth: `float`.
/// - `a`: `access::sample` or `access::read`.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct depth2d {
    static_assert(is_depth_texture_channel_v<T>,
        "the component type of a depth texture is float");
    static_assert(a == access::sample || a == access::read,
        "a depth texture is declared with access::sample or access::read");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] depth2d();

    /// Returns the depth at a place of the texture, filtered as the sampler says.
    ///
    /// Without `options` a fragment function derives the mipmap level from how `coord` changes between pixels.
    /// Other functions use level 0.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradient2d` or `min_lod_clamp`.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]] T sample(sampler s, float2 coord, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, bias options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, level options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, min_lod_clamp options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, bias bias_options, min_lod_clamp min_lod_clamp_options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, gradient2d options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, gradient2d grad_options, min_lod_clamp min_lod_clamp_options,
        int2 offset = int2(0)) const;

    /// Compares the depth at a place of the texture with `compare_value` and returns the filtered result, from 0 to 1.
    ///
    /// Each pixel that takes part counts 1 if the comparison `compare_func` of the sampler holds, else 0.
    ///
    /// - `s`: the sampler, with a `compare_func`.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `compare_value`: the value on the left of the comparison.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradient2d` or `min_lod_clamp`.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, float compare_value, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 1.0, macos 2.3"), msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, float compare_value, bias options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, float compare_value, level options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, float compare_value, min_lod_clamp options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, float compare_value, bias bias_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 1.0, macos 2.3"), msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, float compare_value, gradient2d options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, float compare_value, gradient2d grad_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;

    /// Returns the depths of the four pixels that linear filtering would blend.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> gather(sampler s, float2 coord, int2 offset = int2(0)) const;

    /// Compares the four depths that linear filtering would blend with `compare_value`, and returns 1 or 0 for each.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler, with a `compare_func`.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `compare_value`: the value on the left of the comparison.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> gather_compare(sampler s, float2 coord, float compare_value, int2 offset = int2(0)) const;

    /// Returns the depth of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest.
    __msl_if_read T read(uint2 coord, uint lod = 0) const;
    __msl_if_read [[msl::since("1.2")]] T read(ushort2 coord, ushort lod = 0) const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_width(uint lod = 0) const;

    /// The height of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_height(uint lod = 0) const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// Returns the mipmap level from which `sample` would read, limited by the sampler and the number of levels.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_clamped_lod(sampler s, float2 coord) const;

    /// Returns the mipmap level from which `sample` would read, before the limits of the sampler and the number of levels apply.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_unclamped_lod(sampler s, float2 coord) const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, bias options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, level options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, min_lod_clamp options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, bias bias_options, min_lod_clamp min_lod_clamp_options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, gradient2d options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, gradient2d grad_options, min_lod_clamp min_lod_clamp_options,
        int2 offset = int2(0)) const;

    /// As `sample_compare`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, float compare_value, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, float compare_value, bias options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, float compare_value, level options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, float compare_value, min_lod_clamp options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, float compare_value, bias bias_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, float compare_value, gradient2d options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, float compare_value, gradient2d grad_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;

    /// As `gather`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_gather(sampler s, float2 coord, int2 offset = int2(0)) const;

    /// As `gather_compare`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_gather_compare(sampler s, float2 coord, float compare_value,
        int2 offset = int2(0)) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]] sparse_color<T> sparse_read(uint2 coord, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]] sparse_color<T> sparse_read(ushort2 coord, ushort lod = 0) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    T read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

/// An array of two-dimensional depth textures.
///
/// - `T`: the type of a depth: `float`.
/// - `a`: `access::sample` or `access::read`.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct depth2d_array {
    static_assert(is_depth_texture_channel_v<T>,
        "the component type of a depth texture is float");
    static_assert(a == access::sample || a == access::read,
        "a depth texture is declared with access::sample or access::read");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] depth2d_array();

    /// Returns the depth at a place of the texture, filtered as the sampler says.
    ///
    /// Without `options` a fragment function derives the mipmap level from how `coord` changes between pixels.
    /// Other functions use level 0.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradient2d` or `min_lod_clamp`.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, uint array, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, uint array, bias options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, uint array, level options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, uint array, min_lod_clamp options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, uint array, bias bias_options, min_lod_clamp min_lod_clamp_options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, uint array, gradient2d options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    T sample(sampler s, float2 coord, uint array, gradient2d grad_options, min_lod_clamp min_lod_clamp_options,
        int2 offset = int2(0)) const;

    /// Compares the depth at a place of the texture with `compare_value` and returns the filtered result, from 0 to 1.
    ///
    /// Each pixel that takes part counts 1 if the comparison `compare_func` of the sampler holds, else 0.
    ///
    /// - `s`: the sampler, with a `compare_func`.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `compare_value`: the value on the left of the comparison.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradient2d` or `min_lod_clamp`.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, uint array, float compare_value, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 1.0, macos 2.3"), msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, uint array, float compare_value, bias options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, uint array, float compare_value, level options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("2.2"), msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, uint array, float compare_value, min_lod_clamp options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, uint array, float compare_value, bias bias_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 1.0, macos 2.3"), msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, uint array, float compare_value, gradient2d options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    T sample_compare(sampler s, float2 coord, uint array, float compare_value, gradient2d grad_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;

    /// Returns the depths of the four pixels that linear filtering would blend.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> gather(sampler s, float2 coord, uint array, int2 offset = int2(0)) const;

    /// Compares the four depths that linear filtering would blend with `compare_value`, and returns 1 or 0 for each.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler, with a `compare_func`.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `compare_value`: the value on the left of the comparison.
    /// - `offset`: added to the place in pixels, each component from -8 to 7, a constant.
    __msl_if_sample [[msl::range(offset, -8, 7)]]
    vec<T, 4> gather_compare(sampler s, float2 coord, uint array, float compare_value, int2 offset = int2(0)) const;

    /// Returns the depth of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest.
    __msl_if_read T read(uint2 coord, uint array, uint lod = 0) const;
    __msl_if_read [[msl::since("1.2")]] T read(ushort2 coord, ushort array, ushort lod = 0) const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_width(uint lod = 0) const;

    /// The height of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_height(uint lod = 0) const;

    /// The number of elements of the array.
    uint get_array_size() const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// Returns the mipmap level from which `sample` would read, limited by the sampler and the number of levels.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_clamped_lod(sampler s, float2 coord) const;

    /// Returns the mipmap level from which `sample` would read, before the limits of the sampler and the number of levels apply.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the place in the image, from 0 to 1, or in pixels if the sampler says `coord::pixel`.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_unclamped_lod(sampler s, float2 coord) const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, uint array, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, uint array, bias options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, uint array, level options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, uint array, min_lod_clamp options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, uint array, bias bias_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, uint array, gradient2d options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample(sampler s, float2 coord, uint array, gradient2d grad_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;

    /// As `sample_compare`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, uint array, float compare_value,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, uint array, float compare_value, bias options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, uint array, float compare_value, level options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, uint array, float compare_value,
        min_lod_clamp options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, uint array, float compare_value, bias bias_options,
        min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, uint array, float compare_value, gradient2d options,
        int2 offset = int2(0)) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<T> sparse_sample_compare(sampler s, float2 coord, uint array, float compare_value,
        gradient2d grad_options, min_lod_clamp min_lod_clamp_options, int2 offset = int2(0)) const;

    /// As `gather`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_gather(sampler s, float2 coord, uint array, int2 offset = int2(0)) const;

    /// As `gather_compare`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3"), msl::range(offset, -8, 7)]]
    sparse_color<vec<T, 4>> sparse_gather_compare(sampler s, float2 coord, uint array, float compare_value,
        int2 offset = int2(0)) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_read(uint2 coord, uint array, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_read(ushort2 coord, ushort array, ushort lod = 0) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    T read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

/// A two-dimensional depth texture with several samples for each pixel.
///
/// - `T`: the type of a depth: `float`.
/// - `a`: `access::read`.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::read, memory_coherence coherence = memory_coherence_threadgroup>
struct depth2d_ms {
    static_assert(is_depth_texture_channel_v<T>,
        "the component type of a depth texture is float");
    static_assert(a == access::read, "a multisampled texture is declared with access::read");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] depth2d_ms();

    /// Returns the depth of one pixel sample without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `sample`: the sample of the pixel, counted from 0.
    __msl_if_read T read(uint2 coord, uint sample) const;
    __msl_if_read [[msl::since("1.2")]] T read(ushort2 coord, ushort sample) const;

    /// The width, in pixels.
    uint get_width() const;

    /// The height, in pixels.
    uint get_height() const;

    /// The number of samples of each pixel.
    uint get_num_samples() const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]] sparse_color<T> sparse_read(uint2 coord, uint sample) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]] sparse_color<T> sparse_read(ushort2 coord, ushort sample) const;
};

/// An array of two-dimensional depth textures with several samples for each pixel.
///
/// - `T`: the type of a depth: `float`.
/// - `a`: `access::read`.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::read, memory_coherence coherence = memory_coherence_threadgroup>
struct [[msl::since("ios 2.3, macos 2.0")]] depth2d_ms_array {
    static_assert(is_depth_texture_channel_v<T>,
        "the component type of a depth texture is float");
    static_assert(a == access::read, "a multisampled texture is declared with access::read");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 2.3, macos 2.1")]] depth2d_ms_array();

    /// Returns the depth of one pixel sample without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `array`: the element of the array, counted from 0.
    /// - `sample`: the sample of the pixel, counted from 0.
    __msl_if_read T read(uint2 coord, uint array, uint sample) const;
    __msl_if_read T read(ushort2 coord, ushort array, ushort sample) const;

    /// The width, in pixels.
    uint get_width() const;

    /// The height, in pixels.
    uint get_height() const;

    /// The number of elements of the array.
    uint get_array_size() const;

    /// The number of samples of each pixel.
    uint get_num_samples() const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("2.3")]] sparse_color<T> sparse_read(uint2 coord, uint array, uint sample) const;
    __msl_if_read [[msl::since("2.3")]] sparse_color<T> sparse_read(ushort2 coord, ushort array, ushort sample) const;
};

/// A depth texture of six square faces, sampled by direction.
///
/// - `T`: the type of a depth: `float`.
/// - `a`: `access::sample` or `access::read`.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct depthcube {
    static_assert(is_depth_texture_channel_v<T>,
        "the component type of a depth texture is float");
    static_assert(a == access::sample || a == access::read,
        "a depth texture is declared with access::sample or access::read");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("ios 1.2, macos 2.0")]] depthcube();

    /// Returns the depth at a place of the texture, filtered as the sampler says.
    ///
    /// Without `options` a fragment function derives the mipmap level from how `coord` changes between pixels.
    /// Other functions use level 0.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradientcube` or `min_lod_clamp`.
    __msl_if_sample T sample(sampler s, float3 coord) const;
    __msl_if_sample T sample(sampler s, float3 coord, bias options) const;
    __msl_if_sample T sample(sampler s, float3 coord, level options) const;
    __msl_if_sample [[msl::since("2.2")]] T sample(sampler s, float3 coord, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("2.2")]]
    T sample(sampler s, float3 coord, bias bias_options, min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample T sample(sampler s, float3 coord, gradientcube options) const;
    __msl_if_sample [[msl::since("2.2")]]
    T sample(sampler s, float3 coord, gradientcube grad_options, min_lod_clamp min_lod_clamp_options) const;

    /// Compares the depth at a place of the texture with `compare_value` and returns the filtered result, from 0 to 1.
    ///
    /// Each pixel that takes part counts 1 if the comparison `compare_func` of the sampler holds, else 0.
    ///
    /// - `s`: the sampler, with a `compare_func`.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `compare_value`: the value on the left of the comparison.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradientcube` or `min_lod_clamp`.
    __msl_if_sample T sample_compare(sampler s, float3 coord, float compare_value) const;
    __msl_if_sample [[msl::since("ios 1.0, macos 2.3")]]
    T sample_compare(sampler s, float3 coord, float compare_value, bias options) const;
    __msl_if_sample T sample_compare(sampler s, float3 coord, float compare_value, level options) const;
    __msl_if_sample [[msl::since("2.2")]]
    T sample_compare(sampler s, float3 coord, float compare_value, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    T sample_compare(sampler s, float3 coord, float compare_value, bias bias_options,
        min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample [[msl::since("ios 1.0, macos 2.3")]]
    T sample_compare(sampler s, float3 coord, float compare_value, gradientcube options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    T sample_compare(sampler s, float3 coord, float compare_value, gradientcube grad_options,
        min_lod_clamp min_lod_clamp_options) const;

    /// Returns the depths of the four pixels that linear filtering would blend.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    __msl_if_sample vec<T, 4> gather(sampler s, float3 coord) const;

    /// Compares the four depths that linear filtering would blend with `compare_value`, and returns 1 or 0 for each.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler, with a `compare_func`.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `compare_value`: the value on the left of the comparison.
    __msl_if_sample vec<T, 4> gather_compare(sampler s, float3 coord, float compare_value) const;

    /// Returns the depth of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `lod`: the mipmap level, 0 for the largest.
    __msl_if_read [[msl::since("ios 2.0, macos 1.1")]] T read(uint2 coord, uint face, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.0, macos 1.2")]] T read(ushort2 coord, ushort face, ushort lod = 0) const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_width(uint lod = 0) const;

    /// The height of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_height(uint lod = 0) const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// Returns the mipmap level from which `sample` would read, limited by the sampler and the number of levels.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_clamped_lod(sampler s, float3 coord) const;

    /// Returns the mipmap level from which `sample` would read, before the limits of the sampler and the number of levels apply.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_unclamped_lod(sampler s, float3 coord) const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]] sparse_color<T> sparse_sample(sampler s, float3 coord) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, bias options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, level options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, bias bias_options,
        min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, gradientcube options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, gradientcube grad_options,
        min_lod_clamp min_lod_clamp_options) const;

    /// As `sample_compare`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, float compare_value) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, float compare_value, bias options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, float compare_value, level options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, float compare_value, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, float compare_value, bias bias_options,
        min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, float compare_value, gradientcube options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, float compare_value, gradientcube grad_options,
        min_lod_clamp min_lod_clamp_options) const;

    /// As `gather`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_gather(sampler s, float3 coord) const;

    /// As `gather_compare`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_gather_compare(sampler s, float3 coord, float compare_value) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_read(uint2 coord, uint face, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_read(ushort2 coord, ushort face, ushort lod = 0) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    T read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

/// An array of cube depth textures.
///
/// - `T`: the type of a depth: `float`.
/// - `a`: `access::sample` or `access::read`.
/// - `coherence`: whether accesses are coherent across the device (3.2); before, the template has no such parameter.
template <typename T, access a = access::sample, memory_coherence coherence = memory_coherence_threadgroup>
struct [[msl::since("ios 2.0, macos 1.1")]] depthcube_array {
    static_assert(is_depth_texture_channel_v<T>,
        "the component type of a depth texture is float");
    static_assert(a == access::sample || a == access::read,
        "a depth texture is declared with access::sample or access::read");

    /// A null texture; `is_null_texture` tells it apart.
    [[msl::since("2.0")]] depthcube_array();

    /// Returns the depth at a place of the texture, filtered as the sampler says.
    ///
    /// Without `options` a fragment function derives the mipmap level from how `coord` changes between pixels.
    /// Other functions use level 0.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradientcube` or `min_lod_clamp`.
    __msl_if_sample T sample(sampler s, float3 coord, uint array) const;
    __msl_if_sample T sample(sampler s, float3 coord, uint array, bias options) const;
    __msl_if_sample T sample(sampler s, float3 coord, uint array, level options) const;
    __msl_if_sample [[msl::since("2.2")]] T sample(sampler s, float3 coord, uint array, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("2.2")]]
    T sample(sampler s, float3 coord, uint array, bias bias_options, min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample T sample(sampler s, float3 coord, uint array, gradientcube options) const;
    __msl_if_sample [[msl::since("2.2")]]
    T sample(sampler s, float3 coord, uint array, gradientcube grad_options, min_lod_clamp min_lod_clamp_options) const;

    /// Compares the depth at a place of the texture with `compare_value` and returns the filtered result, from 0 to 1.
    ///
    /// Each pixel that takes part counts 1 if the comparison `compare_func` of the sampler holds, else 0.
    ///
    /// - `s`: the sampler, with a `compare_func`.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `compare_value`: the value on the left of the comparison.
    /// - `options`: how the mipmap level is found: `level`, `bias`, `gradientcube` or `min_lod_clamp`.
    __msl_if_sample T sample_compare(sampler s, float3 coord, uint array, float compare_value) const;
    __msl_if_sample [[msl::since("ios 2.0, macos 2.3")]]
    T sample_compare(sampler s, float3 coord, uint array, float compare_value, bias options) const;
    __msl_if_sample T sample_compare(sampler s, float3 coord, uint array, float compare_value, level options) const;
    __msl_if_sample [[msl::since("2.2")]]
    T sample_compare(sampler s, float3 coord, uint array, float compare_value, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("2.2")]]
    T sample_compare(sampler s, float3 coord, uint array, float compare_value, bias bias_options,
        min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample [[msl::since("ios 2.0, macos 2.3")]]
    T sample_compare(sampler s, float3 coord, uint array, float compare_value, gradientcube options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    T sample_compare(sampler s, float3 coord, uint array, float compare_value, gradientcube grad_options,
        min_lod_clamp min_lod_clamp_options) const;

    /// Returns the depths of the four pixels that linear filtering would blend.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `array`: the element of the array; it is clamped to the last one.
    __msl_if_sample vec<T, 4> gather(sampler s, float3 coord, uint array) const;

    /// Compares the four depths that linear filtering would blend with `compare_value`, and returns 1 or 0 for each.
    ///
    /// The order in `x`, `y`, `z`, `w` is counter-clockwise from the lower left pixel.
    ///
    /// - `s`: the sampler, with a `compare_func`.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    /// - `array`: the element of the array; it is clamped to the last one.
    /// - `compare_value`: the value on the left of the comparison.
    __msl_if_sample vec<T, 4> gather_compare(sampler s, float3 coord, uint array, float compare_value) const;

    /// Returns the depth of one pixel without a sampler.
    ///
    /// Outside the texture it returns zeros (and 1 for alpha if the format has none).
    ///
    /// - `coord`: the pixel, counted from 0.
    /// - `face`: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z.
    /// - `array`: the element of the array, counted from 0.
    /// - `lod`: the mipmap level, 0 for the largest.
    __msl_if_read T read(uint2 coord, uint face, uint array, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.0, macos 1.2")]]
    T read(ushort2 coord, ushort face, ushort array, ushort lod = 0) const;

    /// The width of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_width(uint lod = 0) const;

    /// The height of a mipmap level, in pixels.
    ///
    /// - `lod`: the mipmap level, 0 for the largest.
    uint get_height(uint lod = 0) const;

    /// The number of elements of the array.
    uint get_array_size() const;

    /// The number of mipmap levels.
    uint get_num_mip_levels() const;

    /// Returns the mipmap level from which `sample` would read, limited by the sampler and the number of levels.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_clamped_lod(sampler s, float3 coord) const;

    /// Returns the mipmap level from which `sample` would read, before the limits of the sampler and the number of levels apply.
    ///
    /// - `s`: the sampler.
    /// - `coord`: the direction from the centre of the cube; its length does not matter.
    __msl_if_sample [[msl::since("ios 2.3, macos 2.2"), msl::stage(fragment)]]
    float calculate_unclamped_lod(sampler s, float3 coord) const;

    /// As `sample`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, uint array) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, uint array, bias options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, uint array, level options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, uint array, min_lod_clamp options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, uint array, bias bias_options,
        min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, uint array, gradientcube options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample(sampler s, float3 coord, uint array, gradientcube grad_options,
        min_lod_clamp min_lod_clamp_options) const;

    /// As `sample_compare`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, uint array, float compare_value) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, uint array, float compare_value, bias options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, uint array, float compare_value,
        level options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, uint array, float compare_value,
        min_lod_clamp options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, uint array, float compare_value, bias bias_options,
        min_lod_clamp min_lod_clamp_options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, uint array, float compare_value,
        gradientcube options) const;
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_sample_compare(sampler s, float3 coord, uint array, float compare_value,
        gradientcube grad_options, min_lod_clamp min_lod_clamp_options) const;

    /// As `gather`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_gather(sampler s, float3 coord, uint array) const;

    /// As `gather_compare`, and tells whether all pixels that took part are in memory.
    __msl_if_sample [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<vec<T, 4>> sparse_gather_compare(sampler s, float3 coord, uint array, float compare_value) const;

    /// As `read`, and tells whether all pixels that took part are in memory.
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_read(uint2 coord, uint face, uint array, uint lod = 0) const;
    __msl_if_read [[msl::since("ios 2.2, macos 2.3")]]
    sparse_color<T> sparse_read(ushort2 coord, ushort face, ushort array, ushort lod = 0) const;

    /// Returns one pixel at an integer place with an offset, or with the place clamped to the edge.
    template <typename Coord, typename... Args>
    [[msl::since("4.1"),
        msl::enable_if(a != access::write && (!__is_arithmetic(Args) || ...), "needs a texture that can be read")]]
    T read(Coord coord, Args... options) const;

    /// Returns several neighbouring pixels at once.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void block_read(Args... args) const;

    /// As `block_read`, and tells whether all pixels that took part are in memory.
    template <typename... Args> __msl_if_read [[msl::since("4.1"), msl::unknown]] void sparse_block_read(Args... args) const;

    /// Reads with an offset, or with coordinates that are clamped to the edge. What they take is not public.
    template <typename... Args>
    __msl_if_read [[msl::since("4.1"), msl::unknown]] void read(Args... args) const;
};

#undef __msl_if_sample
#undef __msl_if_read
#undef __msl_if_write
#undef __msl_if_read_write
#undef __msl_if_atomic_load
#undef __msl_if_atomic_store
#undef __msl_if_atomic
#undef __msl_if_atomic_int
#undef __msl_if_atomic_ulong

/// Whether the texture is null, as it is where the host bound none.
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(texture1d<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(texture1d_array<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(texture2d<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(texture2d_array<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(texture3d<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(texturecube<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("ios 2.0, macos 1.1")]] bool is_null_texture(texturecube_array<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(texture2d_ms<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("ios 2.3, macos 2.0")]] bool is_null_texture(texture2d_ms_array<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("2.1")]] bool is_null_texture(texture_buffer<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(depth2d<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(depth2d_array<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(depth2d_ms<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("ios 2.3, macos 2.0")]] bool is_null_texture(depth2d_ms_array<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("1.2")]] bool is_null_texture(depthcube<T, a, c> tex);
template <typename T, access a, memory_coherence c>
[[msl::since("ios 2.0, macos 1.1")]] bool is_null_texture(depthcube_array<T, a, c> tex);

} // namespace metal
