package store

import (
	"strings"

	"github.com/google/uuid"
)

// PrefixRange returns the least and the greatest id that begin with prefix (lower-case hex digits and
// hyphens). ok is false if prefix is not part of a UUID.
func PrefixRange(prefix string) (first, last uuid.UUID, ok bool) {
	const (
		least    = "00000000-0000-0000-0000-000000000000"
		greatest = "ffffffff-ffff-ffff-ffff-ffffffffffff"
	)
	if len(prefix) > len(least) || prefix != strings.ToLower(prefix) {
		return first, last, false
	}
	first, err := uuid.Parse(prefix + least[len(prefix):])
	if err != nil {
		return first, last, false
	}
	last, err = uuid.Parse(prefix + greatest[len(prefix):])
	return first, last, err == nil
}
