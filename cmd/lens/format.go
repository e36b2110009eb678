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
	case d < 10*time.Second:
		return "under 10 seconds"
	case d < 100*time.Second:
		return count(int(d.Round(5*time.Second)/time.Second), "second")
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

// percent writes a share as people do: 6.7%.
func percent(share float64) string {
	switch p := 100 * share; {
	case share == 0:
		return "none"
	case p < 0.1:
		return "under 0.1%"
	case p < 10:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", p), ".0") + "%"
	default:
		return fmt.Sprintf("%.0f%%", p)
	}
}

// rounded1 writes a number with a decimal if it is small.
func rounded1(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// chance writes a p-value as people do.
func chance(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return fmt.Sprintf("p = %.3f", p)
}

// bytesOf writes a size as people do.
func bytesOf(n int64) string {
	switch {
	case n >= 10e9:
		return grouped(n/1e9) + " GB"
	case n >= 1e6:
		return grouped((n+5e5)/1e6) + " MB"
	}
	return grouped((n+999)/1e3) + " kB"
}
