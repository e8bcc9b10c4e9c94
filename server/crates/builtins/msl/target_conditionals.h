//! Macros that say which platform the code is built for.

/// 1 for every Apple platform.
#define TARGET_OS_MAC 1

/// 1 if the code is built for macOS, else not defined, which counts as 0.
//! platform("macos")
#define TARGET_OS_OSX 1

/// 1 if the code is built for iOS or a platform derived from it, else 0.
#define TARGET_OS_IPHONE (!TARGET_OS_OSX)
#define TARGET_OS_IOS (!TARGET_OS_OSX)

/// 1 if the code is built for this platform, else 0. The language version does not tell these from iOS.
#define TARGET_OS_TV 0
#define TARGET_OS_WATCH 0
#define TARGET_OS_VISION 0
#define TARGET_OS_MACCATALYST 0
#define TARGET_OS_SIMULATOR 0
