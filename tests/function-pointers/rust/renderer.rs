use objc2_foundation::{ns_string, NSArray, NSDictionary};
use objc2_metal::*;

impl Renderer {
    fn build(&mut self, device: &ProtocolObject<dyn MTLDevice>) {
        let library = device.newDefaultLibrary().unwrap();
        let kernel = library.newFunctionWithName(ns_string!("shade")).unwrap();
        let wood = library.newFunctionWithName(ns_string!("wood")).unwrap();
        let function_descriptor = MTLFunctionDescriptor::new();
        function_descriptor.setName(Some(ns_string!("stone")));
        function_descriptor.setOptions(MTLFunctionOptions::CompileToBinary);
        let stone = library.newFunctionWithDescriptor_error(&function_descriptor).unwrap();

        let linked = MTLLinkedFunctions::new();
        linked.setFunctions(Some(&NSArray::from_slice(&[&*wood])));
        linked.setBinaryFunctions(Some(&NSArray::from_slice(&[&*stone])));
        linked.setGroups(Some(&NSDictionary::from_slices(
            &[ns_string!("surfaces")],
            &[&*NSArray::from_slice(&[&*wood, &*stone])],
        )));

        let descriptor = MTLComputePipelineDescriptor::new();
        descriptor.setComputeFunction(Some(&kernel));
        descriptor.setLinkedFunctions(Some(&linked));
        descriptor.setMaxCallStackDepth(1);
        self.pipeline = device
            .newComputePipelineStateWithDescriptor_options_reflection_error(&descriptor, MTLPipelineOption::empty(), None)
            .unwrap();

        let table_descriptor = MTLVisibleFunctionTableDescriptor::new();
        table_descriptor.setFunctionCount(2);
        self.table = self.pipeline.newVisibleFunctionTableWithDescriptor(&table_descriptor).unwrap();
        let handle = self.pipeline.functionHandleWithFunction(&wood).unwrap();
        self.table.setFunction_atIndex(Some(&handle), 0);
        self.table.setFunction_atIndex(self.pipeline.functionHandleWithFunction(&stone).as_deref(), 1);
    }

    fn encode(&self, encoder: &ProtocolObject<dyn MTLComputeCommandEncoder>) {
        encoder.setComputePipelineState(&self.pipeline);
        encoder.setBuffer_offset_atIndex(Some(&self.samples), 0, 0);
        encoder.setVisibleFunctionTable_atBufferIndex(Some(&self.table), 1);
    }
}
