#include <Metal/Metal.hpp>

void Renderer::build(MTL::Device* device) {
    NS::Error* error = nullptr;
    MTL::Library* library = device->newDefaultLibrary();
    MTL::Function* kernel = library->newFunction(NS::String::string("shade", NS::UTF8StringEncoding));
    auto* wood = library->newFunction(MTLSTR("wood"));
    auto* functionDescriptor = MTL::FunctionDescriptor::functionDescriptor();
    functionDescriptor->setName(MTLSTR("stone"));
    functionDescriptor->setOptions(MTL::FunctionOptionCompileToBinary);
    auto* stone = library->newFunction(functionDescriptor, &error);

    NS::Object* surfaces[] = {wood, stone};
    auto* linked = MTL::LinkedFunctions::alloc()->init();
    linked->setFunctions(NS::Array::array(wood));
    linked->setBinaryFunctions(NS::Array::array(stone));
    linked->setGroups(NS::Dictionary::dictionary(NS::Array::array(surfaces, 2), MTLSTR("surfaces")));

    auto* descriptor = MTL::ComputePipelineDescriptor::alloc()->init();
    descriptor->setComputeFunction(kernel);
    descriptor->setLinkedFunctions(linked);
    descriptor->setMaxCallStackDepth(1);
    pipeline_ = device->newComputePipelineState(descriptor, MTL::PipelineOptionNone, nullptr, &error);

    auto* tableDescriptor = MTL::VisibleFunctionTableDescriptor::alloc()->init();
    tableDescriptor->setFunctionCount(2);
    table_ = pipeline_->newVisibleFunctionTable(tableDescriptor);
    table_->setFunction(pipeline_->functionHandle(wood), 0);
    table_->setFunction(pipeline_->functionHandle(stone), 1);
}

void Renderer::encode(MTL::ComputeCommandEncoder* encoder) {
    encoder->setComputePipelineState(pipeline_);
    encoder->setBuffer(samples_, 0, 0);
    encoder->setVisibleFunctionTable(table_, 1);
}
