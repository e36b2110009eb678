//go:build !purego

// Maximum, e^x and GELU over whole blocks of floats, as defined in activation.go. DI points to the values, CX counts
// blocks.

#include "textflag.h"

DATA ·activation+0(SB)/4, $0x3fb8aa3b // log2e
DATA ·activation+4(SB)/4, $0x3f318000 // ln2high
DATA ·activation+8(SB)/4, $0xb95e8083 // ln2low
DATA ·activation+12(SB)/4, $0xc2ae0000 // floor
DATA ·activation+16(SB)/4, $0x39500d01 // e7
DATA ·activation+20(SB)/4, $0x3ab60b61 // e6
DATA ·activation+24(SB)/4, $0x3c088889 // e5
DATA ·activation+28(SB)/4, $0x3d2aaaab // e4
DATA ·activation+32(SB)/4, $0x3e2aaaab // e3
DATA ·activation+36(SB)/4, $0x3f000000 // half
DATA ·activation+40(SB)/4, $0x3f800000 // one
DATA ·activation+44(SB)/4, $0x3f3504f3 // sqrthalf
DATA ·activation+48(SB)/4, $0x38349f67 // g6
DATA ·activation+52(SB)/4, $0x39910039 // g5
DATA ·activation+56(SB)/4, $0x391f6607 // g4
DATA ·activation+60(SB)/4, $0x3c17e369 // g3
DATA ·activation+64(SB)/4, $0x3d2d2fe7 // g2
DATA ·activation+68(SB)/4, $0x3d906e67 // g1
DATA ·activation+72(SB)/4, $0x7fffffff // absolute
GLOBL ·activation(SB), RODATA|NOPTR, $76

// MAX_OF_Y0 leaves the maximum of Y0 in X0.
#define MAX_OF_Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VMAXPS X1, X0, X0 \
	VPERMILPS $0x4e, X0, X1 \
	VMAXPS X1, X0, X0 \
	VPERMILPS $0xb1, X0, X1 \
	VMAXPS X1, X0, X0 \
	VZEROUPPER

// func maxAVX512(v *float32, blocks int) float32
TEXT ·maxAVX512(SB), NOSPLIT, $0-20
	MOVQ v+0(FP), DI
	MOVQ blocks+8(FP), CX
	VMOVUPS (DI), Z0

zmax_block:
	VMAXPS (DI), Z0, Z0
	ADDQ $64, DI
	DECQ CX
	JNZ  zmax_block
	VEXTRACTF64X4 $1, Z0, Y1
	VMAXPS Y1, Y0, Y0
	MAX_OF_Y0
	MOVSS X0, ret+16(FP)
	RET

// func maxAVX2(v *float32, blocks int) float32
TEXT ·maxAVX2(SB), NOSPLIT, $0-20
	MOVQ v+0(FP), DI
	MOVQ blocks+8(FP), CX
	VMOVUPS (DI), Y0

ymax_block:
	VMAXPS (DI), Y0, Y0
	ADDQ $32, DI
	DECQ CX
	JNZ  ymax_block
	MAX_OF_Y0
	MOVSS X0, ret+16(FP)
	RET

// func expSumAVX512(v *float32, blocks int, shift, scale float32) float32
TEXT ·expSumAVX512(SB), NOSPLIT, $0-28
	MOVQ v+0(FP), DI
	MOVQ blocks+8(FP), CX
	VBROADCASTSS shift+16(FP), Z4
	VBROADCASTSS scale+20(FP), Z5
	VBROADCASTSS ·activation+0(SB), Z6
	VBROADCASTSS ·activation+4(SB), Z7
	VBROADCASTSS ·activation+8(SB), Z8
	VBROADCASTSS ·activation+12(SB), Z9
	VBROADCASTSS ·activation+16(SB), Z10
	VBROADCASTSS ·activation+20(SB), Z11
	VBROADCASTSS ·activation+24(SB), Z12
	VBROADCASTSS ·activation+28(SB), Z13
	VBROADCASTSS ·activation+32(SB), Z14
	VBROADCASTSS ·activation+36(SB), Z16
	VBROADCASTSS ·activation+40(SB), Z17
	VPXORQ Z0, Z0, Z0

