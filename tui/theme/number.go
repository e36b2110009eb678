package theme

import (
	"fmt"
	"strconv"
	"strings"
)

// Number writes a count with separated thousands: 12,400.
func Number(n int) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range []byte(digits) {
		if i > 0 && d != '-' && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteByte(d)
	}
	return b.String()
}

// Short writes a count in at most five cells: 9,999, 12.4k, 124k, 1.2M.
func Short(n int) string {
	switch {
	case n < 10_000:
		return Number(n)
	case n < 100_000:
		return fmt.Sprintf("%.1fk", float64(n/100)/10)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n/100_000)/10)
}

// Count writes a number with its noun: 1 match, 12,400 matches.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// Percent writes a share: 26%, below ten 4.2%.
func Percent(share float64) string {
	if share > 0 && share < 0.0995 {
		return fmt.Sprintf("%.1f%%", share*100)
	}
	return fmt.Sprintf("%.0f%%", share*100)
}
