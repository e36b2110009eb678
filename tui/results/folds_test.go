package results_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/results"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

// talks returns the result of a search of three conversations: matches 0, 2 and 3 are of the first, 1 is the second, 4
// and 5 the third.
func talks() results.Found {
	all := matches(6)
	for i, of := range []int{1, 2, 1, 1, 3, 3} {
		all[i].Conversation = id(1000 + of)
	}
	return found(all)
}

// numbers returns those of the matches in the rows.
func (l lister) numbers() (all []int) {
	for _, r := range l.Rows() {
		for i := range l.Len() {
			if r.ID == id(i) {
				all = append(all, i)
			}
		}
	}
	return all
}

func TestFolds_OneRowAConversation(t *testing.T) {
	l := newLister(60, 10)
	l.SetTall(true)
	l.Show(talks())
	if got := l.numbers(); !slices.Equal(got, []int{0, 1, 4}) || l.Len() != 6 {
		t.Errorf("the rows are %v of %d", got, l.Len())
	}
	l.MustShow(t, "▌ ○ title 0                               +2 ━━━ 14 May 2024",
		"▌   +2 more in this conversation: space shows them", "  ○ title 4                               +1 ━━╸")
	l.SetSize(41, 9)
	l.MustShow(t, "▌   +2 more: space")
	l.SetSize(61, 10)
	l.Do(t, "down")
	l.MustShow(t, "  ○ title 0                               +2 ━━━")
	if strings.Contains(l.Text(), "more in this conversation") {
		t.Errorf("what is not under the cursor is spelled out:\n%s", l.Text())
	}
	uitest.MustFill(t, l.View(), 61, 10)
}

// While not all matches are listed, there may be more of a conversation than are counted.
func TestFolds_OfTheBestMatchesOnly(t *testing.T) {
	f := talks()
	f.Peek.Histogram.Total, f.Missing.Typing = 400, true
	l := newLister(60, 10)
	l.SetTall(true)
	l.Show(f)
	l.MustShow(t, "  +2… ━━━ 14 May 2024", "▌   +2 or more in this conversation: space shows them")
	f.Missing.Typing, f.Final = false, true
	l.Show(f)
	l.MustShow(t, "  +2 ━━━ 14 May 2024", "▌   +2 more in this conversation")
}

func TestFolds_UnfoldAndFold(t *testing.T) {
	l := newLister(60, 10)
	l.SetTall(true)
	l.Show(talks())
	l.Do(t, "unfold")
	if got := l.numbers(); !slices.Equal(got, []int{0, 2, 3, 1, 4}) {
		t.Errorf("the rows are %v", got)
	}
	l.MustShow(t, "    ○ You  snippet 世界 2", "    ○ You  snippet 世界 3")
	l.Do(t, "down", "down", "unfold")
	if got := l.numbers(); !slices.Equal(got, []int{0, 1, 4}) || l.Selected() != id(0) {
		t.Errorf("folded again, the rows are %v, the cursor on %v", got, l.Selected())
	}
	l.Posted()
	none := []any{ui.Notify("No more matches in this conversation")}
	if l.Do(t, "down").Posted(); !slices.Equal(l.Do(t, "unfold").Posted(), none) {
		t.Error("a match that is alone unfolds")
	}
}

func TestFolds_AreOfOneQuery(t *testing.T) {
	l := newLister(60, 10)
	f := talks()
	l.Show(f)
	l.Do(t, "unfold")
	f.Query = "other words"
	if l.Show(f); len(l.Rows()) != 3 {
		t.Errorf("of another query, %d rows are shown", len(l.Rows()))
	}
}

func TestFolds_NotByTimeNorInOneConversation(t *testing.T) {
	l, f := newLister(60, 10), talks()
	l.SetSorting(results.Sorting{ByDate: true})
	if l.Show(f); len(l.Rows()) != 6 {
		t.Errorf("by date, %d rows are shown", len(l.Rows()))
	}
	l.SetSorting(results.Sorting{})
	f.Missing.OneConversation, f.Query = true, "in one conversation"
	if l.Show(f); len(l.Rows()) != 6 {
		t.Errorf("of one conversation, %d rows are shown", len(l.Rows()))
	}
	f.Searched, f.Missing.OneConversation, f.Query = false, false, ""
	if l.Show(f); len(l.Rows()) != 6 {
		t.Errorf("of turns by time, %d rows are shown", len(l.Rows()))
	}
}

// A match that is wanted is shown, wherever it is folded away.
func TestFolds_SeekUnfolds(t *testing.T) {
	l := newLister(60, 10)
	l.Show(talks())
	l.Seek(id(3), uuid.Nil)
	if l.Show(talks()); l.Selected() != id(3) {
		t.Errorf("the cursor is on %v, the rows are %v", l.Selected(), l.numbers())
	}
}

// Other results may have a better match of the conversation: the one that is read stays under the cursor.
func TestFolds_KeepTheCursorsTurn(t *testing.T) {
	l, f := newLister(60, 10), talks()
	f.Peek = peek(f.Peek.Matches[2:])
	l.Show(f)
	l.mustTell(t, results.TurnSelected{ID: id(2)})
	if l.Show(talks()); l.Selected() != id(2) {
		t.Errorf("the cursor is on %v, the rows are %v", l.Selected(), l.numbers())
	}
	l.mustTell(t)
}

func TestDivider_BeforeWhatIsNearInMeaning(t *testing.T) {
	const divider = "  near in meaning, without the words ───────────────────────"
	for name, c := range map[string]struct {
		worded []int
		change func(*results.Found)
		want   int // the line of the divider below the title, -1 for none
	}{
		"between both":             {[]int{0, 1, 2}, nil, 3},
		"not among those of words": {[]int{0, 3}, nil, 4},
		"before all":               {nil, nil, 0},
		"none with words alone":    {[]int{0, 1, 2, 3, 4}, nil, -1},
		"none without words":       {[]int{}, func(f *results.Found) { f.Peek.Words = nil }, -1},
		"none of turns by time":    {[]int{0}, func(f *results.Found) { f.Searched = false }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			f := found(matches(5))
			f.Peek.Words = retrieval.NewWords("word")
			for _, i := range c.worded {
				f.Peek.Matches[i].Worded = true
			}
			if c.change != nil {
				c.change(&f)
			}
			l := newLister(60, 8)
			l.Show(f)
			if at := slices.Index(l.rows(), divider); at != c.want {
				t.Errorf("the divider is in line %d:\n%s", at, l.Text())
			}
			uitest.MustFill(t, l.View(), 61, 8)
		})
	}
}

func TestDivider_BelongsToTheRowBelow(t *testing.T) {
	f := found(matches(5))
	f.Peek.Words, f.Peek.Matches[0].Worded = retrieval.NewWords("word"), true
	l := newLister(60, 8)
	l.Show(f)
	if l.Click(5, 2); l.Selected() != id(1) {
		t.Errorf("a click on it chooses %v", l.Selected())
	}
	if l.Click(5, 4); l.Selected() != id(2) {
		t.Errorf("a click below it chooses %v", l.Selected())
	}
}
