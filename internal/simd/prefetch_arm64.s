//go:build !purego

#include "textflag.h"

// func prefetch(first unsafe.Pointer, lines int)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVD first+0(FP), R0
	MOVD lines+8(FP), R1

f_line:
	PRFM (R0), PLDL1KEEP
	ADD  $64, R0
	SUBS $1, R1
	BNE  f_line
	RET
