//go:build !purego && (amd64 || arm64)

package simd

import "unsafe"

// prefetch loads lines cache lines of 64 bytes. lines must be positive.
//
//go:noescape
func prefetch(first unsafe.Pointer, lines int)
