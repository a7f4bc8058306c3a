// The 16-bit float of the main programs: half_type. Included after the tile source or the generated header, which
// declares the type.
#pragma once

#ifdef TILE2CU_REFERENCE
using half_type = tl::float16;
#else
using half_type = __half;
#endif
