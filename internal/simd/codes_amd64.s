//go:build !purego

// Kernels for rows of bits and nibbles. All use the same registers: DI out, SI query, DX row, R9 rows left, R10 bytes
// in a row (whole blocks of 64); AX points into the query, CX counts blocks. Where rows are picked, they begin at R12,
// and BX points to the next number; the row 16 rows ahead is prefetched, since it comes from memory.

#include "textflag.h"

#define ARGS \
	MOVQ out+0(FP), DI \
	MOVQ query+8(FP), SI \
	MOVQ rows+16(FP), DX \
	MOVQ width+24(FP), R10 \
	MOVQ n+32(FP), R9

#define PICKED_ARGS \
	MOVQ out+0(FP), DI \
	MOVQ query+8(FP), SI \
	MOVQ rows+16(FP), R12 \
	MOVQ picked+24(FP), BX \
	MOVQ width+32(FP), R10 \
	MOVQ n+40(FP), R9

#define PICK_ROW \
	MOVLQSX (BX), DX \
	IMULQ R10, DX \
	ADDQ R12, DX

#define START_ROW \
	MOVQ SI, AX \
	MOVQ R10, CX \
	SHRQ $6, CX

// Stores the sum of the 32-bit lanes of Y0.
#define STORE_SUM \
	VEXTRACTI128 $1, Y0, X1 \
	VPADDD X1, X0, X0 \
	VPSHUFD $0xEE, X0, X1 \
	VPADDD X1, X0, X0 \
	VPSHUFD $0x55, X0, X1 \
	VPADDD X1, X0, X0 \
	VMOVD X0, (DI)

#define NEXT_ROW \
	ADDQ $4, DI \
	DECQ R9

// Counts the bits in which the row's block in Z4 differs from a query, and adds them to that query's sum.
#define COUNT(query, temporary, sum) \
	VPXORQ query, Z4, temporary \
	VPOPCNTQ temporary, temporary \
	VPADDQ temporary, sum, sum

// func weightedHammingPickedAVX512(out *int32, query, rows *uint64, picked *int32, width, n int)
TEXT ·weightedHammingPickedAVX512(SB), NOSPLIT, $0-48
	PICKED_ARGS
	SHLQ $3, R10
	LEAQ (R10)(R10*2), R11

hz_row:
	PICK_ROW
	CMPQ    R9, $16
	JLE     hz_start
	MOVLQSX 64(BX), R8
	IMULQ   R10, R8
	ADDQ    R12, R8
	MOVQ    R10, CX

hz_prefetch:
	PREFETCHT0 (R8)
	ADDQ       $64, R8
	SUBQ       $64, CX
	JNZ        hz_prefetch

hz_start:
	START_ROW
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3

hz_block:
	VMOVDQU64 (DX), Z4
	COUNT((AX), Z5, Z0)
	COUNT((AX)(R10*1), Z6, Z1)
	COUNT((AX)(R10*2), Z7, Z2)
	COUNT((AX)(R11*1), Z8, Z3)
	ADDQ      $64, AX
	ADDQ      $64, DX
	DECQ      CX
	JNZ       hz_block

	VPSLLQ        $1, Z3, Z3
	VPADDQ        Z3, Z2, Z2
	VPSLLQ        $1, Z1, Z1
	VPADDQ        Z1, Z0, Z0
	VPSLLQ        $2, Z2, Z2
	VPADDQ        Z2, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDQ        Y1, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPADDQ        X1, X0, X0
	VPSHUFD       $0xEE, X0, X1
	VPADDQ        X1, X0, X0
	VMOVD         X0, (DI)
	ADDQ          $4, BX
	NEXT_ROW
	JNZ           hz_row
	VZEROUPPER
	RET

// func dotNibbleRowsAVX512(out *int32, query *int8, rows *byte, width, n int)
TEXT ·dotNibbleRowsAVX512(SB), NOSPLIT, $0-40
	ARGS
	MOVL         $0x0F0F0F0F, R13
	VPBROADCASTD R13, Z5

nz_row:
	START_ROW
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1

