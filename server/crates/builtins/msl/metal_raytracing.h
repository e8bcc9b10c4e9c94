//! `<metal_raytracing>`: rays, acceleration structures and the two ways to intersect them.
//!
//! An `intersector` runs a whole traversal and returns the nearest hit; an `intersection_query` hands each candidate to
//! the program.
//! *Tags* in the angle brackets of these types say which geometry and which results there are; related types have to
//! agree in their tags and the order of these (MSL spec §2.17, §6.18).
//! Kernels have ray tracing since 2.3, vertex, fragment and tile functions since 2.4.

/// Three `float` without padding.
typedef packed_float3 MTLPackedFloat3 [[msl::since("2.3")]];

/// A matrix of four columns of three `float` without padding.
typedef packed_float3 MTLPackedFloat4x3[4] [[msl::since("2.3")]];

/// Options of an instance; combine several with `|`.
enum [[msl::since("2.3")]] MTLAccelerationStructureInstanceOptions : uint {
    MTLAccelerationStructureInstanceOptionNone = 0,
    /// Triangles are hit from both sides, whatever the cull mode.
    MTLAccelerationStructureInstanceOptionDisableTriangleCulling = 1 << 0,
    /// Triangles face the ray's origin if their vertices are counter-clockwise.
    MTLAccelerationStructureInstanceOptionTriangleFrontFacingWindingCounterClockwise = 1 << 1,
    /// All geometry is opaque.
    MTLAccelerationStructureInstanceOptionOpaque = 1 << 2,
    /// No geometry is opaque.
    MTLAccelerationStructureInstanceOptionNonOpaque = 1 << 3,
};

/// What a moving instance does outside the time of its motion.
enum [[msl::since("2.4")]] MTLMotionBorderMode : uint {
    /// It stays where it was.
    MTLMotionBorderModeClamp = 0,
    /// It is not there.
    MTLMotionBorderModeVanish = 1,
};

/// The kind of an indirect instance descriptor.
enum [[msl::since("3.1")]] MTLAccelerationStructureInstanceDescriptorType : uint {
    MTLAccelerationStructureInstanceDescriptorTypeIndirect = 3,
    MTLAccelerationStructureInstanceDescriptorTypeIndirectMotion = 4,
};

/// An instance of an acceleration structure, as it lies in a buffer.
struct [[msl::since("2.3")]] MTLAccelerationStructureInstanceDescriptor {
    /// The transformation from object to world space.
    MTLPackedFloat4x3 transformationMatrix;
    /// Options of the instance.
    MTLAccelerationStructureInstanceOptions options;
    /// Bits that a ray's mask has to meet.
    uint mask;
    /// Added to the index into the intersection function table.
    uint intersectionFunctionTableOffset;
    /// The number of the primitive acceleration structure.
    uint accelerationStructureIndex;
};

/// An instance with a number of the program's own, as it lies in a buffer.
struct [[msl::since("2.4")]] MTLAccelerationStructureUserIDInstanceDescriptor {
    /// The transformation from object to world space.
    MTLPackedFloat4x3 transformationMatrix;
    /// Options of the instance.
    MTLAccelerationStructureInstanceOptions options;
    /// Bits that a ray's mask has to meet.
    uint mask;
    /// Added to the index into the intersection function table.
    uint intersectionFunctionTableOffset;
    /// The number of the primitive acceleration structure.
    uint accelerationStructureIndex;
    /// A number that results report as `user_instance_id`.
    uint userID;
};

/// A moving instance, as it lies in a buffer.
struct [[msl::since("2.4")]] MTLAccelerationStructureMotionInstanceDescriptor {
    /// Options of the instance.
    MTLAccelerationStructureInstanceOptions options;
    /// Bits that a ray's mask has to meet.
    uint mask;
    /// Added to the index into the intersection function table.
    uint intersectionFunctionTableOffset;
    /// The number of the primitive acceleration structure.
    uint accelerationStructureIndex;
    /// A number that results report as `user_instance_id`.
    uint userID;
    /// The first of the transformations in time.
    uint motionTransformsStartIndex;
    /// The number of transformations in time.
    uint motionTransformsCount;
    /// What happens before the motion.
    MTLMotionBorderMode motionStartBorderMode;
    /// What happens after the motion.
    MTLMotionBorderMode motionEndBorderMode;
    /// The start of the motion.
    float motionStartTime;
    /// The end of the motion.
    float motionEndTime;
};

/// An instance that a shader fills in.
struct [[msl::since("3.1")]] MTLIndirectAccelerationStructureInstanceDescriptor {
    /// The transformation from object to world space.
    MTLPackedFloat4x3 transformationMatrix;
    /// Options of the instance.
    MTLAccelerationStructureInstanceOptions options;
    /// Bits that a ray's mask has to meet.
    uint32_t mask;
    /// Added to the index into the intersection function table.
    uint32_t intersectionFunctionTableOffset;
    /// A number that results report as `user_instance_id`.
    uint32_t userID;
    /// The acceleration structure; an `acceleration_structure` converts to it.
    MTLResourceID accelerationStructureID;
};

/// A moving instance that a shader fills in.
struct [[msl::since("3.1")]] MTLIndirectAccelerationStructureMotionInstanceDescriptor {
    /// Options of the instance.
    MTLAccelerationStructureInstanceOptions options;
    /// Bits that a ray's mask has to meet.
    uint32_t mask;
    /// Added to the index into the intersection function table.
    uint32_t intersectionFunctionTableOffset;
    /// A number that results report as `user_instance_id`.
    uint32_t userID;
    /// The acceleration structure; an `acceleration_structure` converts to it.
    MTLResourceID accelerationStructureID;
    /// The first of the transformations in time.
    uint32_t motionTransformsStartIndex;
    /// The number of transformations in time.
    uint32_t motionTransformsCount;
    /// What happens before the motion.
    MTLMotionBorderMode motionStartBorderMode;
    /// What happens after the motion.
    MTLMotionBorderMode motionEndBorderMode;
    /// The start of the motion.
    float motionStartTime;
    /// The end of the motion.
    float motionEndTime;
};

