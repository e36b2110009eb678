package amp

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/store"
	"lens/store/ingest/source/sourcetest"
)

const fixture = "testdata/T-7c1e0000-aaaa-4bbb-8ccc-0000000000a1.json"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConversations(t *testing.T) {
	all := sourcetest.Read(t, &Format, fixture, sourcetest.File(t, fixture))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Knots",
		`2026-04-01T08:00:00Z "Which knot holds two ropes?" -> "A sheet bend.\n\nA double one holds better." by claude-x`,
		`2026-04-01T08:00:00Z "With thick ropes?" -> ""`,
	})
	p := all[0]
	if result := p.Messages[2]; result.Role != store.Tool || result.Visible || result.Text != "secret file" {
		t.Errorf("got %q from %s", result.Text, result.Role)
	}
	if p.Updated.Second() != 20 || p.Count.Skipped["unreadable message"] != 1 {
		t.Errorf("updated %v, %+v", p.Updated, p.Count)
	}
}

func TestConversations_Skipped(t *testing.T) {
	_, skipped := sourcetest.Parse(t, &Format, "T-1.json", `[{"id":"","messages":[{}]},{"id":"T-1","messages":[]}]`)
	sourcetest.Equal(t, skipped, []string{"no id", "no messages"})
}

func TestConversations_Grown(t *testing.T) {
	before := sourcetest.File(t, fixture)
	after := strings.Replace(before, "    7\n", `{"role":"user","messageId":6,"content":[{"type":"text","text":"Thanks"}]}`, 1)
	sourcetest.Grown(t, &Format, fixture, before, after)
}

func TestConversations_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Format, "amp") }

func TestConversations_MatchesNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Format, "amp")
	for _, data := range []string{
		`{"id":"7","messages":[{"role":"user","content":[]}]}`,
		`{"id":"T-7","messages":["x"]}`,
		`{"id":"T-7","messages":[{"role":"user","content":"x"}]}`,
		`{"id":"T-7","threads":[]}`,
	} {
		if sourcetest.Matches(t, &Format, "T-7.json", data) {
			t.Errorf("%s matches", data)
		}
	}
}

func FuzzConversations(f *testing.F) {
	sourcetest.Fuzz(f, &Format, "T-1.json", sourcetest.File(f, fixture),
		`{"id":"T-1","messages":[{"role":"user","messageId":0,"content":[{"type":"tool_result","run":{"result":[{"text":{}}]}}]},{"messageId":0}]}`)
}
