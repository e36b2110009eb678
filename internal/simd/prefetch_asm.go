//go:build !purego && (amd64 || arm64)

package simd

import "unsafe"

// prefetch asks for so many lines of 64 bytes, one or more.
//
//go:noescape
func prefetch(first unsafe.Pointer, lines int)
