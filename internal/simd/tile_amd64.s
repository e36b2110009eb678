//go:build !purego

// The matrix product of a tile: c[rows][columns] += a·b over k steps. a and b are packed so that the values of a step
// are adjacent. DI c, R8 bytes in a row of c, SI a, DX b, CX steps left.

#include "textflag.h"

#define ARGS \
	MOVQ c+0(FP), DI \
	MOVQ ldc+8(FP), R8 \
	SHLQ $2, R8 \
	MOVQ a+16(FP), SI \
	MOVQ b+24(FP), DX \
	MOVQ k+32(FP), CX

#define CLEAR512(l, r) \
	VPXORQ l, l, l \
	VPXORQ r, r, r

#define ROW512(offset, l, r) \
	VBROADCASTSS offset(SI), Z26 \
	VFMADD231PS Z24, Z26, l \
	VFMADD231PS Z25, Z26, r

#define STORE512(l, r) \
	VADDPS (DI), l, l \
	VADDPS 64(DI), r, r \
	VMOVUPS l, (DI) \
	VMOVUPS r, 64(DI) \
	ADDQ R8, DI

// func tileAVX512(c *float32, ldc int, a, b *float32, k int): 12 rows, 32 columns
TEXT ·tileAVX512(SB), NOSPLIT, $0-40
	ARGS
	CLEAR512(Z0, Z1)
	CLEAR512(Z2, Z3)
	CLEAR512(Z4, Z5)
	CLEAR512(Z6, Z7)
	CLEAR512(Z8, Z9)
	CLEAR512(Z10, Z11)
	CLEAR512(Z12, Z13)
	CLEAR512(Z14, Z15)
	CLEAR512(Z16, Z17)
	CLEAR512(Z18, Z19)
	CLEAR512(Z20, Z21)
	CLEAR512(Z22, Z23)

z_step:
	VMOVUPS (DX), Z24
	VMOVUPS 64(DX), Z25
	ROW512(0, Z0, Z1)
	ROW512(4, Z2, Z3)
	ROW512(8, Z4, Z5)
	ROW512(12, Z6, Z7)
	ROW512(16, Z8, Z9)
	ROW512(20, Z10, Z11)
	ROW512(24, Z12, Z13)
	ROW512(28, Z14, Z15)
	ROW512(32, Z16, Z17)
	ROW512(36, Z18, Z19)
	ROW512(40, Z20, Z21)
	ROW512(44, Z22, Z23)
	ADDQ    $48, SI
	ADDQ    $128, DX
	DECQ    CX
	JNZ     z_step

	STORE512(Z0, Z1)
	STORE512(Z2, Z3)
	STORE512(Z4, Z5)
	STORE512(Z6, Z7)
	STORE512(Z8, Z9)
	STORE512(Z10, Z11)
	STORE512(Z12, Z13)
	STORE512(Z14, Z15)
	STORE512(Z16, Z17)
	STORE512(Z18, Z19)
	STORE512(Z20, Z21)
	STORE512(Z22, Z23)
	VZEROUPPER
	RET

#define CLEAR256(l, r) \
	VXORPS l, l, l \
	VXORPS r, r, r

#define ROW256(offset, l, r) \
	VBROADCASTSS offset(SI), Y14 \
	VFMADD231PS Y12, Y14, l \
	VFMADD231PS Y13, Y14, r

#define STORE256(l, r) \
	VADDPS (DI), l, l \
	VADDPS 32(DI), r, r \
	VMOVUPS l, (DI) \
	VMOVUPS r, 32(DI) \
	ADDQ R8, DI

// func tileAVX2(c *float32, ldc int, a, b *float32, k int): 6 rows, 16 columns
TEXT ·tileAVX2(SB), NOSPLIT, $0-40
	ARGS
	CLEAR256(Y0, Y1)
	CLEAR256(Y2, Y3)
	CLEAR256(Y4, Y5)
	CLEAR256(Y6, Y7)
	CLEAR256(Y8, Y9)
	CLEAR256(Y10, Y11)

y_step:
	VMOVUPS (DX), Y12
	VMOVUPS 32(DX), Y13
	ROW256(0, Y0, Y1)
	ROW256(4, Y2, Y3)
	ROW256(8, Y4, Y5)
	ROW256(12, Y6, Y7)
	ROW256(16, Y8, Y9)
	ROW256(20, Y10, Y11)
	ADDQ    $24, SI
	ADDQ    $64, DX
	DECQ    CX
	JNZ     y_step

	STORE256(Y0, Y1)
	STORE256(Y2, Y3)
	STORE256(Y4, Y5)
	STORE256(Y6, Y7)
	STORE256(Y8, Y9)
	STORE256(Y10, Y11)
	VZEROUPPER
	RET
