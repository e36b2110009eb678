package copilot

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const name = "copilot-activity-history.csv"

func TestConversations(t *testing.T) {
	all, skipped := sourcetest.Parse(t, &Format, name, sourcetest.File(t, "testdata/"+name))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Rye", `2026-01-01T00:00:00Z "Long ago" -> ""`,
		"Rye",
		`2026-02-17T14:36:11Z "How many days?" -> "About five, 5."`,
		`2026-02-18T08:00:19Z "It is flat, why?" -> "Then feed it.\nTwice, \"daily\"."`,
		"Wheat", `2026-02-17T14:36:15Z "A question" -> ""`,
	})
	sourcetest.Equal(t, skipped, []string{"row with too few columns"})
}

const (
	chats   = "\uFEFF\"CreatedAt\",\"MessageContent\",\"Author\",\"ChatName\"\r\n2/17/2026 14:36:11 +01:00,Rye?,user,Flour\r\n2/17/2026 2:36:19 PM +01:00,Yes.,Copilot,Flour\r\n"
	prompts = "Timestamp,ClientApp,Prompt\n2026-02-17T14:36:11,Word,Shorten this\nsome day,Word,Undated\n"
)

func TestConversations_OtherLayouts(t *testing.T) {
	all, _ := sourcetest.Parse(t, &Format, "chats.csv", chats)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{"Flour", `2026-02-17T13:36:11Z "Rye?" -> "Yes."`})
	all, _ = sourcetest.Parse(t, &Format, "prompts.csv", prompts)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{"Word", `undated "Undated" -> ""`, "Word", `2026-02-17T14:36:11Z "Shorten this" -> ""`})
	for _, data := range []string{chats, prompts} {
		if !sourcetest.Matches(t, &Format, "x.csv", data) {
			t.Errorf("%q does not match", data)
		}
	}
}

func TestConversations_Errors(t *testing.T) {
	for _, data := range []string{"", "a,b\nc,d\n", "\"a"} {
		for _, err := range Conversations(strings.NewReader(data)) {
			if err == nil || !strings.Contains(err.Error(), "names no columns that Lens knows") {
				t.Errorf("%q: got %v", data, err)
			}
		}
	}
}

// TestConversations_Limit: a quotation mark that never closes makes one field of the rest.
func TestConversations_Limit(t *testing.T) {
	for name, rest := range map[string]string{
		"rows": strings.Repeat("2/17/2026 14:36:11 +01:00,Rye?,user,Flour\r\n", 1000),
		"one":  "\"" + strings.Repeat("x", 20_000),
	} {
		var last error
		turns := 0
		for p, err := range conversations(strings.NewReader(chats+rest), 10_000) {
			if last = err; err == nil {
				turns += len(p.Turns)
			}
		}
		if errs.CodeOf(last) != errs.TooLarge || turns == 0 {
			t.Errorf("%s: %d turns, %v", name, turns, last)
		}
	}
}

func TestConversations_Grown(t *testing.T) {
	before := sourcetest.File(t, "testdata/"+name)
	after := strings.Replace(before, "Message\n", "Message\n\"Rye\",2026-02-18T09:00:00,user,Thanks\n", 1)
	sourcetest.Grown(t, &Format, name, before, after)
}

func TestConversations_SharedFixtures(t *testing.T) {
	sourcetest.Fixture(t, &Format, "copilot_csv")
	sourcetest.Fixture(t, &Format, "copilot_chat_csv")
}

func FuzzConversations(f *testing.F) {
	sourcetest.Fuzz(f, &Format, name, sourcetest.File(f, "testdata/"+name), chats, prompts)
}
