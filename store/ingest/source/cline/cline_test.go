package cline

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
	"lens/store/ingest/source/sourcetest"
)

const (
	fixture        = "testdata/ui_messages.json"
	historyFixture = "testdata/api_conversation_history.json"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTask_Turns(t *testing.T) {
	all := sourcetest.Read(t, &Task, fixture, sourcetest.File(t, fixture))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Let the bell ring",
		`2026-04-01T08:00:00Z "Let the bell ring" -> "I look at bell.ts.\n\nWhich tone?"`,
		`2026-04-01T08:00:10Z "high" -> "It rings."`,
	})
	if skipped := all[0].Count.Skipped; skipped["unfinished message"] != 1 || skipped["unreadable message"] != 1 {
		t.Errorf("skipped %v", skipped)
	}
}

func TestTask_Words(t *testing.T) {
	const first = `{"ts":1,"type":"say","say":"task","text":"q"},`
	for name, c := range map[string]struct{ messages, want string }{
		"a plan":                   {first + `{"ts":2,"type":"ask","ask":"plan_mode_respond","text":"{\"response\":\"a\"}"}`, "q -> a"},
		"a question that is plain": {first + `{"ts":2,"type":"ask","ask":"followup","text":"why?"}`, "q -> why?"},
		"costs and checkpoints":    {first + `{"ts":2,"type":"say","say":"checkpoint_created","text":"abc"},{"ts":3,"type":"say","say":"api_req_finished","text":"x"}`, "q -> "},
		"another task":             {first + `{"ts":2,"type":"say","say":"task","text":"r"}`, "q -> \nr -> "},
		"an empty beginning":       {`{"ts":0,"type":"say","say":"text","text":" "},` + first + `{"ts":2,"type":"say","say":"text","text":"a"}`, "q -> a"},
	} {
		if got := sourcetest.Turns(sourcetest.Read(t, &Task, "ui_messages.json", "["+c.messages+"]")); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
	_, skipped := sourcetest.Parse(t, &Task, "ui_messages.json", `[{"ts":1,"type":"ask","ask":"tool"}]`)
	sourcetest.Equal(t, skipped, []string{"no messages"})
}

// TestTask_Damaged: the messages before and behind damage are kept.
func TestTask_Damaged(t *testing.T) {
	const first, second = `{"ts":1,"type":"say","say":"task","text":"q"}`, `{"ts":2,"type":"say","say":"text","text":"a"}`
	for name, c := range map[string]struct{ json, turns, message string }{
		"in between": {"[" + first + `,{"ts":x},` + second + "]", "q -> a", "invalid JSON after byte 46; 10 bytes were skipped, and the rest was read"},
		"cut off":    {"[" + first + "," + second + `,{"ts"`, "q -> a", "the file is incomplete, its JSON ends early"},
		"nothing":    {`[{"ts":x`, "", "invalid JSON after byte 7"},
	} {
		turns, message := "", ""
		for p, err := range Conversation(strings.NewReader(c.json)) {
			if err != nil {
				message += errs.First(err).Message
			} else {
				turns += sourcetest.Turns([]*chat.Parsed{p})
			}
		}
		if turns != c.turns || message != c.message {
			t.Errorf("%s: got %s; %s", name, turns, message)
		}
	}
}

func TestHistory_Turns(t *testing.T) {
	all := sourcetest.Read(t, &History, historyFixture, sourcetest.File(t, historyFixture))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Let the horn sound",
		`2026-04-01T08:00:00Z "Let the horn sound" -> "I look at horn.ts.\n\nHow loud?"`,
		`2026-04-01T08:00:00Z "very" -> "It sounds."`,
	})
}

// TestHistory_TasksThatBeginAlike are two.
func TestHistory_TasksThatBeginAlike(t *testing.T) {
	const data = `[{"role":"user","content":"<task>q</task>"}]`
	read := func(name string) string {
		return testenv.Collect(t, History.Read(&source.File{Reader: strings.NewReader(data), Name: name}))[0].SourceID
	}
	if a, b := read("tasks/1/"+historyFile), read("tasks/2/"+historyFile); a == b || a != read("more/tasks/1/"+historyFile) {
		t.Errorf("the ids are %s and %s", a, b)
	}
}

func TestFormats_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Task, "cline") }

func TestFormats_MatchNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Task, "cline")
	sourcetest.NoOther(t, &History, "cline")
	for name, data := range map[string]string{
		"a.json":  `[{"ts":1,"type":"message","text":"x"}]`,
		"b.json":  `[{"ts":"1","type":"say","say":"text"}]`,
		"c.json":  `[{"ts":1,"type":"say","text":"x"}]`,
		"d.jsonl": `{"ts":1,"type":"say","say":"text","text":"x"}` + "\n",
		"e.json":  `[{"role":"user","content":"<task>x</task>"}]`,
	} {
		if sourcetest.Matches(t, &Task, name, data) || sourcetest.Matches(t, &History, name, data) {
			t.Errorf("%s matches", name)
		}
	}
}

func TestFormats_Grown(t *testing.T) {
	before := sourcetest.File(t, fixture)
	after := strings.Replace(before, "  null\n", `{"ts":1775030500000,"type":"say","say":"user_feedback","text":"Thanks"}`, 1)
	sourcetest.Grown(t, &Task, fixture, before, after)
	before = sourcetest.File(t, historyFixture)
	after = strings.TrimSuffix(strings.TrimSpace(before), "]") + `,{"role":"user","content":"<feedback>softer</feedback>"}]`
	sourcetest.Grown(t, &History, historyFixture, before, after)
}

func FuzzTask(f *testing.F) {
	sourcetest.Fuzz(f, &Task, "ui_messages.json", sourcetest.File(f, fixture),
		`[{"ts":1,"type":"say","say":"text","text":"q"},{"type":"ask","ask":"followup","text":"{}"}]`)
}

func FuzzHistory(f *testing.F) {
	sourcetest.Fuzz(f, &History, historyFile, sourcetest.File(f, historyFixture), `[{"role":"user","content":"<task></task>"}]`)
}
