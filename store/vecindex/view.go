package vecindex

import "unsafe"

// view reads b as little-endian values without copying. Lens supports little-endian machines only, all
// of which read unaligned values.
func view[T int8 | uint16 | ~uint32 | int64 | uint64 | float32](b []byte) []T {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(T))))
}