nz_block:
	VMOVDQU64 (DX), Z2
	VPSRLW    $4, Z2, Z3
	VPANDQ    Z5, Z2, Z2
	VPANDQ    Z5, Z3, Z3
	VPDPBUSD  (AX), Z2, Z0
	VPDPBUSD  64(AX), Z3, Z1
	ADDQ      $128, AX
	ADDQ      $64, DX
	DECQ      CX
	JNZ       nz_block

	VPADDD        Z1, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDD        Y1, Y0, Y0
	STORE_SUM
	NEXT_ROW
	JNZ           nz_row
	VZEROUPPER
	RET

// Number of bits of each number below 16, twice.
DATA bitsOf<>+0(SB)/8, $0x0302020102010100
DATA bitsOf<>+8(SB)/8, $0x0403030203020201
DATA bitsOf<>+16(SB)/8, $0x0302020102010100
DATA bitsOf<>+24(SB)/8, $0x0403030203020201
GLOBL bitsOf<>(SB), RODATA|NOPTR, $32

// Counts, byte by byte in Y6, the bits in which half a block of the row in Y4 differs from a query (Muła, Kurz and
// Lemire, Faster population counts using AVX2 instructions, 2018).
#define COUNT_BYTES(query) \
	VPXOR query, Y4, Y5 \
	VPAND Y14, Y5, Y6 \
	VPSRLW $4, Y5, Y5 \
	VPAND Y14, Y5, Y5 \
	VPSHUFB Y6, Y15, Y6 \
	VPSHUFB Y5, Y15, Y5 \
	VPADDB Y5, Y6, Y6

// func weightedHammingPickedAVX2(out *int32, query, rows *uint64, picked *int32, width, n int)
TEXT ·weightedHammingPickedAVX2(SB), NOSPLIT, $0-48
	PICKED_ARGS
	SHLQ         $3, R10
	LEAQ         (R10)(R10*2), R11
	MOVL         $0x0F0F0F0F, R13
	MOVQ         R13, X14
	VPBROADCASTD X14, Y14
	VMOVDQU      bitsOf<>(SB), Y15
	VPXOR        Y13, Y13, Y13

hy_row:
	PICK_ROW
	CMPQ    R9, $16
	JLE     hy_start
	MOVLQSX 64(BX), R8
	IMULQ   R10, R8
	ADDQ    R12, R8
	MOVQ    R10, CX

hy_prefetch:
	PREFETCHT0 (R8)
	ADDQ       $64, R8
	SUBQ       $64, CX
	JNZ        hy_prefetch

hy_start:
	START_ROW
	SHLQ  $1, CX
	VPXOR Y0, Y0, Y0

hy_half:
	VMOVDQU (DX), Y4
	COUNT_BYTES((AX)(R11*1))
	VPADDB  Y6, Y6, Y7
	COUNT_BYTES((AX)(R10*2))
	VPADDB  Y6, Y7, Y7
	VPADDB  Y7, Y7, Y7
	COUNT_BYTES((AX)(R10*1))
	VPADDB  Y6, Y7, Y7
	VPADDB  Y7, Y7, Y7
	COUNT_BYTES((AX))
	VPADDB  Y6, Y7, Y7
	VPSADBW Y13, Y7, Y7
	VPADDQ  Y7, Y0, Y0
	ADDQ    $32, AX
	ADDQ    $32, DX
	DECQ    CX
	JNZ     hy_half

	STORE_SUM
	ADDQ $4, BX
	NEXT_ROW
	JNZ  hy_row
	VZEROUPPER
	RET

// Half a block of the row, and the parts of the query for its low and high nibbles.
#define HALF(row, lower, upper) \
	VMOVDQU row, Y2 \
	VPSRLW $4, Y2, Y3 \
	VPAND Y14, Y2, Y2 \
	VPAND Y14, Y3, Y3 \
	VPMADDUBSW lower, Y2, Y2 \
	VPMADDUBSW upper, Y3, Y3 \
	VPADDW Y3, Y2, Y2 \
	VPMADDWD Y15, Y2, Y2 \
	VPADDD Y2, Y0, Y0

// func dotNibbleRowsAVX2(out *int32, query *int8, rows *byte, width, n int)
TEXT ·dotNibbleRowsAVX2(SB), NOSPLIT, $0-40
	ARGS
	MOVL         $0x0F0F0F0F, R13
	MOVQ         R13, X14
	VPBROADCASTD X14, Y14
	VPCMPEQW     Y15, Y15, Y15
	VPABSW       Y15, Y15 // ones

