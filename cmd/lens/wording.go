package main

import (
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"
)

// count is a number and what is counted: "1 turn", "1,560 turns".
func count[N int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}

// grouped writes a number with a comma between thousands.
func grouped[N int | int64](n N) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// upperFirst begins a sentence.
func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// about is a duration as people say it.
func about(d time.Duration) string {
	switch {
	case d <= 0:
		return "unknown"
	case d < time.Minute:
		return "under a minute"
	case d < 90*time.Minute:
		return count(int(d.Round(time.Minute)/time.Minute), "minute")
	}
	return count(int(d.Round(time.Hour)/time.Hour), "hour")
}

// dollars is a price as people write it.
func dollars(usd float64) string {
	if usd > 0 && usd < 0.01 {
		return "less than $0.01"
	}
	return fmt.Sprintf("$%.2f", usd)
}