namespace [[msl::since("2.3")]] metal {

namespace raytracing {

/// Tag: the acceleration structure is made of instances, and results tell which instance was hit.
struct instancing {};

/// Tag: results give the place on the triangle and the side that was hit.
struct triangle_data {};

/// Tag: results and intersection functions give the transformations between object and world space.
/// It needs `instancing`; an acceleration structure or query cannot have it.
struct world_space_data {};

/// Tag: the geometry moves inside its acceleration structure.
struct [[msl::since("2.4")]] primitive_motion {};

/// Tag: instances move.
struct [[msl::since("2.4")]] instance_motion {};

/// Tag: the acceleration structure was built with higher limits on its size.
struct [[msl::since("2.4")]] extended_limits {};

/// Tag: results give the place along the curve that was hit.
struct [[msl::since("3.1")]] curve_data {};

/// Tag: instances may contain instances. It needs `instancing`.
///
/// - `Count`: the largest number of levels, from 2 to 32; in an `intersection_query` to 16.
template <uint Count>
struct [[msl::since("3.1")]] max_levels {};

/// Tag: intersection functions come from a buffer instead of a table.
struct [[msl::since("4.0")]] intersection_function_buffer {};

/// Tag: intersection functions receive a pointer of the program's own. It needs `intersection_function_buffer`.
struct [[msl::since("4.0")]] user_data {};

/// Whether `Tag` is among `Tags`.
template <typename Tag, typename... Tags>
[[msl::internal]] constexpr constant bool __has_tag = (__is_same(Tag, Tags) || ...);

/// The number in the tag `max_levels` among `Tags`, or 0.
template <typename... Tags> struct [[msl::internal]] __level_count {
    static constexpr constant uint value = 0;
};
template <uint Count, typename... Rest> struct __level_count<max_levels<Count>, Rest...> {
    static constexpr constant uint value = Count;
};
template <typename First, typename... Rest> struct __level_count<First, Rest...> : __level_count<Rest...> {};

/// An instance number for each level but the last, or a single one without the tag `max_levels`.
template <uint Count> struct [[msl::internal]] __instance_numbers {
    using type = uint[Count - 1];
};
template <> struct __instance_numbers<0> {
    using type = uint;
};

/// What kind of geometry a ray hit.
enum class intersection_type {
    /// Nothing.
    none,
    /// A triangle.
    triangle,
    /// A bounding box, as its intersection function says.
    bounding_box,
    /// A curve.
    curve [[msl::since("3.1")]],
};

/// Which sides of triangles are not hit.
enum class triangle_cull_mode {
    /// Both are hit.
    none,
    /// Triangles that face the ray's origin are passed over.
    front,
    /// Triangles that face away from the ray's origin are passed over.
    back,
};

/// Which kinds of geometry are not hit. Combine several with `|`.
enum class geometry_cull_mode {
    /// All are hit.
    none = 0,
    /// Triangles are passed over.
    triangle = 1,
    /// Bounding boxes are passed over.
    bounding_box = 2,
    /// Curves are passed over.
    curve [[msl::since("3.1")]] = 4,
};

/// Which geometry is not hit, by whether it is opaque.
enum class opacity_cull_mode {
    /// All is hit.
    none,
    /// Opaque geometry is passed over.
    opaque,
    /// Geometry that is not opaque is passed over.
    non_opaque,
};

/// Treats all geometry as opaque or as not opaque, whatever the acceleration structure says.
enum class forced_opacity {
    /// As the acceleration structure says.
    none,
    /// Opaque: no intersection function runs for triangles.
    opaque,
    /// Not opaque: intersection functions accept or reject each hit.
    non_opaque,
};

/// The kinds of geometry that an acceleration structure contains. Combine several with `|`.
enum class geometry_type {
    none = 0,
    triangle = 1,
    bounding_box = 2,
    curve [[msl::since("3.1")]] = 4,
    all = 7,
};

/// How curves run between their control points.
enum class [[msl::since("3.1")]] curve_basis {
    bspline,
    catmull_rom,
    linear,
    bezier,
    /// Any of them.
    all,
};

/// The shape of a curve's cross-section.
enum class [[msl::since("3.1")]] curve_type {
    /// A circle.
    round,
    /// A line that faces the ray.
    flat,
    /// Either.
    all,
};

/// The operator on the set of kinds.
constexpr geometry_type operator|(geometry_type x, geometry_type y);
constexpr geometry_type operator&(geometry_type x, geometry_type y);
constexpr geometry_type operator^(geometry_type x, geometry_type y);
constexpr geometry_type operator~(geometry_type y);
constexpr thread geometry_type& operator|=(thread geometry_type& x, geometry_type y);
constexpr thread geometry_type& operator&=(thread geometry_type& x, geometry_type y);
constexpr thread geometry_type& operator^=(thread geometry_type& x, geometry_type y);

/// The operator on the set of kinds.
[[msl::since("3.1")]] constexpr geometry_cull_mode operator|(geometry_cull_mode x, geometry_cull_mode y);
[[msl::since("3.1")]] constexpr geometry_cull_mode operator&(geometry_cull_mode x, geometry_cull_mode y);
[[msl::since("3.1")]] constexpr geometry_cull_mode operator^(geometry_cull_mode x, geometry_cull_mode y);
[[msl::since("3.1")]] constexpr geometry_cull_mode operator~(geometry_cull_mode y);
[[msl::since("3.1")]]
constexpr thread geometry_cull_mode& operator|=(thread geometry_cull_mode& x, geometry_cull_mode y);
[[msl::since("3.1")]]
constexpr thread geometry_cull_mode& operator&=(thread geometry_cull_mode& x, geometry_cull_mode y);
[[msl::since("3.1")]]
constexpr thread geometry_cull_mode& operator^=(thread geometry_cull_mode& x, geometry_cull_mode y);

/// A ray, with the part of it that counts.
///
/// It is invalid, and hits nothing, if a number is NaN, the direction is zero or infinite, or the distances are
/// negative or in the wrong order.
struct ray {
    /// - `origin`: the start, in world space.
    /// - `direction`: the direction; it need not have length 1.
    /// - `min_distance`: hits nearer than this do not count.
    /// - `max_distance`: hits farther than this do not count.
    ray(float3 origin = 0.0f, float3 direction = 0.0f, float min_distance = 0.0f, float max_distance = INFINITY);