ny_row:
	START_ROW
	VPXOR Y0, Y0, Y0

ny_block:
	HALF((DX), (AX), 64(AX))
	HALF(32(DX), 32(AX), 96(AX))
	ADDQ $128, AX
	ADDQ $64, DX
	DECQ CX
	JNZ  ny_block

	STORE_SUM
	NEXT_ROW
	JNZ ny_row
	VZEROUPPER
	RET

// Looks up both nibbles of a column of 32 rows in the tables at SI, and leaves their sum, at most 120, in column.
#define LOOK_UP(column, temporary, offset) \
	VMOVDQU offset(DX), column \
	VPAND Y14, column, temporary \
	VPSRLW $4, column, column \
	VPAND Y14, column, column \
	VBROADCASTI128 offset(SI), Y7 \
	VPSHUFB temporary, Y7, temporary \
	VBROADCASTI128 (offset+16)(SI), Y7 \
	VPSHUFB column, Y7, column \
	VPADDB temporary, column, column

// Adds two columns to Y12, as words, and those of the odd rows to Y13.
#define TWO_COLUMNS(offset) \
	LOOK_UP(Y0, Y1, offset) \
	LOOK_UP(Y2, Y3, offset+32) \
	PREFETCHT0 (offset+8192)(DX) \
	VPADDB Y2, Y0, Y0 \
	VPSRLW $8, Y0, Y1 \
	VPADDW Y0, Y12, Y12 \
	VPADDW Y1, Y13, Y13

// Stores the 32-bit values of the 16-bit lanes of half of a register.
#define STORE_EIGHT(from, to) \
	VPMOVZXWD from, Y2 \
	VMOVDQU Y2, to

// The tables of two columns at offset of SI, each twice in a register.
#define TWO_TABLES(offset, low, high) \
	VMOVDQU64 offset(SI), Z24 \
	VSHUFI64X2 $0xA0, Z24, Z24, low \
	VSHUFI64X2 $0xF5, Z24, Z24, high

// Looks up both nibbles of two columns of 32 rows, and leaves their sums, at most 120, in columns.
#define LOOK_UP_TWO(columns, temporary, low, high) \
	VPSRLW $4, columns, temporary \
	VPANDQ Z14, columns, columns \
	VPANDQ Z14, temporary, temporary \
	VPSHUFB columns, low, columns \
	VPSHUFB temporary, high, temporary \
	VPADDB temporary, columns, columns

// Adds four columns at offset of a group to words, and those of the odd rows to odd.
#define FOUR_COLUMNS(group, offset, words, odd) \
	VMOVDQU64 offset(group), Z20 \
	VMOVDQU64 (offset+64)(group), Z22 \
	PREFETCHT0 (offset+16384)(group) \
	PREFETCHT0 (offset+16448)(group) \
	LOOK_UP_TWO(Z20, Z21, Z16, Z17) \
	LOOK_UP_TWO(Z22, Z23, Z18, Z19) \
	VPADDB Z22, Z20, Z20 \
	VPSRLW $8, Z20, Z21 \
	VPADDW Z20, words, words \
	VPADDW Z21, odd, odd

// The same for four groups.
#define FOUR_BY_FOUR(offset) \
	TWO_TABLES(offset, Z16, Z17) \
	TWO_TABLES(offset+64, Z18, Z19) \
	FOUR_COLUMNS(DX, offset, Z0, Z1) \
	FOUR_COLUMNS(R8, offset, Z2, Z3) \
	FOUR_COLUMNS(R11, offset, Z4, Z5) \
	FOUR_COLUMNS(R12, offset, Z6, Z7)

