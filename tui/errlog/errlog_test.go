package errlog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/tui/dialog"
	"lens/tui/errlog"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

func newLog(file string) (*errlog.Log, *ui.Context) {
	c := uitest.Context(theme.ASCII)
	return errlog.New(c, file), c
}

// text returns what the log opens.
func text(t *testing.T, l *errlog.Log, c *ui.Context) string {
	t.Helper()
	l.Open()
	open, ok := c.Posted()[0].(dialog.Open)
	if !ok {
		t.Fatal("no dialog opens")
	}
	open.SetSize(80, 200)
	return uitest.Text(open.View())
}

func TestLog_LatestFirstWithDetails(t *testing.T) {
	l, c := newLog("/data/lens.log")
	l.Add(errlog.Entry{Doing: "opening", Message: "the file is gone", Code: "not_found", Detail: "the file is gone"})
	for range 2 {
		l.Add(errlog.Entry{Doing: "searching", Message: "the disk cannot be read", Hint: "try another disk", Detail: "sqlite: I/O error"})
	}
	want := strings.Join([]string{
		"12:00:00 UTC  searching, 2 times",
		"error   the disk cannot be read",
		"code    internal",
		"next    try another disk",
		"detail  sqlite: I/O error",
		"",
		"12:00:00 UTC  opening",
		"error   the file is gone",
		"code    not_found",
		"",
		"log     /data/lens.log",
	}, "\n")
	if got := text(t, l, c); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLog_OnlyTheLatestAreKept(t *testing.T) {
	l, c := newLog("")
	for i := range 60 {
		l.Add(errlog.Entry{Doing: "searching", Detail: fmt.Sprintf("fault %d.", i)})
	}
	got := text(t, l, c)
	if !strings.Contains(got, "fault 59.") || !strings.Contains(got, "fault 40.") || strings.Contains(got, "fault 39.") {
		t.Errorf("the log is\n%s", got)
	}
}

func TestLog_LongTextIsWrapped(t *testing.T) {
	l, c := newLog("")
	l.Add(errlog.Entry{Doing: "importing", Message: strings.Repeat("very long ", 20) + "finis"})
	if got := text(t, l, c); !strings.Contains(got, "finis") || !strings.Contains(got, "\n        very") {
		t.Errorf("the log is\n%s", got)
	}
}

func TestLog_Empty(t *testing.T) {
	l, c := newLog("/data/lens.log")
	if l.Open(); !slices.Equal(c.Posted(), []any{ui.Notify("No errors")}) {
		t.Error("an empty log opens")
	}
}
