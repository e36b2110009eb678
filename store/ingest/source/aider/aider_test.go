package aider

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/store/ingest/source/sourcetest"
)

const fixture = "testdata/.aider.chat.history.md"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConversations(t *testing.T) {
	all, skipped := sourcetest.Parse(t, &Format, fixture, sourcetest.File(t, fixture))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"add a dial",
		`2026-04-01T08:00:00Z "add a dial\nwith a gnomon" -> "I will add it:\n\ndial.py\n` + "```python" +
			`\n> not a quotation\nprint('noon')\n` + "```" + `\n\n> As the poet says\n\nDone."`,
		`2026-04-01T08:00:00Z "/run python dial.py" -> ""`,
		"thanks",
		`2026-04-03T08:00:00Z "thanks" -> "#### Headings in an answer\n\nare no prompts."`,
	})
	sourcetest.Equal(t, skipped, []string{"no messages"})
}

func TestConversations_Lines(t *testing.T) {
	const header = "# aider chat started at 2026-04-01 08:00:00\n\n"
	for name, c := range map[string]struct{ text, want string }{
		"no marks, as an editor leaves them":  {"#### q\n\n> tokens\n\na\n", "q -> a"},
		"a comment in code, without marks":    {"#### q\n\n```\n#### r\n```\n", "q -> ```\\n#### r\\n```"},
		"lines of Windows":                    {"#### q  \r\n\r\n> tokens  \r\n\r\na\r\n", "q -> a"},
		"two prompts":                         {"#### q  \n\n#### r  \n\na\n", "q -> \nr -> a"},
		"a prompt right behind output":        {"> x  \n#### q  \na\n", "q -> a"},
		"a block of code that does not end":   {"#### q  \n\n```\na\n\n#### r  \n\nb\n", "q -> ```\\na\nr -> b"},
		"an answer of quotations":             {"#### q  \n\n> a\n> b\n", "q -> > a\\n> b"},
		"a blank line within a block of code": {"#### q  \n\n~~~\na\n\n> b  \n~~~\n", "q -> ~~~\\na\\n\\n> b  \\n~~~"},
	} {
		all, _ := sourcetest.Parse(t, &Format, "x.md", header+c.text)
		if got := sourcetest.Turns(all); got != c.want {
			t.Errorf("%s: got\n%q\nwant\n%q", name, got, c.want)
		}
	}
}

// TestConversations_EqualSessions are two, however they began.
func TestConversations_EqualSessions(t *testing.T) {
	const one = "# aider chat started at 2026-04-01 08:00:00\n\n#### q  \n"
	if all, _ := sourcetest.Parse(t, &Format, "x.md", one+one); len(all) != 2 || all[0].ID == all[1].ID {
		t.Errorf("got %d sessions", len(all))
	}
}

func TestConversations_Unreadable(t *testing.T) {
	for _, err := range Conversations(iotest.ErrReader(errors.New("disk on fire"))) {
		if errs.CodeOf(err) != errs.Unavailable {
			t.Errorf("got %v", err)
		}
	}
}

func TestConversations_Grown(t *testing.T) {
	before := sourcetest.File(t, fixture)
	sourcetest.Grown(t, &Format, fixture, before, before+"\n#### once more  \n\nYes.\n")
	sourcetest.Grown(t, &Format, fixture, before, before+"\n# aider chat started at 2026-05-01 08:00:00\n\n#### hi  \n")
}

func TestConversations_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Format, "aider") }

func TestConversations_MatchesNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Format, "aider")
	for _, text := range []string{
		"Aider writes # aider chat started at 2026-04-01 08:00:00 into its history.\n",
		"# aider chat started at noon\n",
		"#### You:\n\n#### ChatGPT:\n",
		"My history:\n\n# aider chat started at 2026-04-01 08:00:00\n\n#### q\n",
	} {
		if sourcetest.Matches(t, &Format, "a.md", text) {
			t.Errorf("%s matches", text)
		}
	}
}

func FuzzConversations(f *testing.F) {
	sourcetest.Fuzz(f, &Format, ".aider.chat.history.md", sourcetest.File(f, fixture),
		strings.Repeat("# aider chat started at 2026-04-01 08:00:00\n#### a\n> b\n", 3))
}