// Stores the sums of a group at offset of DI.
#define STORE_GROUP(words, odd, offset) \
	VEXTRACTI64X4 $1, words, Y20 \
	VEXTRACTI64X4 $1, odd, Y21 \
	VPADDW Z20, words, words \
	VPADDW Z21, odd, odd \
	VPSLLW $8, odd, Z20 \
	VPSUBW Z20, words, words \
	VPUNPCKLWD odd, words, Z20 \
	VPUNPCKHWD odd, words, Z21 \
	VINSERTI32X4 $1, X21, Z20, Z22 \
	VPMOVZXWD Y22, Z22 \
	VMOVDQU32 Z22, offset(DI) \
	VEXTRACTI32X4 $1, Z20, X20 \
	VEXTRACTI32X4 $1, Z21, X21 \
	VINSERTI32X4 $1, X21, Z20, Z22 \
	VPMOVZXWD Y22, Z22 \
	VMOVDQU32 Z22, (offset+64)(DI)

// func hammingFourGroupsAVX512(out *int32, table, columns *byte, width, n int)
//
// What hammingGroupsAVX2 does for four groups at once, at DX, R8, R11 and R12, with two columns in a register.
TEXT ·hammingFourGroupsAVX512(SB), NOSPLIT, $0-40
	MOVQ         out+0(FP), DI
	MOVQ         columns+16(FP), DX
	MOVQ         width+24(FP), R10
	MOVQ         n+32(FP), R9
	SHLQ         $5, R10
	MOVL         $0x0F0F0F0F, R13
	VPBROADCASTD R13, Z14

hf_groups:
	MOVQ   table+8(FP), SI
	MOVQ   width+24(FP), CX
	LEAQ   (DX)(R10*1), R8
	LEAQ   (R8)(R10*1), R11
	LEAQ   (R11)(R10*1), R12
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	VPXORQ Z4, Z4, Z4
	VPXORQ Z5, Z5, Z5
	VPXORQ Z6, Z6, Z6
	VPXORQ Z7, Z7, Z7

hf_columns:
	FOUR_BY_FOUR(0)
	FOUR_BY_FOUR(128)
	ADDQ $256, SI
	ADDQ $256, DX
	ADDQ $256, R8
	ADDQ $256, R11
	ADDQ $256, R12
	SUBQ $8, CX
	JNZ  hf_columns

	STORE_GROUP(Z0, Z1, 0)
	STORE_GROUP(Z2, Z3, 128)
	STORE_GROUP(Z4, Z5, 256)
	STORE_GROUP(Z6, Z7, 384)
	MOVQ R12, DX
	ADDQ $512, DI
	DECQ R9
	JNZ  hf_groups
	VZEROUPPER
	RET

// func hammingGroupsAVX2(out *int32, table, columns *byte, width, n int)
//
// A comparison by table (André, Kermarrec and Le Scouarnec, Cache locality is not enough, 2015). A byte of two columns
// holds at most 240, and the words of Y12 overflow into nothing: less those of the odd rows, they are the even rows.
TEXT ·hammingGroupsAVX2(SB), NOSPLIT, $0-40
	MOVQ         out+0(FP), DI
	MOVQ         columns+16(FP), DX
	MOVQ         n+32(FP), R9
	MOVL         $0x0F0F0F0F, R13
	MOVQ         R13, X14
	VPBROADCASTD X14, Y14

hg_group:
	MOVQ  table+8(FP), SI
	MOVQ  width+24(FP), CX
	VPXOR Y12, Y12, Y12
	VPXOR Y13, Y13, Y13

hg_columns:
	TWO_COLUMNS(0)
	TWO_COLUMNS(64)
	TWO_COLUMNS(128)
	TWO_COLUMNS(192)
	ADDQ $256, SI
	ADDQ $256, DX
	SUBQ $8, CX
	JNZ  hg_columns

	VPSLLW       $8, Y13, Y0
	VPSUBW       Y0, Y12, Y12
	VPUNPCKLWD   Y13, Y12, Y0 // rows 0 to 7 and 16 to 23
	VPUNPCKHWD   Y13, Y12, Y1 // rows 8 to 15 and 24 to 31
	STORE_EIGHT(X0, (DI))
	STORE_EIGHT(X1, 32(DI))
	VEXTRACTI128 $1, Y0, X0
	VEXTRACTI128 $1, Y1, X1
	STORE_EIGHT(X0, 64(DI))
	STORE_EIGHT(X1, 96(DI))
	ADDQ         $128, DI
	DECQ         R9
	JNZ          hg_group
	VZEROUPPER
	RET
