//go:build !purego

// Kernels for rows of bits and nibbles. All use the same registers: R0 out, R1 query, R2 row, R4 rows left, R5 bytes in
// a row (whole blocks of 64); R7 points into the query, R9 counts. Instructions that Go's assembler lacks are given as
// words (Arm Architecture Reference Manual, C7.2).

#include "textflag.h"

#define SMULL(m, n, d) WORD $(0x0E20C000 | (m)<<16 | (n)<<5 | (d)) // d.8H = n.8B * m.8B
#define SMULL2(m, n, d) WORD $(0x4E20C000 | (m)<<16 | (n)<<5 | (d)) // the upper eight bytes
#define SADALP(n, d) WORD $(0x4E606800 | (n)<<5 | (d)) // d.4S += pairs of n.8H

#define ARGS \
	MOVD out+0(FP), R0 \
	MOVD query+8(FP), R1 \
	MOVD rows+16(FP), R2 \
	MOVD width+24(FP), R5 \
	MOVD n+32(FP), R4

// Counts, byte by byte in V5, the bits in which sixteen bytes of the row in V4 differ from those of a query.
#define COUNT(query) \
	VLD1.P 16(query), [V5.B16] \
	VEOR V5.B16, V4.B16, V5.B16 \
	VCNT V5.B16, V5.B16

// func weightedHammingPickedNEON(out *int32, query, rows *uint64, picked *int32, width, n int)
//
// Rows begin at R3, R6 points to the next number. The row 16 rows ahead is prefetched, since it comes from memory.
TEXT ·weightedHammingPickedNEON(SB), NOSPLIT, $0-48
	MOVD out+0(FP), R0
	MOVD query+8(FP), R1
	MOVD rows+16(FP), R3
	MOVD picked+24(FP), R6
	MOVD width+32(FP), R5
	MOVD n+40(FP), R4
	LSL  $3, R5, R5

h_row:
	MOVW (R6), R2
	MUL  R5, R2, R2
	ADD  R3, R2, R2
	CMP  $16, R4
	BLE  h_start
	MOVW 64(R6), R8
	MUL  R5, R8, R8
	ADD  R3, R8, R8
	MOVD R5, R9

h_prefetch:
	PRFM (R8), PLDL1KEEP
	ADD  $64, R8, R8
	SUBS $64, R9, R9
	BNE  h_prefetch

h_start:
	MOVD R1, R7
	ADD  R5, R7, R10
	ADD  R5, R10, R11
	ADD  R5, R11, R12
	LSR  $4, R5, R9
	MOVD ZR, R13

h_bytes:
	VLD1.P  16(R2), [V4.B16]
	COUNT(R12)
	VADD    V5.B16, V5.B16, V6.B16
	COUNT(R11)
	VADD    V5.B16, V6.B16, V6.B16
	VADD    V6.B16, V6.B16, V6.B16
	COUNT(R10)
	VADD    V5.B16, V6.B16, V6.B16
	VADD    V6.B16, V6.B16, V6.B16
	COUNT(R7)
	VADD    V5.B16, V6.B16, V6.B16
	VUADDLV V6.B16, V6
	VMOV    V6.H[0], R14
	ADD     R14, R13, R13
	SUBS    $1, R9, R9
	BNE     h_bytes

	MOVW R13, (R0)
	ADD  $4, R0, R0
	ADD  $4, R6, R6
	SUBS $1, R4, R4
	BNE  h_row
	RET

// Sixteen bytes of the row, and the parts of the query for their low and high nibbles.
#define NIBBLES(row, lower, upper) \
	VAND V7.B16, row.B16, V1.B16 \
	VUSHR $4, row.B16, V2.B16 \
	SMULL(1, lower, 3) \
	SADALP(3, 0) \
	SMULL2(1, lower, 3) \
	SADALP(3, 0) \
	SMULL(2, upper, 3) \
	SADALP(3, 0) \
	SMULL2(2, upper, 3) \
	SADALP(3, 0)

// func dotNibbleRowsNEON(out *int32, query *int8, rows *byte, width, n int)
TEXT ·dotNibbleRowsNEON(SB), NOSPLIT, $0-40
	ARGS
	VMOVI $15, V7.B16

n_row:
	MOVD R1, R7
	LSR  $6, R5, R9
	VEOR V0.B16, V0.B16, V0.B16

n_block:
	VLD1.P 64(R2), [V24.B16, V25.B16, V26.B16, V27.B16]
	VLD1.P 64(R7), [V16.B16, V17.B16, V18.B16, V19.B16]
	VLD1.P 64(R7), [V20.B16, V21.B16, V22.B16, V23.B16]
	NIBBLES(V24, 16, 20)
	NIBBLES(V25, 17, 21)
	NIBBLES(V26, 18, 22)
	NIBBLES(V27, 19, 23)
	SUBS   $1, R9, R9
	BNE    n_block

	VADDV V0.S4, V0
	VMOV  V0.S[0], R14
	MOVW  R14, (R0)
	ADD   $4, R0, R0
	SUBS  $1, R4, R4
	BNE   n_row
	RET

// Looks up both nibbles of a column of 32 rows in the tables at R7, and leaves their sums, at most 120, in a and b.
#define LOOK_UP(a, b) \
	VLD1.P 32(R2), [a.B16, b.B16] \
	VLD1.P 32(R7), [V16.B16, V17.B16] \
	VAND V7.B16, a.B16, V18.B16 \
	VAND V7.B16, b.B16, V19.B16 \
	VUSHR $4, a.B16, a.B16 \
	VUSHR $4, b.B16, b.B16 \
	VTBL V18.B16, [V16.B16], V18.B16 \
	VTBL V19.B16, [V16.B16], V19.B16 \
	VTBL a.B16, [V17.B16], a.B16 \
	VTBL b.B16, [V17.B16], b.B16 \
	VADD V18.B16, a.B16, a.B16 \
	VADD V19.B16, b.B16, b.B16

// Stores the 32-bit values of the lanes of a register.
#define STORE_EIGHT(from) \
	VUXTL from.H4, V0.S4 \
	VUXTL2 from.H8, V1.S4 \
	VST1.P [V0.S4, V1.S4], 32(R0)

// func hammingGroupsNEON(out *int32, table, columns *byte, width, n int)
TEXT ·hammingGroupsNEON(SB), NOSPLIT, $0-40
	MOVD  out+0(FP), R0
	MOVD  table+8(FP), R1
	MOVD  columns+16(FP), R2
	MOVD  width+24(FP), R5
	MOVD  n+32(FP), R4
	VMOVI $15, V7.B16

g_group:
	MOVD R1, R7
	LSR  $1, R5, R9
	VEOR V20.B16, V20.B16, V20.B16
	VEOR V21.B16, V21.B16, V21.B16
	VEOR V22.B16, V22.B16, V22.B16
	VEOR V23.B16, V23.B16, V23.B16

g_columns:
	LOOK_UP(V0, V1)
	LOOK_UP(V2, V3)
	VADD    V2.B16, V0.B16, V0.B16 // at most 240
	VADD    V3.B16, V1.B16, V1.B16
	VUADDW  V0.B8, V20.H8, V20.H8
	VUADDW2 V0.B16, V21.H8, V21.H8
	VUADDW  V1.B8, V22.H8, V22.H8
	VUADDW2 V1.B16, V23.H8, V23.H8
	SUBS    $1, R9, R9
	BNE     g_columns

	STORE_EIGHT(V20)
	STORE_EIGHT(V21)
	STORE_EIGHT(V22)
	STORE_EIGHT(V23)
	SUBS $1, R4, R4
	BNE  g_group
	RET
