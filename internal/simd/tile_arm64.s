//go:build !purego

// The matrix product of a tile: c[8][8] += a·b over k steps. a and b are packed so that the values of a step are
// adjacent. R0 c, R1 bytes in a row of c, R2 a, R3 b, R4 steps left.

#include "textflag.h"

#define FADD(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d)) // d.4S = n.4S + m.4S

#define ZERO(v) VEOR v.B16, v.B16, v.B16

#define ROW(lane, l, r) \
	VDUP lane, V20.S4 \
	VFMLA V16.S4, V20.S4, l.S4 \
	VFMLA V17.S4, V20.S4, r.S4

// l and r are register numbers, for FADD; vl and vr are the names of the same registers, for VST1.
#define STORE(l, r, vl, vr) \
	VLD1 (R0), [V20.S4, V21.S4] \
	FADD(20, l, l) \
	FADD(21, r, r) \
	VST1 [vl.S4, vr.S4], (R0) \
	ADD R1, R0, R0

// func tileNEON(c *float32, ldc int, a, b *float32, k int)
TEXT ·tileNEON(SB), NOSPLIT, $0-40
	MOVD c+0(FP), R0
	MOVD ldc+8(FP), R1
	LSL  $2, R1, R1
	MOVD a+16(FP), R2
	MOVD b+24(FP), R3
	MOVD k+32(FP), R4
	ZERO(V0)
	ZERO(V1)
	ZERO(V2)
	ZERO(V3)
	ZERO(V4)
	ZERO(V5)
	ZERO(V6)
	ZERO(V7)
	ZERO(V8)
	ZERO(V9)
	ZERO(V10)
	ZERO(V11)
	ZERO(V12)
	ZERO(V13)
	ZERO(V14)
	ZERO(V15)

step:
	VLD1.P 32(R2), [V18.S4, V19.S4]
	VLD1.P 32(R3), [V16.S4, V17.S4]
	ROW(V18.S[0], V0, V1)
	ROW(V18.S[1], V2, V3)
	ROW(V18.S[2], V4, V5)
	ROW(V18.S[3], V6, V7)
	ROW(V19.S[0], V8, V9)
	ROW(V19.S[1], V10, V11)
	ROW(V19.S[2], V12, V13)
	ROW(V19.S[3], V14, V15)
	SUBS   $1, R4, R4
	BNE    step

	STORE(0, 1, V0, V1)
	STORE(2, 3, V2, V3)
	STORE(4, 5, V4, V5)
	STORE(6, 7, V6, V7)
	STORE(8, 9, V8, V9)
	STORE(10, 11, V10, V11)
	STORE(12, 13, V12, V13)
	STORE(14, 15, V14, V15)
	RET