    /// The start.
    float3 origin;
    /// The direction; it need not have length 1.
    float3 direction;
    /// Hits nearer than this, in lengths of `direction`, do not count.
    float min_distance;
    /// Hits farther than this, in lengths of `direction`, do not count.
    float max_distance;
};

/// Geometry, or instances of other acceleration structures, in a form in which rays are traced fast.
///
/// It lies in a buffer slot or an argument buffer.
///
/// - `Tags`: nothing or `primitive_motion` for geometry; `instancing`, with `primitive_motion` and `instance_motion` as
///   needed, for instances.
template <typename... Tags>
struct [[msl::since("2.4")]] acceleration_structure {
    /// A null acceleration structure.
    acceleration_structure();

    /// The number of instances.
    [[msl::since("3.1"), msl::enable_if(__has_tag<instancing, Tags...>, "needs the tag instancing")]]
    uint get_instance_count() const;

    /// The acceleration structure of an instance.
    ///
    /// - `ResultTags`: the tags of that structure; if they are wrong, the result is undefined.
    /// - `instance_id`: below `get_instance_count()`.
    template <typename... ResultTags>
    [[msl::since("3.1"), msl::enable_if(__has_tag<instancing, Tags...>, "needs the tag instancing")]]
    acceleration_structure<ResultTags...> get_acceleration_structure(uint instance_id) const;

    /// The handle, for an indirect instance descriptor.
    [[msl::since("3.1")]] operator MTLResourceID() const;
};

/// The acceleration structure of triangles, bounding boxes or curves.
using primitive_acceleration_structure = acceleration_structure<>;

/// The acceleration structure of instances of others.
using instance_acceleration_structure = acceleration_structure<instancing>;

/// Whether the acceleration structure is null.
template <typename... Tags>
[[msl::since("2.4")]] bool is_null_acceleration_structure(acceleration_structure<Tags...> as);

/// Whether the acceleration structure is null.
bool is_null_primitive_acceleration_structure(primitive_acceleration_structure as);

/// Whether the acceleration structure is null.
bool is_null_instance_acceleration_structure(instance_acceleration_structure as);

/// A list of tags, for making one.
template <typename... Tags> struct [[msl::internal]] __tags {};

/// Whether `Tag` is one that an acceleration structure has as well.
template <typename Tag>
[[msl::internal]] constexpr constant bool __is_structure_tag =
    __is_same(Tag, instancing) || __is_same(Tag, primitive_motion) || __is_same(Tag, instance_motion);

/// The acceleration structure that an intersector with the tags after `Kept` takes.
template <typename Kept, typename... Tags> struct [[msl::internal]] __structure_for;
template <typename... Kept> struct __structure_for<__tags<Kept...>> {
    using type = acceleration_structure<Kept...>;
};
template <typename... Kept, typename First, typename... Rest>
struct __structure_for<__tags<Kept...>, First, Rest...>
    : __structure_for<conditional_t<__is_structure_tag<First>, __tags<Kept..., First>, __tags<Kept...>>, Rest...> {};

/// The functions of the program that decide about hits, in a table that the host fills.
///
/// - `Tags`: those of the intersector and of the intersection functions.
template <typename... Tags>
struct intersection_function_table {
    /// A null table.
    intersection_function_table();

    /// The number of functions.
    uint size() const;

    /// Whether there are no functions.
    bool empty() const;

    /// The buffer bound to a slot of the table.
    ///
    /// - `T`: the type of the result: a pointer or reference to `device` or `constant` memory.
    /// - `index`: the number of the slot.
    template <typename T> [[msl::since("3.0")]] T get_buffer(uint index) const;

    /// The table of visible functions bound to a slot of the table.
    ///
    /// - `T`: the signature of its functions.
    /// - `index`: the number of the slot.
    template <typename T> [[msl::since("3.0")]] visible_function_table<T> get_visible_function_table(uint index) const;

    /// Binds a buffer to a slot of the table.
    ///
    /// - `index`: the number of the slot.
    [[msl::since("3.1")]] void set_buffer(const device void* buf, uint index) const;
    [[msl::since("3.1")]] void set_buffer(constant void* buf, uint index) const;

    /// Binds a table of visible functions to a slot of the table.
    ///
    /// - `index`: the number of the slot.
    template <typename T> [[msl::since("3.1")]]
    void set_visible_function_table(visible_function_table<T> vft, uint index) const;
};

/// Whether the table is null.
template <typename... Tags> bool is_null_intersection_function_table(intersection_function_table<Tags...> t);

/// The handle of an intersection function, as it lies in an intersection function buffer.
template <typename... Tags>
struct [[msl::since("4.0")]] intersection_function_handle {
    /// A null handle.
    intersection_function_handle();
    intersection_function_handle(nullptr_t);

