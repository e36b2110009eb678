//go:build !purego

// DI out, SI query, DX row, R9 rows left, R10 bytes in a row, R11 blocks of eight in a row; AX and BX point into the
// query and the row, CX counts blocks.

#include "textflag.h"

#define ARGS \
	MOVQ out+0(FP), DI \
	MOVQ query+8(FP), SI \
	MOVQ rows+16(FP), DX \
	MOVQ width+24(FP), R10 \
	MOVQ n+32(FP), R9 \
	MOVQ R10, R11 \
	SHRQ $3, R11 \
	SHLQ $1, R10

// The four rows at R8 to R11. Each block of eight prefetches a line of one of the next rows, in turns: as many as they
// have. BX, SI, R12 and R13 point to the next line of each.
#define FOUR_ARGS \
	MOVQ out+0(FP), DI \
	MOVQ query+8(FP), AX \
	MOVQ a+16(FP), R8 \
	MOVQ b+24(FP), R9 \
	MOVQ c+32(FP), R10 \
	MOVQ d+40(FP), R11 \
	MOVQ nextA+48(FP), BX \
	MOVQ nextB+56(FP), SI \
	MOVQ nextC+64(FP), R12 \
	MOVQ nextD+72(FP), R13 \
	MOVQ width+80(FP), CX \
	SHRQ $3, CX

#define PREFETCH_NEXT \
	PREFETCHT0 (BX) \
	LEAQ 64(BX), DX \
	MOVQ SI, BX \
	MOVQ R12, SI \
	MOVQ R13, R12 \
	MOVQ DX, R13

#define START_ROW \
	MOVQ SI, AX \
	MOVQ DX, BX \
	MOVQ R11, CX

// Adds the lanes of Y0 (four sums, already reduced from eight) and stores the result.
#define STORE_SUM \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPD X1, X0, X0 \
	VPERMILPD $1, X0, X1 \
	VADDSD X1, X0, X0 \
	VMOVSD X0, (DI)

#define NEXT_ROW \
	ADDQ R10, DX \
	ADDQ $8, DI \
	DECQ R9

// func dotHalfBlocks64AVX512(out *float64, query *float32, rows *uint16, width, n int)
TEXT ·dotHalfBlocks64AVX512(SB), NOSPLIT, $0-40
	ARGS

pz_row:
	START_ROW
	VPXORQ Z0, Z0, Z0

pz_block:
	VCVTPH2PS   (BX), Y1
	VCVTPS2PD   Y1, Z1
	VCVTPS2PD   (AX), Z2
	VFMADD231PD Z1, Z2, Z0
	ADDQ        $32, AX
	ADDQ        $16, BX
	DECQ        CX
	JNZ         pz_block

	VEXTRACTF64X4 $1, Z0, Y1
	VADDPD        Y1, Y0, Y0
	STORE_SUM
	NEXT_ROW
	JNZ           pz_row
	VZEROUPPER
	RET

// func dotHalfBlocks64AVX2(out *float64, query *float32, rows *uint16, width, n int)
TEXT ·dotHalfBlocks64AVX2(SB), NOSPLIT, $0-40
	ARGS

py_row:
	START_ROW
	VXORPD Y0, Y0, Y0
	VXORPD Y4, Y4, Y4

py_block:
	VCVTPH2PS    (BX), Y1
	VEXTRACTF128 $1, Y1, X5
	VCVTPS2PD    X1, Y1
	VCVTPS2PD    X5, Y5
	VCVTPS2PD    (AX), Y2
	VCVTPS2PD    16(AX), Y6
	VFMADD231PD  Y1, Y2, Y0
	VFMADD231PD  Y5, Y6, Y4
	ADDQ         $32, AX
	ADDQ         $16, BX
	DECQ         CX
	JNZ          py_block

	VADDPD Y4, Y0, Y0
	STORE_SUM
	NEXT_ROW
	JNZ    py_row
	VZEROUPPER
	RET

// Adds eight products of the row at the given pointer, with the query's values in Y8 and Y9, to two sums.
#define ADD_EIGHT(row, low, high) \
	VCVTPH2PS (row), X10 \
	VCVTPH2PS 8(row), X11 \
	VCVTPS2PD X10, Y10 \
	VCVTPS2PD X11, Y11 \
	VFMADD231PD Y10, Y8, low \
	VFMADD231PD Y11, Y9, high \
	ADDQ $16, row

// Adds the lanes of both sums, as STORE_SUM does.
#define STORE_SUMS(low, lowX, high, highX, to) \
	VADDPD high, low, low \
	VEXTRACTF128 $1, low, highX \
	VADDPD highX, lowX, lowX \
	VPERMILPD $1, lowX, highX \
	VADDSD highX, lowX, lowX \
	VMOVSD lowX, to

// func dotHalfFour64AVX2(out *float64, query *float32, a, b, c, d, nextA, nextB, nextC, nextD *uint16, width int)
TEXT ·dotHalfFour64AVX2(SB), NOSPLIT, $0-88
	FOUR_ARGS
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7

pf_block:
	VCVTPS2PD (AX), Y8
	VCVTPS2PD 16(AX), Y9
	ADD_EIGHT(R8, Y0, Y4)
	ADD_EIGHT(R9, Y1, Y5)
	ADD_EIGHT(R10, Y2, Y6)
	ADD_EIGHT(R11, Y3, Y7)
	PREFETCH_NEXT
	ADDQ      $32, AX
	DECQ      CX
	JNZ       pf_block

	STORE_SUMS(Y0, X0, Y4, X4, (DI))
	STORE_SUMS(Y1, X1, Y5, X5, 8(DI))
	STORE_SUMS(Y2, X2, Y6, X6, 16(DI))
	STORE_SUMS(Y3, X3, Y7, X7, 24(DI))
	VZEROUPPER
	RET

// Adds eight products of the row at the given pointer, with the query's values in Z8, to the lanes of a sum.
#define ADD_EIGHT_LANES(row, sum) \
	VCVTPH2PS (row), Y10 \
	VCVTPS2PD Y10, Z10 \
	VFMADD231PD Z10, Z8, sum \
	ADDQ $16, row

// func dotHalfFour64AVX512(out *float64, query *float32, a, b, c, d, nextA, nextB, nextC, nextD *uint16, width int)
TEXT ·dotHalfFour64AVX512(SB), NOSPLIT, $0-88
	FOUR_ARGS
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3

pfz_block:
	VCVTPS2PD (AX), Z8
	ADD_EIGHT_LANES(R8, Z0)
	ADD_EIGHT_LANES(R9, Z1)
	ADD_EIGHT_LANES(R10, Z2)
	ADD_EIGHT_LANES(R11, Z3)
	PREFETCH_NEXT
	ADDQ      $32, AX
	DECQ      CX
	JNZ       pfz_block

	VEXTRACTF64X4 $1, Z0, Y4
	VEXTRACTF64X4 $1, Z1, Y5
	VEXTRACTF64X4 $1, Z2, Y6
	VEXTRACTF64X4 $1, Z3, Y7
	STORE_SUMS(Y0, X0, Y4, X4, (DI))
	STORE_SUMS(Y1, X1, Y5, X5, 8(DI))
	STORE_SUMS(Y2, X2, Y6, X6, 16(DI))
	STORE_SUMS(Y3, X3, Y7, X7, 24(DI))
	VZEROUPPER
	RET
