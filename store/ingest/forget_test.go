package ingest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
	parsers "lens/store/ingest/chat"
)

// untitled is a chat without a title, so that its first question becomes the title. Its first answer used a tool.
func untitled() chat {
	return chat{id: "untitled", updated: 1.7e9, messages: []chatMessage{
		user("u1", "Is my secret safe?"),
		{id: "u2", role: "tool", text: "the secret, looked up"},
		assistant("u3", "The secret is safe."),
		{id: "u4", role: "tool", text: "more of the secret"},
		user("u5", "What is a heron?"), assistant("u6", "A wading bird."),
	}}
}

func askedIn(message string) uuid.UUID { return store.TurnID(testID(message)) }

func forget(t *testing.T, st store.Store, opts ingest.ForgetOptions) ingest.ForgetReport {
	t.Helper()
	r, err := ingest.Forget(t.Context(), st, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// remembers reports whether any stored message, title or word of the archive has the text.
func remembers(t *testing.T, st store.Store, word string) bool {
	t.Helper()
	ids, err := st.ConversationIDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	conversations, err := st.Conversations(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range conversations {
		messages, err := st.Messages(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(c.Title, word) || slices.ContainsFunc(messages, func(m store.Message) bool {
			return strings.Contains(m.Text, word) || strings.Contains(string(m.Raw), word)
		}) {
			return true
		}
	}
	return len(found(t, st, word)) > 0
}

// TestForget_Subagents: the logs of the subagents that a session started go with it, and stay away.
func TestForget_Subagents(t *testing.T) {
	record := func(session, role, text, more string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":%q,"message":{"content":%q}%s}`+"\n",
			role, testID(session+text).String(), session, text, more)
	}
	const one, other = "9d1c3b1e-0000-4000-8000-00000000aaaa", "9d1c3b1e-0000-4000-8000-00000000bbbb"
	files := map[string]string{}
	for _, session := range []string{one, other} {
		files[session+".jsonl"] = record(session, "user", "Ask "+session, "") + record(session, "assistant", "Yes.", "")
		for _, agent := range []string{"a1", "a2"} {
			more := `,"isSidechain":true,"agentId":"` + agent + `"`
			files[session+"/subagents/agent-"+agent+".jsonl"] = record(session, "user", agent+" secret of "+session, more)
		}
	}
	dir := folderOf(t, files)
	st := newArchive(t)
	importingFolder(t, st, dir, ingest.Options{})
	session := ingest.ForgetOptions{Conversations: []uuid.UUID{uuid.MustParse(one)}, DryRun: true}
	for range 2 { // a dry run first
		if got, want := forget(t, st, session), (ingest.ForgetReport{Conversations: 3, Turns: 1}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		session.DryRun = false
	}
	left := func(when string) {
		if remembers(t, st, "secret of "+one) || !remembers(t, st, "secret of "+other) {
			t.Errorf("%s: the subagents of the session are there, or those of another are not", when)
		}
	}
	left("forgotten")
	testenv.Must(t, os.WriteFile(filepath.Join(dir, one, "subagents", "agent-a3.jsonl"),
		[]byte(record(one, "user", "a3 secret of "+one, `,"isSidechain":true,"agentId":"a3"`)), 0o600))
	importingFolder(t, st, dir, ingest.Options{})
	left("imported again, with one more")
	importingFolder(t, st, dir, ingest.Options{Restore: true})
	for _, agent := range []string{"a1", "a2", "a3"} {
		if !remembers(t, st, agent+" secret of "+one) {
			t.Errorf("%s is not restored", agent)
		}
	}
}

func TestForget_SubagentsOfCodex(t *testing.T) {
	const session, agent = "0199b2c0-0000-7000-8000-00000000cccc", "0199b2c0-0000-7000-8000-00000000dddd"
	log := func(id, source, text string) string {
		return fmt.Sprintf(`{"type":"session_meta","payload":{"id":%q,"source":%s}}
{"type":"event_msg","payload":{"type":"user_message","message":%q}}
{"type":"event_msg","payload":{"type":"agent_message","message":"Yes."}}
`, id, source, text)
	}
	st := newArchive(t)
	importingFolder(t, st, folderOf(t, map[string]string{
		"sessions/rollout-" + session + ".jsonl": log(session, `"cli"`, "Ask."),
		"sessions/rollout-" + agent + ".jsonl":   log(agent, `{"subagent":{"thread_spawn":{"parent_thread_id":"`+session+`"}}}`, "secret task"),
	}), ingest.Options{})
	if !remembers(t, st, "secret task") {
		t.Fatal("the log of the subagent is not there")
	}
	got := forget(t, st, ingest.ForgetOptions{Conversations: []uuid.UUID{uuid.MustParse(session)}})
	if want := (ingest.ForgetReport{Conversations: 2, Turns: 1}); got != want || remembers(t, st, "secret task") {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestForget_SingleTurn(t *testing.T) {
	content := []chat{untitled(), heron()}
	st := newArchive(t)
	importChats(t, st, content)
	whole := exportAll(t, st)
	if !remembers(t, st, "secret") {
		t.Fatal("the secret is not there to begin with")
	}
	var gone ingest.Forgotten
	one := ingest.ForgetOptions{
		Turns:  []uuid.UUID{askedIn("u1"), askedIn("u1")},
		Before: func(_ context.Context, f ingest.Forgotten) error { gone = f; return nil },
	}
	if got, want := forget(t, st, one), (ingest.ForgetReport{Turns: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	answer := store.AnswerID(testID("u1"), testID("u3"))
	if gone.Turns[0] != askedIn("u1") || !slices.Contains(gone.Turns, answer) || !slices.Equal(gone.Titles, []string{"Is my secret safe?"}) {
		t.Errorf("before that it passed on %+v", gone)
	}
	if remembers(t, st, "secret") {
		t.Error("the archive remembers a forgotten turn")
	}
	without := exportAll(t, st)
	if !strings.Contains(without, `"title":"What is a heron?"`) || strings.Count(without, "\n") != 3 {
		t.Errorf("got\n%s", without)
	}

	again := importChats(t, st, content)
	if again.Changed() || again.Forgotten != 1 || again.Skipped["forgotten"] != 4 || exportAll(t, st) != without {
		t.Errorf("the same export: %+v", again)
	}
	longer := untitled()
	longer.updated++
	longer.messages = append(longer.messages, user("u7", "Is it a stork?"), assistant("u8", "No."))
	grown := importChats(t, st, []chat{longer})
	if after := exportAll(t, st); grown.Turns.New != 1 || !strings.Contains(after, "stork") || remembers(t, st, "secret") {
		t.Errorf("a newer export: %+v\n%s", grown, after)
	}

	fresh := newArchive(t)
	importChats(t, fresh, content)
	forget(t, fresh, one)
	restore(t, fresh, content)
	if exportAll(t, fresh) != whole {
		t.Error("restoring does not bring back what was there")
	}
	if r := importChats(t, fresh, content); r.Forgotten != 0 || r.Changed() {
		t.Errorf("after restoring: %+v", r)
	}
}

// restore imports content, forgotten turns included, as a dry run first.
func restore(t *testing.T, st store.Store, content []chat) {
	t.Helper()
	paths := []string{writeExport(t, content)}
	planned, err := ingest.Import(t.Context(), st, paths, ingest.Options{Restore: true, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	done, err := ingest.Import(t.Context(), st, paths, ingest.Options{Restore: true})
	if err != nil {
		t.Fatal(err)
	}
	if planned.Conversations != done.Conversations || planned.Turns != done.Turns || done.Forgotten != 0 {
		t.Errorf("planned %+v, done %+v", planned, done)
	}
}

func TestForget_LastTurnTakesItsConversation(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []chat{heron(), untitled()})
	both := ingest.ForgetOptions{Turns: []uuid.UUID{askedIn("u1"), askedIn("u5")}}
	want := ingest.ForgetReport{Conversations: 1, Turns: 2}
	for _, both.DryRun = range []bool{true, false} {
		if got := forget(t, st, both); got != want {
			t.Errorf("dry run %v: got %+v, want %+v", both.DryRun, got, want)
		}
	}
	if n, err := st.ConversationIDs(t.Context(), ""); err != nil || len(n) != 1 || remembers(t, st, "secret") {
		t.Errorf("%d conversations are left, %v", len(n), err)
	}
	if r := importChats(t, st, []chat{untitled()}); r.Forgotten != 2 || r.Skipped["conversation: forgotten"] != 1 {
		t.Errorf("imported again: %+v", r)
	}
}

// Two conversations have the same messages, so that each has a turn of its own. A turn that the first forgets, also
// leaves the copy; not the other way round.
func TestForget_TurnOfSharedMessage(t *testing.T) {
	second := chat{id: "copy", title: "Continued", created: 1.75e9, updated: 1.8e9, messages: heron().messages}
	content := []chat{heron(), second}
	separate := store.TurnID(parsers.OwnID(testID("copy"), testID("h1")))
	for name, c := range map[string]struct {
		turns     []uuid.UUID
		forgotten int
	}{
		"in the first":  {[]uuid.UUID{askedIn("h1")}, 2},
		"in the second": {[]uuid.UUID{separate}, 1},
		"in both":       {[]uuid.UUID{askedIn("h1"), separate}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			st := newArchive(t)
			importChats(t, st, content)
			whole := exportAll(t, st)
			if got := forget(t, st, ingest.ForgetOptions{Turns: c.turns}); got.Turns != c.forgotten {
				t.Errorf("forgot %+v", got)
			}
			left := exportAll(t, st)
			if strings.Count(left, "What is a heron?") != 2-c.forgotten {
				t.Fatalf("left:\n%s", left)
			}
			for _, dry := range []bool{true, false} {
				r, err := ingest.Import(t.Context(), st, []string{writeExport(t, content)}, ingest.Options{DryRun: dry})
				testenv.Must(t, err)
				if r.Changed() || r.Conversations.Unchanged != 2 || r.Forgotten != c.forgotten || exportAll(t, st) != left {
					t.Errorf("the same export, dry run %v: %+v", dry, r)
				}
			}
			restore(t, st, content)
			if exportAll(t, st) != whole {
				t.Errorf("after restoring:\n%swant\n%s", exportAll(t, st), whole)
			}
		})
	}
}

func TestForget_StaysForgotten(t *testing.T) {
	content := append(manyChats(3), heron())
	for name, opts := range map[string]ingest.ForgetOptions{
		"a conversation": {Conversations: []uuid.UUID{testID("heron")}},
		"a source":       {Source: store.ChatGPT},
		"everything":     {Everything: true},
	} {
		t.Run(name, func(t *testing.T) {
			st := newArchive(t)
			importChats(t, st, content)
			whole := exportAll(t, st)
			gone := forget(t, st, opts).Conversations
			left := exportAll(t, st)
			planned, err := ingest.Import(t.Context(), st, []string{writeExport(t, content)}, ingest.Options{DryRun: true})
			if err != nil {
				t.Fatal(err)
			}
			done := importChatsIn(t, st, content, 1)
			if planned.Conversations != done.Conversations || planned.Forgotten != done.Forgotten {
				t.Errorf("planned %+v, done %+v", planned, done)
			}
			if opts.Everything {
				if done.Forgotten != 0 || exportAll(t, st) != whole {
					t.Errorf("after everything was forgotten: %+v", done)
				}
				return
			}
			if done.Forgotten != gone || exportAll(t, st) != left {
				t.Errorf("%d were forgotten, the import says %+v", gone, done)
			}
			restore(t, st, content)
			if exportAll(t, st) != whole {
				t.Error("restoring does not bring back what was there")
			}
		})
	}
}

func TestForget_TurnErrors(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []chat{heron()})
	before := exportAll(t, st)
	opts := ingest.ForgetOptions{Turns: []uuid.UUID{askedIn("h1"), testID("stranger")}}
	if _, err := ingest.Forget(t.Context(), st, opts); errs.CodeOf(err) != errs.NotFound || exportAll(t, st) != before {
		t.Errorf("an unknown turn: %v", err)
	}
}

// birds is a question with two answers, of which one is chosen.
func birds(chosen string) chat {
	return chat{id: "birds", updated: 1.7e9 + float64(len(chosen)), current: chosen, messages: []chatMessage{
		user("q", "Which bird?"),
		{id: "a", under: "q", role: "assistant", text: "A heron."},
		{id: "bb", under: "q", role: "assistant", text: "A stork."},
	}}
}

func TestForget_Answers(t *testing.T) {
	other := store.AnswerID(testID("q"), testID("bb"))
	for name, c := range map[string]struct {
		turns      []uuid.UUID
		left       []string
		afterwards int // turns that are left after another answer is chosen
	}{
		"an answer that was not chosen": {[]uuid.UUID{other}, []string{"heron"}, 2},
		"the question":                  {[]uuid.UUID{askedIn("q")}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			st := newArchive(t)
			if r := importChats(t, st, []chat{birds("a")}); r.Turns.New != 2 || r.Turns.OffPath != 1 || r.Turns.Embeddable != 1 {
				t.Fatalf("got %+v", r.Turns)
			}
			forget(t, st, ingest.ForgetOptions{Turns: c.turns})
			check := func() {
				t.Helper()
				for _, word := range []string{"heron", "stork"} {
					if got, want := remembers(t, st, word), slices.Contains(c.left, word); got != want {
						t.Errorf("%s is there: %t, want %t", word, got, want)
					}
				}
			}
			check()
			if r := importChats(t, st, []chat{birds("a")}); r.Changed() || r.Forgotten == 0 {
				t.Errorf("again: %+v", r)
			}
			check()
			importChats(t, st, []chat{birds("bb")})
			check()
			catalog, err := st.Catalog(t.Context())
			if err != nil || catalog.Len() != c.afterwards {
				t.Errorf("%d turns, %v, want %d", catalog.Len(), err, c.afterwards)
			}
			restore(t, st, []chat{birds("bb")})
			if !remembers(t, st, "stork") {
				t.Error("restoring does not bring back what was there")
			}
		})
	}
}

func TestReimport_AnotherAnswerIsChosen(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []chat{birds("a")})
	if r := importChats(t, st, []chat{birds("bb")}); r.Turns.New != 0 || r.Conversations.Updated != 1 {
		t.Errorf("got %+v", r)
	}
	turns, err := st.Turns(t.Context(), []uuid.UUID{askedIn("q"), store.AnswerID(testID("q"), testID("a"))})
	if err != nil || turns[0].AssistantText != "A stork." || turns[1].AssistantText != "A heron." || turns[1].UserText != "Which bird?" {
		t.Errorf("got %+v, %v", turns, err)
	}
	fresh := newArchive(t)
	for i, text := range []string{"A heron.", "A stork.", "A crane."} { // each export has one answer alone
		one := birds("a")
		one.updated += float64(i)
		one.messages, one.current = []chatMessage{one.messages[0], assistant(text, text)}, ""
		importChats(t, fresh, []chat{one})
	}
	for word, want := range map[string]uuid.UUID{
		"crane": askedIn("q"), "stork": store.AnswerID(testID("q"), testID("A stork.")), "heron": store.AnswerID(testID("q"), testID("A heron.")),
	} {
		if got := found(t, fresh, word); !slices.Equal(got, []uuid.UUID{want}) {
			t.Errorf("%s is found in %v, want %s", word, got, want)
		}
	}
}
