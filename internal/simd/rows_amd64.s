//go:build !purego

// Row kernels. All use the same registers: DI out, SI query, DX row, R8 width, R9 rows left, R10 bytes in a row;
// AX and BX point into the query and the row, CX counts blocks.

#include "textflag.h"

#define ARGS(rowShift) \
	MOVQ out+0(FP), DI \
	MOVQ query+8(FP), SI \
	MOVQ rows+16(FP), DX \
	MOVQ width+24(FP), R8 \
	MOVQ n+32(FP), R9 \
	MOVQ R8, R10 \
	SHLQ $rowShift, R10

#define START_ROW \
	MOVQ SI, AX \
	MOVQ DX, BX

#define NEXT_ROW \
	ADDQ R10, DX \
	ADDQ $4, DI \
	DECQ R9

// Leaves the sum of the eight float lanes of Y0 in the low lane of X0.
#define SUMF \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0 \
	VHADDPS X0, X0, X0 \
	VHADDPS X0, X0, X0

#define FOLD512F \
	VADDPS Z1, Z0, Z0 \
	VADDPS Z3, Z2, Z2 \
	VADDPS Z2, Z0, Z0 \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPS Y1, Y0, Y0

#define FOLD256F \
	VADDPS Y1, Y0, Y0 \
	VADDPS Y3, Y2, Y2 \
	VADDPS Y2, Y0, Y0

// func dotRowsAVX512(out, query, rows *float32, width, n int)
TEXT ·dotRowsAVX512(SB), NOSPLIT, $0-40
	ARGS(2)
	MOVQ R8, R11
	SHRQ $6, R11
	SHRQ $4, R8
	ANDQ $3, R8

sz_row:
	START_ROW
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	MOVQ   R11, CX
	TESTQ  CX, CX
	JZ     sz_rest

sz_block:
	VMOVUPS     (BX), Z4
	VMOVUPS     64(BX), Z5
	VMOVUPS     128(BX), Z6
	VMOVUPS     192(BX), Z7
	VFMADD231PS (AX), Z4, Z0
	VFMADD231PS 64(AX), Z5, Z1
	VFMADD231PS 128(AX), Z6, Z2
	VFMADD231PS 192(AX), Z7, Z3
	ADDQ        $256, AX
	ADDQ        $256, BX
	DECQ        CX
	JNZ         sz_block

sz_rest:
	MOVQ  R8, CX
	TESTQ CX, CX
	JZ    sz_sum

sz_small:
	VMOVUPS     (BX), Z4
	VFMADD231PS (AX), Z4, Z0
	ADDQ        $64, AX
	ADDQ        $64, BX
	DECQ        CX
	JNZ         sz_small

sz_sum:
	FOLD512F
	SUMF
	VMOVSS X0, (DI)
	NEXT_ROW
	JNZ    sz_row
	VZEROUPPER
	RET

// func dotRowsAVX2(out, query, rows *float32, width, n int)
TEXT ·dotRowsAVX2(SB), NOSPLIT, $0-40
	ARGS(2)
	MOVQ R8, R11
	SHRQ $5, R11
	SHRQ $3, R8
	ANDQ $3, R8

sy_row:
	START_ROW
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	MOVQ   R11, CX
	TESTQ  CX, CX
	JZ     sy_rest

sy_block:
	VMOVUPS     (BX), Y4
	VMOVUPS     32(BX), Y5
	VMOVUPS     64(BX), Y6
	VMOVUPS     96(BX), Y7
	VFMADD231PS (AX), Y4, Y0
	VFMADD231PS 32(AX), Y5, Y1
	VFMADD231PS 64(AX), Y6, Y2
	VFMADD231PS 96(AX), Y7, Y3
	ADDQ        $128, AX
	ADDQ        $128, BX
	DECQ        CX
	JNZ         sy_block

sy_rest:
	MOVQ  R8, CX
	TESTQ CX, CX
	JZ    sy_sum

sy_small:
	VMOVUPS     (BX), Y4
	VFMADD231PS (AX), Y4, Y0
	ADDQ        $32, AX
	ADDQ        $32, BX
	DECQ        CX
	JNZ         sy_small

sy_sum:
	FOLD256F
	SUMF
	VMOVSS X0, (DI)
	NEXT_ROW
	JNZ    sy_row
	VZEROUPPER
	RET
