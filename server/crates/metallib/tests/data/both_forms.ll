; ModuleID = 'both_forms.air'
source_filename = "both_forms.metal"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-n8:16:32"
target triple = "air64_v29-apple-macosx27.0.0"

$_Z6sharedv = comdat any

@_ZL5table = internal unnamed_addr addrspace(2) constant [3 x i32] [i32 1, i32 2, i32 3], align 4
@imported = external addrspace(2) constant i32
@maybe = extern_weak addrspace(2) constant i32
@"name with \22quotes\22" = addrspace(2) constant i32 7
@llvm.used = appending global [1 x i8*] [i8* bitcast (void ()* @kernel41 to i8*)], section "llvm.metadata"
@other_name = alias void (float*), void (float*)* @_Z3fooPU9MTLthreadf

define void @kernel41() local_unnamed_addr #0 {
  call void @_Z3fooPU9MTLthreadf(float* null)
  call void @air.wg.barrier(i32 1, i32 1)
  call void @_Z6sharedv()
  %1 = load i32, i32 addrspace(2)* @imported
  %2 = load i32, i32 addrspace(2)* @maybe
  call void @_Z7outsidePU9MTLdevicefm(float addrspace(1)* null, i64 12345678901)
  ret void
}

define void @_Z3fooPU9MTLthreadf(float* nocapture %0) #0 {
  store float 1.0, float* %0, align 4
  ret void
}

define internal void @_ZL6helperv() {
  ret void
}

define linkonce_odr void @_Z6sharedv() comdat {
  call void @_ZL6helperv()
  ret void
}

declare void @_Z7outsidePU9MTLdevicefm(float addrspace(1)*, i64)

declare void @air.wg.barrier(i32, i32) local_unnamed_addr #1

attributes #0 = { nounwind "frame-pointer"="all" }
attributes #1 = { convergent nounwind }

!llvm.module.flags = !{!0, !1}
!air.kernel = !{!2}
!llvm.ident = !{!5, !5}
!air.version = !{!6}
!air.language_version = !{!7}
!air.compile_options = !{!8, !9, !10}
!air.source_file_name = !{!11}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"air.max_device_buffers", i32 31}
!2 = !{void ()* @kernel41, !3, !4}
!3 = !{}
!4 = !{}
!5 = !{!"Apple metal version 32023.921 (metalfe-32023.921.6)"}
!6 = !{i32 2, i32 9, i32 0}
!7 = !{!"Metal", i32 4, i32 1, i32 0}
!8 = !{!"air.compile.denorms_disable"}
!9 = !{!"air.compile.fast_math_enable"}
!10 = !{!"air.compile.framebuffer_fetch_enable"}
!11 = !{!"/src/both_forms.metal"}