zexp_block:
	VMOVUPS (DI), Z1
	VSUBPS Z4, Z1, Z1
	VMULPS Z5, Z1, Z1
	VCMPPS $13, Z9, Z1, K1 // x >= floor
	VMULPS Z6, Z1, Z2
	VRNDSCALEPS $0, Z2, Z2
	VMOVAPS Z1, Z3
	VFNMADD231PS Z7, Z2, Z3
	VFNMADD231PS Z8, Z2, Z3
	VMOVAPS Z10, Z18
	VFMADD213PS Z11, Z3, Z18
	VFMADD213PS Z12, Z3, Z18
	VFMADD213PS Z13, Z3, Z18
	VFMADD213PS Z14, Z3, Z18
	VFMADD213PS Z16, Z3, Z18
	VFMADD213PS Z17, Z3, Z18
	VFMADD213PS Z17, Z3, Z18
	VCVTPS2DQ Z2, Z2
	VPSLLD $23, Z2, Z2
	VPADDD Z2, Z18, Z18
	VMOVAPS.Z Z18, K1, Z18
	VMOVUPS Z18, (DI)
	VADDPS Z18, Z0, Z0
	ADDQ $64, DI
	DECQ CX
	JNZ  zexp_block
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPS Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VHADDPS X0, X0, X0
	VHADDPS X0, X0, X0
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func expSumAVX2(v *float32, blocks int, shift, scale float32) float32
TEXT ·expSumAVX2(SB), NOSPLIT, $0-28
	MOVQ v+0(FP), DI
	MOVQ blocks+8(FP), CX
	VBROADCASTSS shift+16(FP), Y4
	VBROADCASTSS scale+20(FP), Y5
	VBROADCASTSS ·activation+4(SB), Y7
	VBROADCASTSS ·activation+8(SB), Y8
	VBROADCASTSS ·activation+16(SB), Y9
	VBROADCASTSS ·activation+20(SB), Y10
	VBROADCASTSS ·activation+24(SB), Y11
	VBROADCASTSS ·activation+28(SB), Y12
	VBROADCASTSS ·activation+32(SB), Y13
	VBROADCASTSS ·activation+36(SB), Y14
	VBROADCASTSS ·activation+40(SB), Y15
	VXORPS Y0, Y0, Y0

yexp_block:
	VMOVUPS (DI), Y1
	VSUBPS Y4, Y1, Y1
	VMULPS Y5, Y1, Y1
	VBROADCASTSS ·activation+0(SB), Y6
	VMULPS Y6, Y1, Y2
	VROUNDPS $0, Y2, Y2
	VMOVAPS Y1, Y3
	VFNMADD231PS Y7, Y2, Y3
	VFNMADD231PS Y8, Y2, Y3
	VBROADCASTSS ·activation+12(SB), Y6
	VCMPPS $13, Y6, Y1, Y1 // x >= floor
	VMOVAPS Y9, Y6
	VFMADD213PS Y10, Y3, Y6
	VFMADD213PS Y11, Y3, Y6
	VFMADD213PS Y12, Y3, Y6
	VFMADD213PS Y13, Y3, Y6
	VFMADD213PS Y14, Y3, Y6
	VFMADD213PS Y15, Y3, Y6
	VFMADD213PS Y15, Y3, Y6
	VCVTPS2DQ Y2, Y2
	VPSLLD $23, Y2, Y2
	VPADDD Y2, Y6, Y6
	VANDPS Y1, Y6, Y6
	VMOVUPS Y6, (DI)
	VADDPS Y6, Y0, Y0
	ADDQ $32, DI
	DECQ CX
	JNZ  yexp_block
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VHADDPS X0, X0, X0
	VHADDPS X0, X0, X0
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func geluAVX512(v *float32, blocks int)
TEXT ·geluAVX512(SB), NOSPLIT, $0-16
	MOVQ v+0(FP), DI
	MOVQ blocks+8(FP), CX
	VBROADCASTSS ·activation+72(SB), Z4
	VBROADCASTSS ·activation+44(SB), Z5
	VBROADCASTSS ·activation+48(SB), Z6
	VBROADCASTSS ·activation+52(SB), Z7
	VBROADCASTSS ·activation+56(SB), Z8
	VBROADCASTSS ·activation+60(SB), Z9
	VBROADCASTSS ·activation+64(SB), Z10
	VBROADCASTSS ·activation+68(SB), Z11
	VBROADCASTSS ·activation+40(SB), Z12
	VBROADCASTSS ·activation+36(SB), Z13

