//go:build !purego

// Row kernels. All use the same registers: R0 out, R1 query, R2 row, R3 width, R4 rows left, R5 bytes in a row, R6
// blocks in a row; R7 and R8 point into the query and the row, R9 counts blocks. Vector instructions that Go's
// assembler lacks are given as words by macros (Arm Architecture Reference Manual, C7.2).

#include "textflag.h"

#define FADD(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d)) // d.4S = n.4S + m.4S
#define FADDP(m, n, d) WORD $(0x6E20D400 | (m)<<16 | (n)<<5 | (d)) // d.4S = pairs of n and m
#define FADDPS(n, d) WORD $(0x7E30D800 | (n)<<5 | (d)) // scalar d = n.S[0] + n.S[1]

#define ARGS(rowShift, blockShift) \
	MOVD out+0(FP), R0 \
	MOVD query+8(FP), R1 \
	MOVD rows+16(FP), R2 \
	MOVD width+24(FP), R3 \
	MOVD n+32(FP), R4 \
	LSL $rowShift, R3, R5 \
	LSR $blockShift, R3, R6

#define START_ROW \
	MOVD R1, R7 \
	MOVD R2, R8 \
	MOVD R6, R9

#define NEXT_ROW \
	ADD R5, R2, R2 \
	ADD $4, R0, R0 \
	SUBS $1, R4, R4

#define ZERO(v) VEOR v.B16, v.B16, v.B16

// Stores the sum of the float lanes of V0 and V1.
#define STORE_SUMF \
	FADD(1, 0, 0) \
	FADDP(0, 0, 0) \
	FADDPS(0, 0) \
	FMOVS F0, (R0)

// func dotRowsNEON(out, query, rows *float32, width, n int)
TEXT ·dotRowsNEON(SB), NOSPLIT, $0-40
	ARGS(2, 3)

s_row:
	START_ROW
	ZERO(V0)
	ZERO(V1)
	CBZ R9, s_sum

s_block:
	VLD1.P 32(R8), [V2.S4, V3.S4]
	VLD1.P 32(R7), [V4.S4, V5.S4]
	VFMLA  V2.S4, V4.S4, V0.S4
	VFMLA  V3.S4, V5.S4, V1.S4
	SUBS   $1, R9, R9
	BNE    s_block

s_sum:
	STORE_SUMF
	NEXT_ROW
	BNE s_row
	RET
