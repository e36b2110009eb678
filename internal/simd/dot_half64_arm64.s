//go:build !purego

// R0 out, R1 query, R2 row, R4 rows left, R5 bytes in a row, R6 blocks of eight in a row; R7 and R8 point into the
// query and the row, R9 counts blocks. Instructions that Go's assembler lacks are given as words (Arm Architecture
// Reference Manual, C7.2).

#include "textflag.h"

#define WIDEN4(n, d) WORD $(0x0E217800 | (n)<<5 | (d)) // FCVTL: d.4S = halves n.4H
#define WIDEN4H(n, d) WORD $(0x4E217800 | (n)<<5 | (d)) // FCVTL2: the upper four halves
#define WIDEN2(n, d) WORD $(0x0E617800 | (n)<<5 | (d)) // FCVTL: d.2D = singles n.2S
#define WIDEN2H(n, d) WORD $(0x4E617800 | (n)<<5 | (d)) // FCVTL2: the upper two singles
#define FADD2(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d)) // FADD: d.2D = n.2D + m.2D
#define FADDP1(n, d) WORD $(0x7E70D800 | (n)<<5 | (d)) // FADDP: scalar d = n.D[0] + n.D[1]

#define ZERO(v) VEOR v.B16, v.B16, v.B16

// func dotHalfBlocks64NEON(out *float64, query *float32, rows *uint16, width, n int)
TEXT ·dotHalfBlocks64NEON(SB), NOSPLIT, $0-40
	MOVD out+0(FP), R0
	MOVD query+8(FP), R1
	MOVD rows+16(FP), R2
	MOVD width+24(FP), R3
	MOVD n+32(FP), R4
	LSL  $1, R3, R5
	LSR  $3, R3, R6

p_row:
	MOVD R1, R7
	MOVD R2, R8
	MOVD R6, R9
	ZERO(V0)
	ZERO(V1)
	ZERO(V2)
	ZERO(V3)

p_block:
	VLD1.P 16(R8), [V4.B16]
	VLD1.P 32(R7), [V5.S4, V6.S4]
	WIDEN4H(4, 7)
	WIDEN4(4, 4)
	WIDEN2(4, 16)
	WIDEN2H(4, 17)
	WIDEN2(7, 18)
	WIDEN2H(7, 19)
	WIDEN2(5, 20)
	WIDEN2H(5, 21)
	WIDEN2(6, 22)
	WIDEN2H(6, 23)
	VFMLA  V16.D2, V20.D2, V0.D2
	VFMLA  V17.D2, V21.D2, V1.D2
	VFMLA  V18.D2, V22.D2, V2.D2
	VFMLA  V19.D2, V23.D2, V3.D2
	SUBS   $1, R9, R9
	BNE    p_block

	FADD2(2, 0, 0)
	FADD2(3, 1, 1)
	FADD2(1, 0, 0)
	FADDP1(0, 0)
	FMOVD F0, (R0)
	ADD   R5, R2, R2
	ADD   $8, R0, R0
	SUBS  $1, R4, R4
	BNE   p_row
	RET