zgelu_block:
	VMOVUPS (DI), Z0
	VANDPS Z4, Z0, Z1
	VMULPS Z5, Z1, Z1
	VMOVAPS Z6, Z2
	VFMADD213PS Z7, Z1, Z2
	VFMADD213PS Z8, Z1, Z2
	VFMADD213PS Z9, Z1, Z2
	VFMADD213PS Z10, Z1, Z2
	VFMADD213PS Z11, Z1, Z2
	VFMADD213PS Z12, Z1, Z2
	VMULPS Z2, Z2, Z2
	VMULPS Z2, Z2, Z2
	VMULPS Z2, Z2, Z2
	VMULPS Z2, Z2, Z2
	VMULPS Z13, Z0, Z3
	VDIVPS Z2, Z3, Z3 // x/2 * (1 - erf)
	VPMOVD2M Z0, K1 // lanes below zero
	VSUBPS Z3, Z0, Z0
	VMOVAPS Z3, K1, Z0
	VMOVUPS Z0, (DI)
	ADDQ $64, DI
	DECQ CX
	JNZ  zgelu_block
	VZEROUPPER
	RET

// func geluAVX2(v *float32, blocks int)
TEXT ·geluAVX2(SB), NOSPLIT, $0-16
	MOVQ v+0(FP), DI
	MOVQ blocks+8(FP), CX
	VBROADCASTSS ·activation+72(SB), Y4
	VBROADCASTSS ·activation+44(SB), Y5
	VBROADCASTSS ·activation+48(SB), Y6
	VBROADCASTSS ·activation+52(SB), Y7
	VBROADCASTSS ·activation+56(SB), Y8
	VBROADCASTSS ·activation+60(SB), Y9
	VBROADCASTSS ·activation+64(SB), Y10
	VBROADCASTSS ·activation+68(SB), Y11
	VBROADCASTSS ·activation+40(SB), Y12
	VBROADCASTSS ·activation+36(SB), Y13

ygelu_block:
	VMOVUPS (DI), Y0
	VANDPS Y4, Y0, Y1
	VMULPS Y5, Y1, Y1
	VMOVAPS Y6, Y2
	VFMADD213PS Y7, Y1, Y2
	VFMADD213PS Y8, Y1, Y2
	VFMADD213PS Y9, Y1, Y2
	VFMADD213PS Y10, Y1, Y2
	VFMADD213PS Y11, Y1, Y2
	VFMADD213PS Y12, Y1, Y2
	VMULPS Y2, Y2, Y2
	VMULPS Y2, Y2, Y2
	VMULPS Y2, Y2, Y2
	VMULPS Y2, Y2, Y2
	VMULPS Y13, Y0, Y3
	VDIVPS Y2, Y3, Y3 // x/2 * (1 - erf)
	VSUBPS Y3, Y0, Y1
	VBLENDVPS Y0, Y3, Y1, Y0 // the tail in lanes below zero
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	DECQ CX
	JNZ  ygelu_block
	VZEROUPPER
	RET
