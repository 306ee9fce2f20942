/* decls.h - macros around the declarations of a public header. */
#pragma once

/* Declarations between these two have C linkage in C++, and are exported by
 * libpb.so, which hides everything else. */
#ifdef __cplusplus
#define PB_BEGIN_C extern "C" {
#define PB_END_C   }
#else
#define PB_BEGIN_C
#define PB_END_C
#endif

#if defined(__GNUC__) && defined(__ELF__)
#define PB_BEGIN_DECLS PB_BEGIN_C _Pragma("GCC visibility push(default)")
#define PB_END_DECLS   _Pragma("GCC visibility pop") PB_END_C
#else
#define PB_BEGIN_DECLS PB_BEGIN_C
#define PB_END_DECLS   PB_END_C
#endif
