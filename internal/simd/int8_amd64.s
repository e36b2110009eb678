//go:build !purego

// DI out, SI query, DX row, R8 bytes a row, R9 rows left, R11 blocks of 64 a row; AX and BX walk the query and the row, CX counts
// blocks.

#include "textflag.h"

// The instruction multiplies bytes without a sign by bytes with one: rows are read 128 too large, and every sum begins at -128
// times that of the query, in Z4.

// func dotInt8RowsVNNI(out *int32, query, rows *int8, width, n int)
TEXT ·dotInt8RowsVNNI(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ query+8(FP), SI
	MOVQ rows+16(FP), DX
	MOVQ width+24(FP), R8
	MOVQ n+32(FP), R9
	MOVQ R8, R11
	SHRQ $6, R11

	MOVL         $0x80808080, R13
	VPBROADCASTD R13, Z5
	VPXORQ       Z4, Z4, Z4
	VPXORQ       Z3, Z3, Z3
	MOVQ         SI, AX
	MOVQ         R11, CX
	TESTQ        CX, CX
	JZ           v_row

v_query:
	VPDPBUSD (AX), Z5, Z3
	ADDQ     $64, AX
	DECQ     CX
	JNZ      v_query
	VPSUBD   Z3, Z4, Z4

v_row:
	MOVQ      SI, AX
	MOVQ      DX, BX
	VMOVDQA64 Z4, Z0
	MOVQ      R11, CX
	TESTQ     CX, CX
	JZ        v_sum

v_block:
	VPXORQ   (BX), Z5, Z1
	VPDPBUSD (AX), Z1, Z0
	ADDQ     $64, AX
	ADDQ     $64, BX
	DECQ     CX
	JNZ      v_block

v_sum:
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDD        Y1, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPADDD        X1, X0, X0
	VPSHUFD       $0xEE, X0, X1
	VPADDD        X1, X0, X0
	VPSHUFD       $0x55, X0, X1
	VPADDD        X1, X0, X0
	VMOVD         X0, (DI)
	ADDQ          R8, DX
	ADDQ          $4, DI
	DECQ          R9
	JNZ           v_row
	VZEROUPPER
	RET