    /// The intersection function of a handle.
    explicit intersection_function_handle(function_handle fh);
};

/// A buffer of intersection functions, for `intersect`.
struct [[msl::since("4.0")]] intersection_function_buffer_arguments {
    constexpr intersection_function_buffer_arguments();

    /// The first function handle, aligned to 8 bytes.
    const device void* intersection_function_buffer;
    /// The size of the buffer, in bytes.
    size_t intersection_function_buffer_size;
    /// The distance from one handle to the next in bytes: a multiple of 8, at most 4096.
    size_t intersection_function_stride;
};

/// What a ray hit.
///
/// - `Tags`: those of the intersector.
template <typename... Tags>
struct intersection_result {
    /// The result of a ray that hit nothing.
    intersection_result();

    /// The kind of geometry, or `intersection_type::none`; then the other members are undefined.
    intersection_type type;

    /// The distance from the ray's origin, in lengths of its direction.
    float distance;

    /// The number of the primitive in its geometry.
    uint primitive_id;

    /// The number of the geometry in its acceleration structure.
    uint geometry_id;

    /// The data of the primitive in the acceleration structure.
    [[msl::since("3.0")]] const device void* primitive_data;

    /// The number of levels of instances that were passed.
    [[msl::since("3.1"), msl::enable_if(__level_count<Tags...>::value != 0, "needs the tag max_levels")]]
    uint instance_count;

    /// The number of the instance; with `max_levels` an array, one for each level.
    [[msl::enable_if(__has_tag<instancing, Tags...>, "needs the tag instancing")]]
    typename __instance_numbers<__level_count<Tags...>::value>::type instance_id;

    /// The number that the program gave the instance; with `max_levels` an array, one for each level.
    [[msl::since("2.4"), msl::enable_if(__has_tag<instancing, Tags...>, "needs the tag instancing")]]
    typename __instance_numbers<__level_count<Tags...>::value>::type user_instance_id;

    /// The place on the triangle: the weights of its second and third vertex.
    [[msl::enable_if(__has_tag<triangle_data, Tags...>, "needs the tag triangle_data")]]
    float2 triangle_barycentric_coord;

    /// Whether the side of the triangle that was hit is its front.
    [[msl::enable_if(__has_tag<triangle_data, Tags...>, "needs the tag triangle_data")]]
    bool triangle_front_facing;

    /// The transformation from world to object space.
    [[msl::since("2.4"), msl::enable_if(__has_tag<world_space_data, Tags...>, "needs the tag world_space_data")]]
    float4x3 world_to_object_transform;

    /// The transformation from object to world space.
    [[msl::since("2.4"), msl::enable_if(__has_tag<world_space_data, Tags...>, "needs the tag world_space_data")]]
    float4x3 object_to_world_transform;

    /// The place along the curve, from 0 to 1.
    [[msl::since("3.1"), msl::enable_if(__has_tag<curve_data, Tags...>, "needs the tag curve_data")]]
    float curve_parameter;

    /// The number of the intersection function that accepted the hit.
    [[msl::since("4.1")]] uint function_id;
};

/// What a ray hit, read in place; it lives as long as the callback of `intersect` runs.
///
/// - `Tags`: those of the intersector.
template <typename... Tags>
struct [[msl::since("3.2"), msl::opaque]] intersection_result_ref {
    /// The kind of geometry of the hit.
    intersection_type get_type() const;

    /// The distance of the hit from the ray's origin, in lengths of its direction.
    float get_distance() const;

    /// The number of the primitive of the hit in its geometry.
    uint get_primitive_id() const;

    /// The number of the geometry of the hit in its acceleration structure.
    uint get_geometry_id() const;

    /// The data of the primitive of the hit in the acceleration structure.
    const device void* get_primitive_data() const;

    /// The number of levels of instances of the hit.
    [[msl::enable_if(__level_count<Tags...>::value != 0, "needs the tag max_levels")]] uint get_instance_count() const;

    /// The number of the instance of the hit.
    ///
    /// - `depth`: the level, counted from 0.
    [[msl::enable_if(__has_tag<instancing, Tags...> && __level_count<Tags...>::value == 0,
        "needs the tag instancing without max_levels")]]
    uint get_instance_id() const;
    [[msl::enable_if(__level_count<Tags...>::value != 0, "needs the tag max_levels")]]
    uint get_instance_id(uint depth) const;

    /// The number that the program gave the instance of the hit.
    ///
    /// - `depth`: the level, counted from 0.
    [[msl::enable_if(__has_tag<instancing, Tags...> && __level_count<Tags...>::value == 0,
        "needs the tag instancing without max_levels")]]
    uint get_user_instance_id() const;
    [[msl::enable_if(__level_count<Tags...>::value != 0, "needs the tag max_levels")]]
    uint get_user_instance_id(uint depth) const;

    /// The origin of the ray in the object space of the hit.
    float3 get_ray_origin() const;

    /// The direction of the ray in the object space of the hit.
    float3 get_ray_direction() const;

    /// The least distance that counts on the ray.
    float get_ray_min_distance() const;

    /// The place on the triangle of the hit: the weights of its second and third vertex.
    [[msl::enable_if(__has_tag<triangle_data, Tags...>, "needs the tag triangle_data")]]
    float2 get_triangle_barycentric_coord() const;

