package reader

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/ui"
)

// edited is a conversation whose first question has two versions, and its first version two answers.
func edited() *library {
	l := conversation()
	for range 2 {
		l.turns = append(l.turns, &retrieval.Turn{
			TurnID: uuid.New(), Conversation: l.turns[0].Conversation, User: "When?", Assistant: "In May.", OnPath: false,
		})
	}
	answer, question := l.turns[3], l.turns[4]
	question.User = "How?"
	answers := []retrieval.Answer{{TurnID: l.turns[0].TurnID}, {TurnID: answer.TurnID}}
	l.turns[0].Answers, answer.Answers = answers, answers
	l.off = map[uuid.UUID]bool{answer.TurnID: true, question.TurnID: true}
	versions := func(first uuid.UUID) []uuid.UUID { return []uuid.UUID{first, question.TurnID} }
	l.versions = map[uuid.UUID][]uuid.UUID{
		l.turns[0].TurnID: versions(l.turns[0].TurnID),
		answer.TurnID:     versions(answer.TurnID),
		question.TurnID:   versions(l.turns[0].TurnID),
	}
	for _, t := range l.turns[:3] {
		t.OnPath = true
	}
	return l
}

func TestReader_NextVersion(t *testing.T) {
	l := edited()
	d := open(l, Options{}).show(1)
	if said := d.do(t, "next-version"); !slices.Equal(said, []any{ui.Notify("This turn has only one version")}) {
		t.Errorf("posted %v", said)
	}
	d.show(0)
	for _, want := range []struct {
		turn              int
		question, answers string
	}{
		{0, "When?", "‹ answer 1 of 2 ›"}, // of the question and of the answer
		{3, "When?", "‹ answer 2 of 2 ›"},
		{4, "How?", "‹ question 2 of 2 ›"},
		{0, "When?", "‹ answer 1 of 2 ›"},
	} {
		d.MustShow(t, want.question, want.answers)
		if d.Opened() != l.turns[want.turn] {
			t.Errorf("%q is open", d.Opened().Assistant)
		}
		if said := d.do(t, "next-version"); len(said) != 1 {
			t.Errorf("posted %v", said)
		}
	}
}

// Beside a version, the time is short before anything of it is cut.
func TestReader_VersionsBesideTheTime(t *testing.T) {
	l := edited()
	at := time.Date(2026, 3, 31, 7, 12, 0, 0, time.UTC)
	l.turns[0].Time, l.turns[4].Time = &at, &at
	for width, want := range map[int]string{
		64: "You  ◆ Tue 31 Mar 2026, 07:12 UTC  ‹ question 1 of 2 ›",
		54: "You  ◆ Tue 31 Mar 2026, 07:12  ‹ question 1 of 2 ›",
		50: "You  ◆ 31 Mar 2026, 07:12  ‹ question 1 of 2 ›",
	} {
		d := open(l, Options{})
		d.SetSize(width, 20)
		d.show(0)
		if !strings.HasPrefix(ansi.Strip(d.View()[0]), want) {
			t.Errorf("%d columns show %q", width, d.View()[0])
		}
	}
}

// A version of a turn takes its place: the turns around it are those of its branch.
func TestReader_StaysOnABranch(t *testing.T) {
	l := edited()
	d := open(l, Options{}).show(0)
	d.do(t, "next-version")
	paths := l.paths
	if said := d.do(t, "next-turn"); len(said) != 1 || d.Opened() != l.turns[1] || l.paths != paths {
		t.Errorf("posted %v, asked for %d paths", said, l.paths-paths)
	}
	if d.do(t, "previous-turn"); d.Opened() != l.turns[3] {
		t.Errorf("went back to %q", d.Opened().Assistant)
	}
	if d.show(1); l.paths != paths+1 {
		t.Error("what is chosen elsewhere is not read on the active path")
	}
}

// While a turn that is chosen elsewhere is read, the open one is still that of the branch.
func TestReader_LeavesABranchWhateverIsRetried(t *testing.T) {
	l := edited()
	d := open(l, Options{}).show(0)
	d.do(t, "next-version")
	d.Retry()
	d.show(1)
	if d.do(t, "previous-turn"); d.Opened() != l.turns[0] {
		t.Errorf("before it is %q", d.Opened().Assistant)
	}
}

func TestReader_ClickVersion(t *testing.T) {
	l := edited()
	d := open(l, Options{})
	d.SetSize(60, 10)
	d.show(0)
	row := d.page.text.Answer
	at := columnOf(t, d.View()[row], "‹ answer 1 of 2 ›")
	d.Click(at+16, row)
	if d.settle(); d.Opened() != l.turns[3] {
		t.Errorf("the next answer is %q", d.Opened().Assistant)
	}
	d.Click(at, row)
	if d.settle(); d.Opened() != l.turns[0] {
		t.Errorf("the answer before is %q", d.Opened().Assistant)
	}
	d.Click(at-3, row)
	if d.settle(); d.Opened() != l.turns[0] {
		t.Error("a click beside it goes to a version")
	}
}
