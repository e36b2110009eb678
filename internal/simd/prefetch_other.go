//go:build purego || !(amd64 || arm64)

package simd

import "unsafe"

func prefetch(unsafe.Pointer, int) {}