    /// Whether the side of the triangle of the hit that was hit is its front.
    [[msl::enable_if(__has_tag<triangle_data, Tags...>, "needs the tag triangle_data")]]
    bool is_triangle_front_facing() const;

    /// The place along the curve of the hit, from 0 to 1.
    [[msl::enable_if(__has_tag<curve_data, Tags...>, "needs the tag curve_data")]] float get_curve_parameter() const;

    /// The transformation from object to world space of the hit.
    [[msl::enable_if(__has_tag<world_space_data, Tags...>, "needs the tag world_space_data")]]
    float4x3 get_object_to_world_transform() const;

    /// The transformation from world to object space of the hit.
    [[msl::enable_if(__has_tag<world_space_data, Tags...>, "needs the tag world_space_data")]]
    float4x3 get_world_to_object_transform() const;
};

/// How an `intersection_query` traverses an acceleration structure.
struct [[msl::since("2.4")]] intersection_params {
    /// Says which order of vertices, seen from the ray's origin, makes a triangle face it (clockwise by default).
    constexpr void set_triangle_front_facing_winding(winding w);

    /// Says which sides of triangles are not hit.
    constexpr void set_triangle_cull_mode(triangle_cull_mode tcm);

    /// Says which kinds of geometry are not hit.
    constexpr void set_geometry_cull_mode(geometry_cull_mode gcm);

    /// Says which geometry is not hit, by whether it is opaque; it cannot be combined with `force_opacity`.
    constexpr void set_opacity_cull_mode(opacity_cull_mode ocm);

    /// Treats all geometry as opaque or as not opaque.
    constexpr void force_opacity(forced_opacity o);

    /// Promises which kinds of geometry there are; by default triangles and bounding boxes, but no curves.
    constexpr void assume_geometry_type(geometry_type g);

    /// Promises that instances are not transformed.
    constexpr void assume_identity_transforms(bool value);

    /// Ends the traversal at the first hit, which need not be the nearest: for shadows and occlusion.
    constexpr void accept_any_intersection(bool value);

    /// Promises how curves run between their control points.
    [[msl::since("3.1")]] constexpr void assume_curve_basis(curve_basis cb);

    /// Promises the shape of the curves.
    [[msl::since("3.1")]] constexpr void assume_curve_type(curve_type ct);

    /// Promises the number of control points of a segment: 2, 3 or 4, or 0 for any.
    [[msl::since("3.1")]] constexpr void assume_curve_control_point_count(uint n);

    /// What `set_triangle_front_facing_winding` set.
    constexpr winding get_triangle_front_facing_winding() const;

    /// What `set_triangle_cull_mode` set.
    constexpr triangle_cull_mode get_triangle_cull_mode() const;

    /// What `set_geometry_cull_mode` set.
    constexpr geometry_cull_mode get_geometry_cull_mode() const;

    /// What `set_opacity_cull_mode` set.
    constexpr opacity_cull_mode get_opacity_cull_mode() const;

    /// What `force_opacity` set.
    constexpr forced_opacity get_forced_opacity() const;

    /// What `assume_geometry_type` set.
    constexpr geometry_type get_geometry_type() const;

    /// What `assume_identity_transforms` set.
    constexpr bool should_assume_identity_transforms() const;

    /// What `accept_any_intersection` set.
    constexpr bool should_accept_any_intersection() const;

    /// What `assume_curve_basis` set.
    [[msl::since("3.1")]] constexpr curve_basis get_curve_basis() const;

    /// What `assume_curve_type` set.
    [[msl::since("3.1")]] constexpr curve_type get_curve_type() const;

    /// What `assume_curve_control_point_count` set.
    [[msl::since("3.1")]] constexpr uint get_curve_control_point_count() const;
};

/// Traces a ray through an acceleration structure and returns what it hit.
///
/// - `Tags`: the kind of acceleration structure and the results that are wanted.
template <typename... Tags>
struct intersector {
    /// The result of `intersect`.
    using result_type = intersection_result<Tags...>;
    using result = intersection_result<Tags...>;

    /// The acceleration structure that `intersect` takes.
    using acceleration_structure = typename __structure_for<__tags<>, Tags...>::type;

    /// An intersector that hits the nearest triangle or bounding box.
    constexpr intersector() {}

    /// Says which order of vertices, seen from the ray's origin, makes a triangle face it (clockwise by default).
    constexpr void set_triangle_front_facing_winding(winding w);

    /// Says which sides of triangles are not hit.
    constexpr void set_triangle_cull_mode(triangle_cull_mode tcm);

    /// Says which kinds of geometry are not hit.
    constexpr void set_geometry_cull_mode(geometry_cull_mode gcm);

    /// Says which geometry is not hit, by whether it is opaque; it cannot be combined with `force_opacity`.
    constexpr void set_opacity_cull_mode(opacity_cull_mode ocm);

    /// Treats all geometry as opaque or as not opaque.
    constexpr void force_opacity(forced_opacity o);

    /// Promises which kinds of geometry there are; by default triangles and bounding boxes, but no curves.
    constexpr void assume_geometry_type(geometry_type g);

    /// Promises that instances are not transformed.
    constexpr void assume_identity_transforms(bool value);

    /// Ends the traversal at the first hit, which need not be the nearest: for shadows and occlusion.
    constexpr void accept_any_intersection(bool value);

    /// Promises how curves run between their control points.
    [[msl::since("3.1")]] constexpr void assume_curve_basis(curve_basis cb);

    /// Promises the shape of the curves.
    [[msl::since("3.1")]] constexpr void assume_curve_type(curve_type ct);

    /// Promises the number of control points of a segment: 2, 3 or 4, or 0 for any.
    [[msl::since("3.1")]] constexpr void assume_curve_control_point_count(uint n);

