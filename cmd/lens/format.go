package main

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// unwrap joins the lines of each paragraph, so that the source can break lines that the screen breaks elsewhere.
func unwrap(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, lines := range paragraphs {
		paragraphs[i] = strings.ReplaceAll(lines, "\n", " ")
	}
	return strings.Join(paragraphs, "\n\n")
}

// count writes a number and what is counted: "1 turn", "1,560 turns".
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

// upperFirst capitalizes the first letter.
func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// about writes an estimated duration as people do.
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

// dollars writes a price as people do.
func dollars(usd float64) string {
	if usd > 0 && usd < 0.01 {
		return "less than $0.01"
	}
	return fmt.Sprintf("$%.2f", usd)
}
