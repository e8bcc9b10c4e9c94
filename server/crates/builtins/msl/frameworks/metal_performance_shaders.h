//! `<MetalPerformanceShaders/MetalPerformanceShaders.h>`: the rays and intersections that shaders share with
//! `MPSRayIntersector`.
//!
//! The host chooses one type of ray and one of intersection, in `rayDataType` and `intersectionDataType`; shaders fill
//! and read buffers of them.

/// Three floats without padding.
struct [[msl::partial]] MPSPackedFloat3 {
    /// The components.
    float x;
    float y;
    float z;
};

/// A ray: `MPSRayDataTypeOriginDirection`. A ray with a NaN or an infinity in its origin, or whose direction has no
/// length, is skipped.
struct [[msl::partial]] MPSRayOriginDirection {
    /// Where the ray starts.
    MPSPackedFloat3 origin;

    /// Where it goes; its length need not be 1.
    MPSPackedFloat3 direction;
};

/// A ray with bounds: `MPSRayDataTypeOriginMinDistanceDirectionMaxDistance`.
struct [[msl::partial]] MPSRayOriginMinDistanceDirectionMaxDistance {
    /// Where the ray starts.
    MPSPackedFloat3 origin;

    /// Nearer intersections are left out; in lengths of `direction`.
    float minDistance;

    /// Where it goes; its length need not be 1.
    MPSPackedFloat3 direction;

    /// Further intersections are left out; in lengths of `direction`. A negative one skips the ray.
    float maxDistance;
};

/// A ray with a mask: `MPSRayDataTypeOriginMaskDirectionMaxDistance`.
struct [[msl::partial]] MPSRayOriginMaskDirectionMaxDistance {
    /// Where the ray starts.
    MPSPackedFloat3 origin;

    /// Only what has a bit of this in its mask is hit; with zero the ray is skipped.
    uint mask;

    /// Where it goes; its length need not be 1.
    MPSPackedFloat3 direction;

    /// Further intersections are left out; in lengths of `direction`. A negative one skips the ray.
    float maxDistance;
};

/// What a ray hit: `MPSIntersectionDataTypeDistance` and its like, named by their members in order.
struct [[msl::partial]] MPSIntersectionDistance {
    /// How far the hit is, in lengths of the ray's direction; negative if there is none.
    float distance;
};

struct [[msl::partial]] MPSIntersectionDistancePrimitiveIndex {
    /// How far the hit is, in lengths of the ray's direction; negative if there is none.
    float distance;

    /// The primitive that was hit.
    uint primitiveIndex;
};

struct [[msl::partial]] MPSIntersectionDistancePrimitiveIndexCoordinates {
    /// How far the hit is, in lengths of the ray's direction; negative if there is none.
    float distance;

    /// The primitive that was hit.
    uint primitiveIndex;

    /// The first two barycentric coordinates of the hit; the third is one minus both.
    float2 coordinates;
};

struct [[msl::partial]] MPSIntersectionDistancePrimitiveIndexInstanceIndex {
    /// How far the hit is, in lengths of the ray's direction; negative if there is none.
    float distance;

    /// The primitive that was hit, and the instance that it belongs to.
    uint primitiveIndex;
    uint instanceIndex;
};

struct [[msl::partial]] MPSIntersectionDistancePrimitiveIndexInstanceIndexCoordinates {
    /// How far the hit is, in lengths of the ray's direction; negative if there is none.
    float distance;

    /// The primitive that was hit, and the instance that it belongs to.
    uint primitiveIndex;
    uint instanceIndex;

    /// The first two barycentric coordinates of the hit; the third is one minus both.
    float2 coordinates;
};