    /// Sets the number added to the index of the intersection function.
    [[msl::since("4.0"),
        msl::enable_if(__has_tag<intersection_function_buffer, Tags...>, "needs the tag intersection_function_buffer")]]
    void set_base_id(uint base_id);

    /// Sets the factor on the number of the geometry in the index of the intersection function.
    [[msl::since("4.0"),
        msl::enable_if(__has_tag<intersection_function_buffer, Tags...>, "needs the tag intersection_function_buffer")]]
    void set_geometry_multiplier(uint geometry_multiplier);

    // All forms that take the same mask and time. `condition` is the one on the tags under which they exist, `plain` that
    // of the simplest form. The variable arguments are the parameters after the acceleration structure, with the comma
    // before them.

#define __msl_moving (__has_tag<primitive_motion, Tags...> || __has_tag<instance_motion, Tags...>)
#define __msl_instanced __has_tag<instancing, Tags...>
#define __msl_buffered __has_tag<intersection_function_buffer, Tags...>
#define __msl_intersect(condition, plain, reason, ...)                                                                 \
    [[msl::enable_if(plain, reason)]]                                                                                  \
    result_type intersect(ray r, acceleration_structure as __VA_ARGS__) const;                                         \
    [[msl::enable_if(condition, reason)]]                                                                              \
    result_type intersect(                                                                                             \
        ray r, acceleration_structure as __VA_ARGS__, intersection_function_table<Tags...> ft) const;                  \
    template <typename P>                                                                                              \
    [[msl::enable_if(condition, reason)]]                                                                              \
    result_type intersect(                                                                                             \
        ray r, acceleration_structure as __VA_ARGS__, intersection_function_table<Tags...> ft,                         \
        thread P& payload) const;                                                                                      \
    template <typename Callback>                                                                                       \
    [[msl::since("3.2"), msl::enable_if(condition && __is_invocable(Callback, intersection_result_ref<Tags...>))]]     \
    void intersect(ray r, acceleration_structure as __VA_ARGS__, Callback callback) const;                             \
    template <typename P, typename Callback>                                                                           \
    [[msl::since("3.2"),                                                                                               \
        msl::enable_if(condition && __is_invocable(Callback, intersection_result_ref<Tags...>, ray_data P&))]]         \
    void intersect(                                                                                                    \
        ray r, acceleration_structure as __VA_ARGS__, const thread P& payload, Callback callback) const;               \
    template <typename Callback>                                                                                       \
    [[msl::since("3.2"), msl::enable_if(condition && __is_invocable(Callback, intersection_result_ref<Tags...>))]]     \
    void intersect(                                                                                                    \
        ray r, acceleration_structure as __VA_ARGS__, intersection_function_table<Tags...> ft,                         \
        Callback callback) const;                                                                                      \
    template <typename P, typename Callback>                                                                           \
    [[msl::since("3.2"), msl::enable_if(condition, reason)]]                                                           \
    void intersect(                                                                                                    \
        ray r, acceleration_structure as __VA_ARGS__, intersection_function_table<Tags...> ft,                         \
        const thread P& payload, Callback callback) const;

    // The same with a buffer of intersection functions instead of a table.

#define __msl_intersect_buffer(condition, reason, ...)                                                                 \
    [[msl::since("4.0"), msl::enable_if(condition, reason)]]                                                           \
    result_type intersect(ray r, acceleration_structure as __VA_ARGS__) const;                                         \
    template <typename P>                                                                                              \
    [[msl::since("4.0"), msl::enable_if(condition, reason)]]                                                           \
    result_type intersect(ray r, acceleration_structure as __VA_ARGS__, thread P& payload) const;                      \
    template <typename Callback>                                                                                       \
    [[msl::since("4.0"), msl::enable_if(condition && __is_invocable(Callback, intersection_result_ref<Tags...>))]]     \
    void intersect(ray r, acceleration_structure as __VA_ARGS__, Callback callback) const;                             \
    template <typename P, typename Callback>                                                                           \
    [[msl::since("4.0"), msl::enable_if(condition, reason)]]                                                           \
    void intersect(                                                                                                    \
        ray r, acceleration_structure as __VA_ARGS__, const thread P& payload, Callback callback) const;
#define __msl_intersect_buffers(condition, ...)                                                                        \
    __msl_intersect_buffer(                                                                                            \
        (condition && __msl_buffered), "needs the tag intersection_function_buffer", __VA_ARGS__)                      \
    __msl_intersect_buffer(                                                                                            \
        (condition && __has_tag<user_data, Tags...>), "needs the tag user_data", __VA_ARGS__,                          \
        const device void* user_data_buffer)

