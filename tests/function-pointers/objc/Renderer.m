#import <Metal/Metal.h>

@implementation Renderer

- (id<MTLFunction>)functionNamed:(NSString *)name in:(id<MTLLibrary>)library {
    return [library newFunctionWithName:name];
}

- (void)buildWithDevice:(id<MTLDevice>)device {
    id<MTLLibrary> library = [device newDefaultLibrary];
    id<MTLFunction> kernel = [self functionNamed:@"shade" in:library];
    id<MTLFunction> wood = [self functionNamed:@"wood" in:library];
    MTLFunctionDescriptor *descriptor = [MTLFunctionDescriptor functionDescriptor];
    descriptor.name = @"stone";
    descriptor.options = MTLFunctionOptionCompileToBinary;
    NSError *error = nil;
    id<MTLFunction> stone = [library newFunctionWithDescriptor:descriptor error:&error];

    MTLLinkedFunctions *linked = [MTLLinkedFunctions linkedFunctions];
    linked.functions = @[ wood ];
    linked.binaryFunctions = @[ stone ];
    linked.groups = @{ @"surfaces" : @[ wood, stone ] };

    MTLComputePipelineDescriptor *pipelineDescriptor = [[MTLComputePipelineDescriptor alloc] init];
    pipelineDescriptor.computeFunction = kernel;
    [pipelineDescriptor setLinkedFunctions:linked];
    pipelineDescriptor.maxCallStackDepth = 1;
    _pipeline = [device newComputePipelineStateWithDescriptor:pipelineDescriptor
                                                      options:MTLPipelineOptionNone
                                                   reflection:nil
                                                        error:&error];

    MTLVisibleFunctionTableDescriptor *tableDescriptor = [MTLVisibleFunctionTableDescriptor new];
    tableDescriptor.functionCount = 2;
    _table = [_pipeline newVisibleFunctionTableWithDescriptor:tableDescriptor];
    [_table setFunction:[_pipeline functionHandleWithFunction:wood] atIndex:0];
    [_table setFunction:[_pipeline functionHandleWithFunction:stone] atIndex:1];
}

- (void)encode:(id<MTLComputeCommandEncoder>)encoder {
    [encoder setComputePipelineState:_pipeline];
    [encoder setBuffer:_samples offset:0 atIndex:0];
    [encoder setVisibleFunctionTable:_table atBufferIndex:1];
}

@end
