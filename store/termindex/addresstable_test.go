package termindex

import (
	"strings"
	"testing"
)

// Equal strings at different addresses have entries of their own; strings at one address differ by length.
func TestAddressTable(t *testing.T) {
	var table addressTable
	text := strings.Repeat("abcdefghij", 100)
	var all []string
	for from := range 500 {
		all = append(all, text[from:from+1], text[from:from+7], strings.Clone(text[from:from+7]))
	}
	for i, s := range all {
		if n, known := table.find(s); known {
			t.Fatalf("string %d is known as %d before it was added", i, n)
		}
		table.add(s, uint32(i))
	}
	for i, s := range all {
		if n, known := table.find(s); !known || n != uint32(i) {
			t.Fatalf("string %d is %d, %t", i, n, known)
		}
	}
}
