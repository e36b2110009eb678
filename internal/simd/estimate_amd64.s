//go:build !purego

#include "textflag.h"

// func extrapolateAVX2(out, offsets *float32, products *int32, n int, offset, times, more float32)
TEXT ·extrapolateAVX2(SB), NOSPLIT, $0-44
	MOVQ         out+0(FP), DI
	MOVQ         offsets+8(FP), SI
	MOVQ         products+16(FP), DX
	MOVQ         n+24(FP), CX
	VBROADCASTSS offset+32(FP), Y14
	VBROADCASTSS times+36(FP), Y12
	VBROADCASTSS more+40(FP), Y13

e_block:
	VCVTDQ2PS (DX), Y0
	VMULPS    Y12, Y0, Y0
	VADDPS    Y13, Y0, Y0
	VMOVUPS   (SI), Y1
	VMOVUPS   32(SI), Y2
	VSHUFPS   $0x88, Y2, Y1, Y3 // the even values, the middle quarters swapped
	VSHUFPS   $0xDD, Y2, Y1, Y4 // the odd values, likewise
	VPERMPD   $0xD8, Y3, Y3
	VPERMPD   $0xD8, Y4, Y4
	VMULPS    Y4, Y0, Y0
	VADDPS    Y14, Y3, Y3
	VADDPS    Y0, Y3, Y3
	VMOVUPS   Y3, (DI)
	ADDQ      $32, DX
	PREFETCHT0 2048(SI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	SUBQ      $8, CX
	JNZ       e_block
	VZEROUPPER
	RET

// func atLeastAVX2(reached *uint64, values *float32, n int, least float32)
TEXT ·atLeastAVX2(SB), NOSPLIT, $0-28
	MOVQ         reached+0(FP), DI
	MOVQ         values+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS least+24(FP), Y1

a_block:
	VMOVUPS   (SI), Y0
	VCMPPS    $0x1D, Y1, Y0, Y0 // greater or equal, false for NaN
	VMOVMSKPS Y0, AX
	MOVB      AX, (DI)
	ADDQ      $32, SI
	INCQ      DI
	SUBQ      $8, CX
	JNZ       a_block
	VZEROUPPER
	RET
