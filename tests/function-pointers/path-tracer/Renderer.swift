import Metal

/// Builds the pipeline of the path tracer, and binds the tables that it calls through.
final class Renderer {
    let device: MTLDevice
    var pipeline: MTLComputePipelineState!
    var lights: MTLVisibleFunctionTable!
    var materials: MTLVisibleFunctionTable!
    var curves: MTLVisibleFunctionTable!

    init(device: MTLDevice) throws {
        self.device = device
        try buildPipeline()
    }

    private func binaryFunction(named name: String, in library: MTLLibrary) throws -> MTLFunction {
        let descriptor = MTLFunctionDescriptor()
        descriptor.name = name
        descriptor.options = .compileToBinary
        return try library.makeFunction(descriptor: descriptor)
    }

    private func buildPipeline() throws {
        guard let library = device.makeDefaultLibrary(),
              let kernel = library.makeFunction(name: "tracePaths") else { return }
        let lightFunctions = ["areaLight", "spotLight"].map { library.makeFunction(name: $0)! }
        let matte = try binaryFunction(named: "matte", in: library)
        let lacquer = try binaryFunction(named: "lacquer", in: library)
        let smooth = library.makeFunction(name: "smoothCurve")!

        let linked = MTLLinkedFunctions()
        linked.functions = lightFunctions + [smooth]
        linked.binaryFunctions = [matte]
        linked.groups = [
            "lighting": lightFunctions,
            "materials": [matte, lacquer],
            "curves": [smooth],
        ]

        let descriptor = MTLComputePipelineDescriptor()
        descriptor.computeFunction = kernel
        descriptor.linkedFunctions = linked
        descriptor.supportAddingBinaryFunctions = true
        descriptor.maxCallStackDepth = 2
        let first = try device.makeComputePipelineState(descriptor: descriptor, options: [], reflection: nil)
        pipeline = try first.makeComputePipelineStateWithAdditionalBinaryFunctions(functions: [lacquer])

        lights = table(count: 2)
        lights.setFunction(pipeline.functionHandle(function: library.makeFunction(name: "areaLight")!), index: 0)
        lights.setFunction(pipeline.functionHandle(function: library.makeFunction(name: "spotLight")!), index: 1)
        let materialDescriptor = MTLVisibleFunctionTableDescriptor()
        materialDescriptor.functionCount = 2
        materials = pipeline.makeVisibleFunctionTable(descriptor: materialDescriptor)!
        materials.setFunction(pipeline.functionHandle(function: matte), index: 0)
        materials.setFunction(pipeline.functionHandle(function: lacquer), index: 1)
        curves = table(count: 1)
        curves.setFunction(pipeline.functionHandle(function: smooth), index: 0)
    }

    private func table(count: Int) -> MTLVisibleFunctionTable {
        let descriptor = MTLVisibleFunctionTableDescriptor()
        descriptor.functionCount = count
        return pipeline.makeVisibleFunctionTable(descriptor: descriptor)!
    }

    func encode(into encoder: MTLComputeCommandEncoder, image: MTLTexture, scene: MTLBuffer) {
        encoder.setComputePipelineState(pipeline)
        encoder.setTexture(image, index: 0)
        encoder.setBuffer(scene, offset: 0, index: 0)
        encoder.setVisibleFunctionTable(lights, bufferIndex: 1)
        encoder.setVisibleFunctionTable(materials, bufferIndex: 2)
        encoder.setVisibleFunctionTable(curves, bufferIndex: 3)
        encoder.dispatchThreads(MTLSize(width: 640, height: 480, depth: 1),
                                threadsPerThreadgroup: MTLSize(width: 8, height: 8, depth: 1))
    }
}
