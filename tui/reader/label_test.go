package reader

import (
	"testing"

	"lens/tui/theme"
)

func TestLabel(t *testing.T) {
	for _, c := range []struct {
		opening string
		width   int
		want    string
	}{
		{"Is select! fair?", 40, "Is select! fair?"},
		{"Thanks. Our consumer group lags. What now?", 40, "Our consumer group lags"},
		{"Thanks! OK.", 40, "Thanks! OK"},
		{"Explain the difference between ROWS and RANGE.", 16, "Explain the dif…"},
		{"Explain the difference, between ROWS and RANGE.", 24, "Explain the difference…"},
		{"Explain the difference between ROWS and RANGE.", 34, "Explain the difference between…"},
		{"Donaudampfschifffahrtsgesellschaft", 14, "Donaudampfsch…"},
		{"ありがとう。データベースを説明してください。それから", 40, "データベースを説明してください。"},
		{"Who wrote about J. R. R. Tolkien? And when?", 40, "Who wrote about J. R. R. Tolkien?"},
		{"What may the U.S. President sign? Nothing?", 40, "What may the U.S. President sign?"},
		{"What is the name of Mr. Darcy's house? Tell me.", 48, "What is the name of Mr. Darcy's house?"},
		{"We moved to Berlin. What now?", 40, "We moved to Berlin"},
		{"I have waited... What now?", 40, "I have waited..."},
		{"I have waited...", 40, "I have waited..."},
		{"", 14, ""},
	} {
		got := label(c.opening, c.width, "…")
		if got != c.want || theme.Width(got) > c.width {
			t.Errorf("%q in %d cells is %q, want %q", c.opening, c.width, got, c.want)
		}
	}
}
