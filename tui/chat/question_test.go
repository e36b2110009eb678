package chat

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"lens/internal/cleantext"
	"lens/tui/ui"
)

// typed returns a question of a width with text in it, after some edits.
func typed(width int, text string, ids ...string) *Question {
	q := newQuestion()
	q.SetWidth(width)
	q.Insert(text)
	return q.edited(ids...)
}

func (q *Question) edited(ids ...string) *Question {
	for _, id := range ids {
		for _, e := range edits {
			if e.id == id {
				q.Press(e.key)
			}
		}
	}
	return q
}

// linesOf returns the lines of a question without the prompt.
func linesOf(q *Question, width, height int) []string {
	lines := q.View(width, height, true, "", mono)
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Cut(ansi.Strip(line), promptWidth, width), " ")
	}
	return lines
}

func TestQuestion_Cursor(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		width int // of the text
		want  string
		x, y  int
	}{
		"empty":                         {"", 10, "", 0, 0},
		"one line":                      {"bread", 10, "bread", 5, 0},
		"a break":                       {"bread\nand butter", 12, "bread|and butter", 10, 1},
		"a break at the end":            {"bread\n", 12, "bread|", 0, 1},
		"words are wrapped":             {"bread and butter", 10, "bread and|butter", 6, 1},
		"a word longer than the line":   {"abcdefgh", 3, "abc|def|gh", 2, 2},
		"a full line":                   {"abc", 3, "abc|", 0, 1},
		"wide characters":               {"東京の天気", 7, "東京の|天気", 4, 1},
		"a wide one behind a narrow":    {"a東京", 4, "a東|京", 2, 1},
		"wide ones are not cut in half": {"abc東", 4, "abc東|", 0, 1},
		"emoji":                         {"🍅🍅 x", 10, "🍅🍅 x", 6, 0},
		"flags":                         {"🇩🇪🇫🇷", 10, "🇩🇪🇫🇷", 4, 0},
		"marks":                         {"cafe\u0301", 10, "cafe\u0301", 4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			width := c.width + promptWidth + 1
			q := typed(width, c.text)
			rows := q.Rows(9)
			x, y := q.Cursor(rows)
			if got := strings.Join(linesOf(q, width, rows), "|"); got != c.want || x != promptWidth+c.x || y != c.y {
				t.Errorf("drawn is %q with the cursor at %d,%d", got, x-promptWidth, y)
			}
		})
	}
}