    /// Traces a ray and returns what it hit, or hands the result to a callback.
    ///
    /// - `r`: the ray.
    /// - `as`: the acceleration structure; its kind follows from the tags.
    /// - `mask`: bits that the mask of an instance has to meet (tag `instancing`).
    /// - `time`: the time of the ray (tag `primitive_motion` or `instance_motion`).
    /// - `ft`: the intersection functions.
    /// - `ifba`: the buffer of intersection functions (tag `intersection_function_buffer`).
    /// - `user_data_buffer`: a pointer for the intersection functions (tag `user_data`).
    /// - `payload`: data that intersection functions read and change.
    /// - `callback`: called with an `intersection_result_ref` and, if there is a payload, a reference to it in
    ///   `ray_data`; it must not trace rays.
    __msl_intersect(
        !__msl_moving, (!__msl_moving || __msl_instanced), "needs a time with primitive_motion or instance_motion", )
    __msl_intersect(
        (!__msl_moving && __msl_instanced), (!__msl_moving && __msl_instanced), "a mask needs the tag instancing", , uint mask)
    __msl_intersect(__msl_moving, __msl_moving, "a time needs primitive_motion or instance_motion", , float time)
    __msl_intersect(
        (__msl_moving && __msl_instanced), (__msl_moving && __msl_instanced), "needs instancing and a tag for motion", , uint mask, float time)
    __msl_intersect_buffers(!__msl_moving, , intersection_function_buffer_arguments ifba)
    __msl_intersect_buffers(!__msl_moving && __msl_instanced, , uint mask, intersection_function_buffer_arguments ifba)
    __msl_intersect_buffers(__msl_moving, , float time, intersection_function_buffer_arguments ifba)
    __msl_intersect_buffers(
        __msl_moving && __msl_instanced, , uint mask, float time, intersection_function_buffer_arguments ifba)

#undef __msl_moving
#undef __msl_instanced
#undef __msl_buffered
#undef __msl_intersect
#undef __msl_intersect_buffer
#undef __msl_intersect_buffers
};

/// Traces a ray step by step; the program decides about each candidate.
///
/// Call `next` until it is false, look at the candidate each time, and commit it if it counts.
/// Opaque triangles are committed without being reported.
/// A query cannot be copied, returned, or be a member of a structure.
///
/// - `Tags`: `instancing`, `triangle_data`, `curve_data` (3.1) and `max_levels` (3.1) as needed.
template <typename... Tags>
struct [[msl::since("2.4"), msl::no_copy]] intersection_query {
    /// A query that has to be started with `reset`.
    intersection_query();

    /// A query that is started with a ray.
    ///
    /// - `r`: the ray.
    /// - `as`: the acceleration structure; its kind follows from the tags.
    /// - `mask`: bits that the mask of an instance has to meet (tag `instancing`).
    /// - `params`: how to traverse.
    intersection_query(ray r, typename __structure_for<__tags<>, Tags...>::type as);
    intersection_query(ray r, typename __structure_for<__tags<>, Tags...>::type as, intersection_params params);
    [[msl::enable_if(__has_tag<instancing, Tags...>, "a mask needs the tag instancing")]]
    intersection_query(ray r, typename __structure_for<__tags<>, Tags...>::type as, uint mask);
    [[msl::enable_if(__has_tag<instancing, Tags...>, "a mask needs the tag instancing")]]
    intersection_query(
        ray r, typename __structure_for<__tags<>, Tags...>::type as, uint mask, intersection_params params);

    /// Starts the query, or starts it again.
    ///
    /// - `r`: the ray.
    /// - `as`: the acceleration structure; its kind follows from the tags.
    /// - `mask`: bits that the mask of an instance has to meet (tag `instancing`).
    /// - `params`: how to traverse.
    void reset(ray r, typename __structure_for<__tags<>, Tags...>::type as);
    void reset(ray r, typename __structure_for<__tags<>, Tags...>::type as, intersection_params params);
    [[msl::enable_if(__has_tag<instancing, Tags...>, "a mask needs the tag instancing")]]
    void reset(ray r, typename __structure_for<__tags<>, Tags...>::type as, uint mask);
    [[msl::enable_if(__has_tag<instancing, Tags...>, "a mask needs the tag instancing")]]
    void reset(ray r, typename __structure_for<__tags<>, Tags...>::type as, uint mask, intersection_params params);

    /// Goes on to the next candidate that the program has to decide about; false at the end.
    bool next();

    /// Ends the traversal: the next call of `next` returns false.
    void abort();

    /// Accepts the candidate, a triangle.
    void commit_triangle_intersection();

    /// Accepts the candidate, a bounding box.
    ///
    /// - `distance`: the distance of the hit from the ray's origin, in lengths of its direction.
    void commit_bounding_box_intersection(float distance);

    /// Accepts the candidate, a curve.
    [[msl::since("3.1")]] void commit_curve_intersection();

    /// The origin of the ray in world space.
    float3 get_world_space_ray_origin() const;

    /// The direction of the ray in world space.
    float3 get_world_space_ray_direction() const;

    /// The least distance that counts on the ray.
    float get_ray_min_distance() const;

    /// How the query traverses.
    intersection_params get_intersection_params() const;

    /// Whether the candidate is a bounding box that is not opaque.
    bool is_candidate_non_opaque_bounding_box() const;

    /// The kind of geometry of the candidate.
    intersection_type get_candidate_intersection_type() const;

    /// The distance of the candidate, a triangle, from the ray's origin, in lengths of its direction.
    float get_candidate_triangle_distance() const;

    /// The distance of the candidate, a curve, from the ray's origin, in lengths of its direction.
    [[msl::since("3.1")]] float get_candidate_curve_distance() const;

    /// The number of the primitive of the candidate in its geometry.
    uint get_candidate_primitive_id() const;

    /// The number of the geometry of the candidate in its acceleration structure.
    uint get_candidate_geometry_id() const;

    /// The data of the primitive of the candidate in the acceleration structure.
    [[msl::since("3.0")]] const device void* get_candidate_primitive_data() const;

    /// The number of levels of instances of the candidate.
    [[msl::since("3.1"), msl::enable_if(__level_count<Tags...>::value != 0, "needs the tag max_levels")]]
    uint get_candidate_instance_count() const;

    /// The number of the instance of the candidate.
    ///
    /// - `depth`: the level, counted from 0.
    [[msl::enable_if(__has_tag<instancing, Tags...> && __level_count<Tags...>::value == 0,
        "needs the tag instancing without max_levels")]]
    uint get_candidate_instance_id() const;
    [[msl::since("3.1"), msl::enable_if(__level_count<Tags...>::value != 0, "needs the tag max_levels")]]
    uint get_candidate_instance_id(uint depth) const;

