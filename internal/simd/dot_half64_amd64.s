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