func TestQuestion_EditsWholeCharacters(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		ids  []string
		want string
	}{
		"a flag is deleted":             {"x🇩🇪", []string{"delete-back"}, "x"},
		"a letter with a mark":          {"cafe\u0301", []string{"delete-back"}, "caf"},
		"forward":                       {"🇩🇪x", []string{"to-start", "delete"}, "x"},
		"left is one step":              {"🇩🇪", []string{"left", "delete"}, ""},
		"right is one step":             {"🇩🇪x", []string{"to-start", "right", "delete"}, "🇩🇪"},
		"a word back":                   {"one two", []string{"delete-word"}, "one "},
		"lines are joined":              {"a\nb", []string{"to-start", "delete-back"}, "ab"},
		"a selected character":          {"x🇩🇪", []string{"select-left", "delete-back"}, "x"},
		"a selection is deleted once":   {"one two", []string{"select-word-left", "delete-back"}, "one "},
		"all is selected":               {"a\nb\nc", []string{"select-all", "delete"}, ""},
		"selected lines":                {"a\nb\nc", []string{"select-up", "delete"}, "a\nb"},
		"to the end of the line":        {"a b\nc", []string{"to-first-line", "delete-to-end"}, "\nc"},
		"back to the start of the line": {"a\nb c", []string{"clear"}, "a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := typed(40, c.text, c.ids...).Text(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestQuestion_UpLeadsBetweenCharacters(t *testing.T) {
	for _, column := range []string{"a", "abc", "abcd"} {
		q := typed(40, "🇩🇪🇫🇷\n"+column)
		q.Press(tea.KeyPressMsg{Code: tea.KeyUp})
		if q.Insert("x"); strings.Count(q.Text(), "🇩🇪")+strings.Count(q.Text(), "🇫🇷") != 2 {
			t.Errorf("up from column %d leads into a flag: %q", len(column), q.Text())
		}
	}
}

func TestQuestion_TypingReplacesTheSelection(t *testing.T) {
	q := typed(40, "what is it", "select-word-left", "select-word-left")
	if q.Selected() != "is it" {
		t.Fatalf("selected is %q", q.Selected())
	}
	if view := q.View(40, 1, true, "", mono)[0]; !strings.Contains(view, "\x1b[7mis it") {
		t.Errorf("the selection is drawn as %q", view)
	}
	if q.Insert("now?"); q.Text() != "what now?" || q.Selected() != "" {
		t.Errorf("got %q", q.Text())
	}
}

func TestQuestion_InsertsCleanAndBounded(t *testing.T) {
	q := typed(40, "a\x1b[31m\tb\r\n\u202ec")
	if got := q.Text(); strings.ContainsAny(got, "\x1b\t\r\u202e") || !strings.Contains(got, "\n") {
		t.Errorf("got %q", got)
	}
	if q.Insert(strings.Repeat("x", longest)); len(q.Text()) > longest {
		t.Error("too long a text is taken")
	}
}

func TestQuestion_PointMovesTheCursor(t *testing.T) {
	q := typed(12, "one two three\n東京")
	for _, at := range [][2]int{{promptWidth, 0}, {promptWidth + 2, 1}, {promptWidth + 2, 2}, {promptWidth + 4, 2}} {
		q.Point(at[0], at[1], 3)
		if x, y := q.Cursor(3); x != at[0] || y != at[1] {
			t.Errorf("a click at %v leads to %d,%d", at, x, y)
		}
	}
}

// dropDisputed drops the runes that textarea counts as narrower than they are. At the start of a row they may join the
// prompt.
func dropDisputed(r rune) rune {
	if uniseg.StringWidth(string(r)) < ansi.StringWidth(string(r)) {
		return -1
	}
	return r
}

func TestQuestion_WrapsWhatTextareaCountsAsNarrower(t *testing.T) {
	for name, text := range map[string]string{
		"vowel signs": strings.Repeat("বাংলা", 6), "hexagrams": strings.Repeat("䷀䷁ ", 9), "a skin tone": "\u00ad🏿A⺀",
	} {
		for width := 8; width < 24; width++ {
			q := typed(width, text)
			lines := q.View(width, q.Rows(mostRows), true, "", mono)
			shown := strings.ReplaceAll(ansi.Strip(strings.Join(lines, "")), mono.Glyphs.Path, "")
			if got, want := strings.ReplaceAll(shown, " ", ""), strings.ReplaceAll(q.Text(), " ", ""); got != want {
				t.Errorf("%s in %d cells are shown as %q", name, width, lines)
			}
		}
	}
}

// For any text and edits: lines keep the width, no text is lost, and the cursor stands before a character.
func TestQuestion_HoldsTheWholeText(t *testing.T) {
	pieces := []string{"word ", "a", "東京", "🍅", "🇩🇪", "e\u0301", "  ", "\n", "longerword", "क्षि"}
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(6, 30).Draw(t, "width")
		q := typed(width, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "text"), ""))
		if rapid.Bool().Draw(t, "any") {
			q.Insert(strings.Map(dropDisputed, rapid.StringN(0, 40, 120).Draw(t, "other")))
		}
		for range rapid.IntRange(0, 12).Draw(t, "edits") {
			q.Press(rapid.SampledFrom(edits).Draw(t, "edit").key)
			if rapid.IntRange(0, 4).Draw(t, "typing") == 0 {
				q.Insert(rapid.SampledFrom(pieces).Draw(t, "piece"))
			}
		}
		rows := q.Rows(mostRows)
		lines := q.View(width, rows, true, "", mono)
		x, y := q.Cursor(rows)
		if y < 0 || y >= rows || x < promptWidth || x >= width {
			t.Fatalf("the cursor is at %d,%d of %d rows of %d cells", x, y, rows, width)
		}
		shown := ""
		for i, line := range lines {
			if n := ansi.StringWidth(line); n != width {
				t.Fatalf("a line of %d has %d cells: %q", width, n, line)
			}
			plain := ansi.Strip(line)
			joined := strings.IndexFunc(strings.TrimLeft(plain, mono.Glyphs.Path+" "), unicode.IsMark) == 0 // to the prompt
			if i == y && !joined && !startsCharacter(plain, x) {
				t.Fatalf("the cursor at %d is inside a character of %q", x, plain)
			}
			shown += strings.TrimPrefix(plain, mono.Glyphs.Path)
		}
		spaceless := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if spaceless(shown) != spaceless(q.Text()) {
			t.Fatalf("%q is shown as %q", q.Text(), lines)
		}
		if cleantext.Columns(q.Text()) != q.Text() {
			t.Fatalf("%q has no certain width", q.Text())
		}
	})
}

// A selection that a line up would end inside a flag begins before it.
func TestQuestion_SelectsWholeCharacters(t *testing.T) {
	q := typed(6, "🇩🇪aa")
	for _, e := range edits {
		if e.id == "select-up" {
			q.Press(e.key)
		}
	}
	lines := q.View(6, q.Rows(mostRows), true, "", mono)
	if shown := strings.Join(strings.Fields(ansi.Strip(strings.Join(lines, ""))), ""); !strings.HasSuffix(shown, "🇩🇪aa") {
		t.Errorf("shown is %q", lines)
	}
}

// startsCharacter reports whether a character of a line begins at a cell, or the line ends there.
func startsCharacter(line string, x int) bool {
	for line != "" && x > 0 {
		character, cells := ansi.FirstGraphemeCluster(line, ansi.GraphemeWidth)
		line, x = line[len(character):], x-cells
	}
	return x == 0
}

func TestChat_CopiesTheSelection(t *testing.T) {
	d := driving("No.")
	d.Paste("what is it")
	d.Posted()
	d.does("copy-selection")
	if posted := d.Posted(); len(posted) > 0 {
		t.Errorf("without a selection: %v", posted)
	}
	d.does("select-word-left", "copy-selection")
	if posted := d.Posted(); !slices.Equal(posted, []any{ui.Copy("it")}) {
		t.Errorf("posted is %v", posted)
	}
}

func TestChat_UpRecallsTheLastQuestion(t *testing.T) {
	d := driving("No.").asks("Is it so?").does("look-into", "line-up")
	if d.Typed() != "Is it so?" {
		t.Fatalf("typed is %q", d.Typed())
	}
	if d.asks(" Really?"); len(d.Exchanges()) != 1 || d.Last().Question != "Is it so? Really?" {
		t.Errorf("%d exchanges, the last about %q", len(d.Exchanges()), d.Last().Question)
	}
}

func BenchmarkQuestion_TypeAndDraw(b *testing.B) {
	q := typed(60, strings.Repeat("some words ", 20))
	for b.Loop() {
		q.Insert("x")
		_ = q.View(60, q.Rows(4), true, "", mono)
		q.edited("delete-back")
	}
}