    /// The number that the program gave the instance of the candidate.
    ///
    /// - `depth`: the level, counted from 0.
    [[msl::enable_if(__has_tag<instancing, Tags...> && __level_count<Tags...>::value == 0,
        "needs the tag instancing without max_levels")]]
    uint get_candidate_user_instance_id() const;
    [[msl::since("3.1"), msl::enable_if(__level_count<Tags...>::value != 0, "needs the tag max_levels")]]
    uint get_candidate_user_instance_id(uint depth) const;

    /// The origin of the ray in the object space of the candidate.
    float3 get_candidate_ray_origin() const;

    /// The direction of the ray in the object space of the candidate.
    float3 get_candidate_ray_direction() const;

    /// The place on the triangle of the candidate: the weights of its second and third vertex.
    [[msl::enable_if(__has_tag<triangle_data, Tags...>, "needs the tag triangle_data")]]
    float2 get_candidate_triangle_barycentric_coord() const;

    /// Whether the side of the triangle of the candidate that was hit is its front.
    [[msl::enable_if(__has_tag<triangle_data, Tags...>, "needs the tag triangle_data")]]
    bool is_candidate_triangle_front_facing() const;

    /// The place along the curve of the candidate, from 0 to 1.
    [[msl::since("3.1"), msl::enable_if(__has_tag<curve_data, Tags...>, "needs the tag curve_data")]]
    float get_candidate_curve_parameter() const;

    /// The transformation from object to world space of the candidate.
    [[msl::enable_if(__has_tag<instancing, Tags...>, "needs the tag instancing")]]
    float4x3 get_candidate_object_to_world_transform() const;

    /// The transformation from world to object space of the candidate.
    [[msl::enable_if(__has_tag<instancing, Tags...>, "needs the tag instancing")]]
    float4x3 get_candidate_world_to_object_transform() const;

    /// The kind of geometry of the committed hit.
    intersection_type get_committed_intersection_type() const;

    /// The distance of the committed hit from the ray's origin, in lengths of its direction.
    float get_committed_distance() const;

    /// The number of the primitive of the committed hit in its geometry.
    uint get_committed_primitive_id() const;

    /// The number of the geometry of the committed hit in its acceleration structure.
    uint get_committed_geometry_id() const;

    /// The data of the primitive of the committed hit in the acceleration structure.
    [[msl::since("3.0")]] const device void* get_committed_primitive_data() const;

    /// The number of levels of instances of the committed hit.
    [[msl::since("3.1"), msl::enable_if(__level_count<Tags...>::value != 0, "needs the tag max_levels")]]
    uint get_committed_instance_count() const;

    /// The number of the instance of the committed hit.
    ///
    /// - `depth`: the level, counted from 0.
    [[msl::enable_if(__has_tag<instancing, Tags...> && __level_count<Tags...>::value == 0,
        "needs the tag instancing without max_levels")]]
    uint get_committed_instance_id() const;
    [[msl::since("3.1"), msl::enable_if(__level_count<Tags...>::value != 0, "needs the tag max_levels")]]
    uint get_committed_instance_id(uint depth) const;

    /// The number that the program gave the instance of the committed hit.
    ///
    /// - `depth`: the level, counted from 0.
    [[msl::enable_if(__has_tag<instancing, Tags...> && __level_count<Tags...>::value == 0,
        "needs the tag instancing without max_levels")]]
    uint get_committed_user_instance_id() const;
    [[msl::since("3.1"), msl::enable_if(__level_count<Tags...>::value != 0, "needs the tag max_levels")]]
    uint get_committed_user_instance_id(uint depth) const;

    /// The origin of the ray in the object space of the committed hit.
    float3 get_committed_ray_origin() const;

    /// The direction of the ray in the object space of the committed hit.
    float3 get_committed_ray_direction() const;

    /// The place on the triangle of the committed hit: the weights of its second and third vertex.
    [[msl::enable_if(__has_tag<triangle_data, Tags...>, "needs the tag triangle_data")]]
    float2 get_committed_triangle_barycentric_coord() const;

    /// Whether the side of the triangle of the committed hit that was hit is its front.
    [[msl::enable_if(__has_tag<triangle_data, Tags...>, "needs the tag triangle_data")]]
    bool is_committed_triangle_front_facing() const;

    /// The place along the curve of the committed hit, from 0 to 1.
    [[msl::since("3.1"), msl::enable_if(__has_tag<curve_data, Tags...>, "needs the tag curve_data")]]
    float get_committed_curve_parameter() const;

    /// The transformation from object to world space of the committed hit.
    [[msl::enable_if(__has_tag<instancing, Tags...>, "needs the tag instancing")]]
    float4x3 get_committed_object_to_world_transform() const;

    /// The transformation from world to object space of the committed hit.
    [[msl::enable_if(__has_tag<instancing, Tags...>, "needs the tag instancing")]]
    float4x3 get_committed_world_to_object_transform() const;
};

} // namespace raytracing

} // namespace metal

/// A buffer of intersection functions, as the host stores it in an argument buffer.
struct [[msl::since("4.0")]] MTLIntersectionFunctionBufferArguments {
    /// The first function handle, aligned to 8 bytes.
    const device void* intersectionFunctionBuffer;
    /// The size of the buffer, in bytes.
    size_t intersectionFunctionBufferSize;
    /// The distance from one handle to the next in bytes: a multiple of 8, at most 4096.
    size_t intersectionFunctionStride;

    /// The same in the form that `intersect` takes.
    operator metal::raytracing::intersection_function_buffer_arguments() const;
};
