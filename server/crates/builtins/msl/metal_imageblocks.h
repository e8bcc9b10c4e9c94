//! `<metal_imageblocks>`: the pixels of a tile, kept on the GPU while it is drawn.
//!
//! An imageblock has the width and height of a tile and one structure `T` for each pixel.
//! With the *implicit* layout the members of `T` are the colour attachments (`[[color(n)]]`); with the *explicit* layout
//! `T` is a structure of the program's own.
//! Fragment functions see the data of their own pixel, tile functions that of the whole tile (MSL spec §2.11, §5.6, §6.13).

namespace [[msl::since("ios 2.0, macos 2.3")]] metal {

/// The layout of an imageblock whose structure the program lays out.
struct imageblock_layout_explicit {};

/// The layout of an imageblock whose structure is the colour attachments.
struct imageblock_layout_implicit {};

/// The layout of an imageblock that names none: implicit if the members of its structure have `[[color(n)]]`.
struct [[msl::internal]] __imageblock_layout_of_members {};

/// The layout of an imageblock of `T` that names none.
template <typename T> struct imageblock_layout {
    using type = __imageblock_layout_of_members;
};
template <typename T> using imageblock_layout_t = typename imageblock_layout<T>::type;

/// Whether `T` can be the structure of an imageblock with explicit layout.
template <typename T> struct is_explicit_layout_imageblock_struct : bool_constant<__is_class(T)> {};
template <typename T> constexpr constant bool is_explicit_layout_imageblock_struct_v =
    is_explicit_layout_imageblock_struct<T>::value;

/// Whether `T` can be the member that a slice of an imageblock with explicit layout selects.
template <typename T> struct is_explicit_layout_imageblock_slice_storage
    : bool_constant<__is_arithmetic(T) || __is_vector(T) || is_pixel_data_v<T>> {};
template <typename T> constexpr constant bool is_explicit_layout_imageblock_slice_storage_v =
    is_explicit_layout_imageblock_slice_storage<T>::value;

/// What an index into a pixel of a multisampled imageblock counts.
enum class imageblock_data_rate {
    /// The distinct colours of the pixel.
    color,
    /// The samples of the pixel.
    sample,
};

/// One member of an imageblock, for all its pixels; write it to a texture with `write`.
///
/// - `E`: the type of the member.
/// - `L`: the layout of the imageblock.
template <typename E, typename L>
struct [[msl::opaque]] imageblock_slice {};

/// The pixels of a tile.
///
/// - `T`: the structure of one pixel.
/// - `L`: `imageblock_layout_explicit` or `imageblock_layout_implicit`; without it the members of `T` decide.
template <typename T, typename L = imageblock_layout_t<T>>
struct [[msl::stage(kernel, fragment), msl::opaque]] imageblock {
    /// The width in pixels.
    ushort get_width() const;

    /// The height in pixels.
    ushort get_height() const;

    /// The number of samples of each pixel.
    ushort get_num_samples() const;

    /// The number of distinct colours of the pixel at `coord`.
    ushort get_num_colors(ushort2 coord) const;

    /// The samples of the pixel at `coord` that have the colour of index `color_index`, one bit for each.
    ///
    /// - `color_index`: below `get_num_colors(coord)`.
    ushort get_color_coverage_mask(ushort2 coord, ushort color_index) const;

    /// Returns the pixel at `coord`, or one sample or colour of it.
    ///
    /// - `coord`: the pixel inside the tile.
    /// - `index`: the sample or colour, counted from 0.
    /// - `rate`: what `index` counts.
    [[msl::enable_if(!__is_same(L, imageblock_layout_explicit), "needs an imageblock with implicit layout")]]
    T read(ushort2 coord) const;
    [[msl::enable_if(!__is_same(L, imageblock_layout_explicit), "needs an imageblock with implicit layout")]]
    T read(ushort2 coord, ushort index, imageblock_data_rate rate) const;

    /// Replaces the pixel at `coord`, or one sample or colour of it, or the samples of a mask.
    ///
    /// - `data`: the new value.
    /// - `coord`: the pixel inside the tile.
    /// - `index`: the sample or colour, counted from 0.
    /// - `rate`: what `index` counts.
    /// - `color_coverage_mask`: the samples to write, one bit for each.
    [[msl::enable_if(!__is_same(L, imageblock_layout_explicit), "needs an imageblock with implicit layout")]]
    void write(T data, ushort2 coord);
    [[msl::enable_if(!__is_same(L, imageblock_layout_explicit), "needs an imageblock with implicit layout")]]
    void write(T data, ushort2 coord, ushort index, imageblock_data_rate rate);
    void write(T data, ushort2 coord, ushort color_coverage_mask);

    /// Points to the data of the pixel at `coord`, or of one sample or colour of it.
    ///
    /// - `coord`: the pixel inside the tile.
    /// - `index`: the sample or colour, counted from 0.
    /// - `rate`: what `index` counts.
    [[msl::enable_if(!__is_same(L, imageblock_layout_implicit), "needs an imageblock with explicit layout")]]
    threadgroup_imageblock T* data(ushort2 coord);
    [[msl::enable_if(!__is_same(L, imageblock_layout_implicit), "needs an imageblock with explicit layout")]]
    const threadgroup_imageblock T* data(ushort2 coord) const;
    [[msl::enable_if(!__is_same(L, imageblock_layout_implicit), "needs an imageblock with explicit layout")]]
    threadgroup_imageblock T* data(ushort2 coord, ushort index, imageblock_data_rate rate);
    [[msl::enable_if(!__is_same(L, imageblock_layout_implicit), "needs an imageblock with explicit layout")]]
    const threadgroup_imageblock T* data(ushort2 coord, ushort index, imageblock_data_rate rate) const;

    /// Selects one member for all pixels, from the origin on.
    ///
    /// - `e`: the member of any pixel (explicit layout).
    /// - `size`: the width and height to take; without it the whole imageblock.
    template <typename E>
    [[msl::enable_if(!__is_same(L, imageblock_layout_implicit), "needs an imageblock with explicit layout")]]
    imageblock_slice<remove_volatile_t<E>, imageblock_layout_explicit> slice(const threadgroup_imageblock E& e) const;
    template <typename E>
    [[msl::enable_if(!__is_same(L, imageblock_layout_implicit), "needs an imageblock with explicit layout")]]
    imageblock_slice<remove_volatile_t<E>, imageblock_layout_explicit> slice(
        const threadgroup_imageblock E& e, ushort2 size) const;

    /// Selects one colour attachment for all pixels, from the origin on.
    ///
    /// Write the type of the member: `slice<half4>(0)`.
    ///
    /// - `index`: the number `n` of the member's `[[color(n)]]` (implicit layout).
    /// - `size`: the width and height to take; without it the whole imageblock.
    template <typename E>
    [[msl::enable_if(!__is_same(L, imageblock_layout_explicit), "needs an imageblock with implicit layout")]]
    imageblock_slice<E, imageblock_layout_implicit> slice(unsigned index) const;
    template <typename E>
    [[msl::enable_if(!__is_same(L, imageblock_layout_explicit), "needs an imageblock with implicit layout")]]
    imageblock_slice<E, imageblock_layout_implicit> slice(unsigned index, ushort2 size) const;
};

} // namespace metal
