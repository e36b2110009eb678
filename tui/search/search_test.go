package search_test

import (
	"testing"

	"lens/tui/search"
)

func TestReadable_DropsWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		`cancel "a b" -x source:claude`:          `cancel "a b" -x source:claude`,
		`cancel source:gone since:soon "a b" -x`: `cancel "a b" -x`,
		"role:user x role:assistant":             "x role:user",
		"foo:bar":                                "foo:bar",
	} {
		if got := search.Readable(text).String(); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func TestRemark_DropsTheHintFirst(t *testing.T) {
	r := search.Remark{Message: "a role needs words", Hint: "add a word"}
	for width, want := range map[int]string{30: "a role needs words; add a word", 29: "a role needs words", 18: "a role needs words", 17: "add a word", 5: "a role needs words"} {
		if got := r.Within(width); got != want {
			t.Errorf("%d cells show %q, want %q", width, got, want)
		}
	}
}
