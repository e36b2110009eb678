package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
)

// embeddedHeron returns an archive that holds heron, with a vector for each turn.
func embeddedHeron(t testing.TB) store.Store {
	t.Helper()
	st := newArchive(t)
	importChats(t, st, []chat{heron()})
	embedAll(t, st)
	return st
}

// vectors returns those of messages that begin a turn with a vector.
func vectors(t testing.TB, st store.Store, messages ...string) (have []string) {
	t.Helper()
	query := make([]float32, testDim)
	query[0] = 1
	found, err := st.Nearest(t.Context(), query, store.Filter{AllBranches: true}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := st.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range messages {
		if slices.ContainsFunc(found, func(n store.Neighbor) bool {
			row, ok := catalog.Row(n.Ord)
			return ok && catalog.ID[row] == store.TurnID(testID(m))
		}) {
			have = append(have, m)
		}
	}
	return have
}

func TestReimport_GrownConversation(t *testing.T) {
	st := embeddedHeron(t)
	before := turnOf(t, st, "h1")
	grown := heron()
	grown.updated++
	grown.messages = append(grown.messages, user("h5", "And what does it eat?"), assistant("h6", "Fish and frogs."))
	r := importChats(t, st, []chat{grown})
	if r.Conversations != (ingest.Changes{Updated: 1}) || r.Messages != (ingest.Changes{New: 2, Unchanged: 4}) || r.Turns.New != 1 {
		t.Errorf("receipt %+v", r)
	}
	if after := turnOf(t, st, "h1"); after.Ord != before.Ord {
		t.Errorf("an old turn moved from %d to %d", before.Ord, after.Ord)
	}
	if got := vectors(t, st, "h1", "h3", "h5"); !slices.Equal(got, []string{"h1", "h3"}) {
		t.Errorf("vectors of %v", got)
	}
	if !findsTurn(t, st, "frog", "h5") {
		t.Error("the new turn is not found")
	}
}

func TestReimport_ChangedText(t *testing.T) {
	st := embeddedHeron(t)
	before := turnOf(t, st, "h1")
	edited := heron()
	edited.updated++
	edited.messages[1].text = "A stately bird."
	r := importChats(t, st, []chat{edited})
	if r.Messages != (ingest.Changes{Updated: 1, Unchanged: 3}) || r.Turns.New != 0 {
		t.Errorf("receipt %+v", r)
	}
	after := turnOf(t, st, "h1")
	if after.Ord <= before.Ord || after.AssistantText != "A stately bird." {
		t.Errorf("turn %+v", after)
	}
	if findsTurn(t, st, "wade", "h1") || !findsTurn(t, st, "state", "h1") {
		t.Error("the keyword index was not updated")
	}
	if got := vectors(t, st, "h1", "h3"); !slices.Equal(got, []string{"h3"}) {
		t.Errorf("vectors of %v", got)
	}
}

func TestReimport_ChangedTitle(t *testing.T) {
	st := embeddedHeron(t)
	before := turnOf(t, st, "h1")
	renamed := heron()
	renamed.updated++
	renamed.title = "Long legs"
	r := importChats(t, st, []chat{renamed})
	if r.Conversations.Updated != 1 || r.Messages.Unchanged != 4 {
		t.Errorf("receipt %+v", r)
	}
	if after := turnOf(t, st, "h1"); after.Title != "Long legs" || after.Ord != before.Ord {
		t.Errorf("turn %+v", after)
	}
	if got := vectors(t, st, "h1", "h3"); len(got) != 2 {
		t.Errorf("vectors of %v", got)
	}
}

func TestReimport_NewSummary(t *testing.T) {
	st := embeddedHeron(t)
	before := turnOf(t, st, "h1")
	told := heron()
	told.updated++
	told.messages[1].summary = "Herons wade."
	importChats(t, st, []chat{told})
	if after := turnOf(t, st, "h1"); after.Ord != before.Ord || after.Summary != "Herons wade." {
		t.Errorf("turn %+v", after)
	}
	if got := vectors(t, st, "h1", "h3"); !slices.Equal(got, []string{"h3"}) {
		t.Errorf("vectors of %v", got)
	}
}

func TestReimport_OlderExport(t *testing.T) {
	st := newArchive(t)
	newer := heron()
	newer.updated += 1000
	newer.messages[1].text = "The newer answer."
	importChats(t, st, []chat{newer})
	before := exportAll(t, st)
	r := importChats(t, st, []chat{heron()})
	if r.Changed() || r.Conversations.Unchanged != 1 || r.Messages.Unchanged != 4 || exportAll(t, st) != before {
		t.Errorf("receipt %+v", r)
	}
}

// TestReimport_OlderMessages counts the messages that only an older export has, and only once.
func TestReimport_OlderMessages(t *testing.T) {
	newest := heron()
	older := newest
	newest.updated++
	newest.messages = newest.messages[:2]
	st := newArchive(t)
	if r := importChats(t, st, []chat{newest}); r.Older != 0 {
		t.Errorf("the newest: %+v", r)
	}
	if r := importChats(t, st, []chat{older}); r.Older != 2 || r.Messages.New != 2 || r.Messages.Unchanged != 2 {
		t.Errorf("the older: %+v", r)
	}
	if r := importChats(t, st, []chat{older}); r.Older != 0 || r.Messages.New != 0 {
		t.Errorf("again: %+v", r)
	}
}

func TestReimport_TwoVersionsInOneImport(t *testing.T) {
	older, newer := heron(), heron()
	newer.updated += 1000
	newer.messages[1].text = "The newer answer."
	for _, c := range []struct {
		name    string
		content []chat
		batch   int
	}{
		{"older first", []chat{older, newer}, 0},
		{"newer first", []chat{newer, older}, 0},
		{"older first, far apart", slices.Concat([]chat{older}, manyChats(9), []chat{newer}), 1},
		{"newer first, far apart", slices.Concat([]chat{newer}, manyChats(9), []chat{older}), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := newArchive(t)
			importChatsIn(t, st, c.content, c.batch)
			if got := turnOf(t, st, "h1").AssistantText; got != "The newer answer." {
				t.Errorf("the answer is %q", got)
			}
			if n := strings.Count(exportAll(t, st), "What is a heron?"); n != 1 {
				t.Errorf("the turn occurs %d times", n)
			}
			if r := importChats(t, st, []chat{newer}); r.Changed() {
				t.Errorf("importing the newer copy again: %+v", r)
			}
		})
	}
}

// When the user regenerates an answer or edits a question, the export keeps the old one off the path.
func TestReimport_TurnLeavesPath(t *testing.T) {
	st := embeddedHeron(t)
	before := turnOf(t, st, "h3")
	branched := heron()
	branched.updated++
	branched.messages = append(branched.messages,
		chatMessage{id: "h5", role: "user", text: "When does it breed?", under: "h2"}, assistant("h6", "In spring."))
	r := importChats(t, st, []chat{branched})
	if r.Turns.New != 1 || r.Turns.OffPath != 1 || r.Messages.New != 2 {
		t.Errorf("receipt %+v", r)
	}
	left := turnOf(t, st, "h3")
	if left.OnPath || left.Ord != before.Ord || left.AssistantText != "In trees, mostly." {
		t.Errorf("turn %+v", left)
	}
	if got := vectors(t, st, "h1", "h3"); len(got) != 2 {
		t.Errorf("vectors of %v: the active path is not part of a text", got)
	}
}

func TestReimport_MissingTurnsStay(t *testing.T) {
	st := embeddedHeron(t)
	before := turnOf(t, st, "h3")
	shrunk := heron()
	shrunk.updated++
	shrunk.messages = append(shrunk.messages[:2:2], user("h7", "Is it rare?"), assistant("h8", "No."))
	r := importChats(t, st, []chat{shrunk})
	if r.Messages != (ingest.Changes{New: 2, Unchanged: 2}) || r.Turns.Total != 2 || r.Turns.New != 1 {
		t.Errorf("receipt %+v", r)
	}
	kept := turnOf(t, st, "h3")
	if kept.OnPath || kept.UserText != "Where does it nest?" || kept.AssistantText != "In trees, mostly." || kept.Position != 2 || kept.Ord != before.Ord {
		t.Errorf("turn %+v", kept)
	}
	messages, err := st.Messages(t.Context(), testID("heron"))
	if err != nil || len(messages) != 6 {
		t.Fatal(len(messages), err)
	}
	for i, m := range messages {
		if m.Seq != i || m.OnPath != (i < 4) {
			t.Errorf("message %d has seq %d, on path: %v", i, m.Seq, m.OnPath)
		}
	}
	if r := importChats(t, st, []chat{shrunk}); r.Changed() {
		t.Errorf("again: %+v", r)
	}
	// It comes back complete.
	again := heron()
	again.updated += 2
	importChats(t, st, []chat{again})
	if back := turnOf(t, st, "h3"); !back.OnPath || back.Ord != before.Ord || back.Position != 1 {
		t.Errorf("turn %+v", back)
	}
	if got := vectors(t, st, "h1", "h3"); len(got) != 2 {
		t.Errorf("vectors of %v", got)
	}
}

func TestReimport_MissingAnswer(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []chat{heron()})
	replaced := heron()
	replaced.updated++
	replaced.messages[1] = assistant("h2b", "A bird with a long neck.")
	importChats(t, st, []chat{replaced})
	if got := turnOf(t, st, "h1").AssistantText; got != "A bird with a long neck." {
		t.Errorf("the answer is %q", got)
	}
	if findsTurn(t, st, "wade", "h1") || !findsTurn(t, st, "neck", "h1") {
		t.Error("the keyword index was not updated")
	}
}

func TestImport_SharedMessageID(t *testing.T) {
	second := chat{
		id: "copy", title: "Continued", created: 1.75e9, updated: 1.8e9, messages: append(heron().messages, user("k1", "Thank you.")),
	}
	second.messages[1].text = "A wading bird, as I said."
	for _, content := range [][]chat{
		slices.Concat([]chat{heron()}, manyChats(9), []chat{second}),
		slices.Concat([]chat{second}, manyChats(9), []chat{heron()}),
	} {
		for _, batch := range []int{0, 1} {
			st := newArchive(t)
			importChatsIn(t, st, content, batch)
			if turnOf(t, st, "h1").Conversation != testID("heron") {
				t.Error("the shared turn is not in heron, which began first")
			}
			before := exportAll(t, st)
			if n := strings.Count(before, "What is a heron?"); n != 2 {
				t.Errorf("the turn occurs %d times", n)
			}
			if n := strings.Count(before, "as I said."); n != 1 {
				t.Errorf("the other answer occurs %d times", n)
			}
			slices.Reverse(content)
			if r := importChats(t, st, content); r.Changed() || exportAll(t, st) != before {
				t.Errorf("again, in the other order: %+v", r)
			}
			slices.Reverse(content)
		}
	}
}

// Each conversation takes a message over from the one before it: all those that do wait for one further transaction.
func TestImport_SharedMessageIDsInFewTransactions(t *testing.T) {
	const pairs = 20
	var content []chat
	for i, c := range manyChats(2 * pairs) {
		if c.created = 2e9 - float64(i); i%2 == 1 {
			c.messages = append(c.messages, content[i-1].messages...)
		}
		content = append(content, c)
	}
	counting := &failingStore{Store: newArchive(t), n: 1000}
	importChats(t, counting, content)
	if got, want := 1000-counting.n, 3; got != want { // the last one records the run
		t.Errorf("%d transactions, want %d", got, want)
	}
	single := newArchive(t)
	importChatsIn(t, single, content, 1)
	if exportAll(t, counting) != exportAll(t, single) {
		t.Error("the archive depends on the transactions")
	}
	for i := 1; i < len(content); i += 2 {
		if got := turnOf(t, counting, fmt.Sprintf("c%dq", i-1)).Conversation; got != testID(content[i].id) {
			t.Errorf("the turn of pair %d is not in the conversation that began first", i/2)
		}
	}
}

// A conversation from which another takes a message over may need all the room that there is before the writer.
func TestImport_SharedMessageIDOfLargeConversation(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	large := heron()
	large.messages = append(large.messages, user("l1", strings.Repeat("It stands in the water. ", 1<<18)))
	before := chat{id: "copy", title: "Before", created: 1.6e9, messages: heron().messages}
	st := newArchive(t)
	_, err := ingest.Import(ctx, st, []string{writeExport(t, []chat{large, before})}, ingest.Options{})
	testenv.Must(t, err)
	if turnOf(t, st, "h1").Conversation != testID("copy") {
		t.Error("the shared turn is not in the conversation that began first")
	}
}

// The turns of a forgotten conversation stay forgotten in one that repeats it, whether that is there already or comes
// later.
func TestImport_SharedMessageIDAfterForget(t *testing.T) {
	second := chat{id: "copy", title: "Continued", created: 1.75e9, updated: 1.8e9}
	second.messages = append(heron().messages, user("k1", "Thank you."))
	whole := ingest.ForgetOptions{Conversations: []uuid.UUID{testID("heron")}}
	there, later := newArchive(t), newArchive(t)
	importChats(t, there, []chat{heron(), second})
	if got, want := forget(t, there, whole), (ingest.ForgetReport{Conversations: 1, Turns: 4}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	importChats(t, later, []chat{heron()})
	forget(t, later, whole)
	if r := importChats(t, later, []chat{second}); r.Forgotten != 2 || r.Turns.New != 1 {
		t.Errorf("receipt %+v", r)
	}
	if a, b := exportAll(t, there), exportAll(t, later); a != b || strings.Contains(a, "heron") || strings.Count(a, "\n") != 1 {
		t.Errorf("it was there:\n%sit came later:\n%s", a, b)
	}
}

func TestForget(t *testing.T) {
	silent := chat{id: "silent", title: "Nobody asked", messages: []chatMessage{{id: "s1", role: "system", text: "Hello?"}}}
	content := append(manyChats(5), heron(), silent)
	one := testID("heron")
	for _, c := range []struct {
		name string
		opts ingest.ForgetOptions
		want ingest.ForgetReport
		left int
		code errs.Code
	}{
		{"nothing", ingest.ForgetOptions{}, ingest.ForgetReport{}, 7, ""},
		{"a conversation", ingest.ForgetOptions{Conversations: []uuid.UUID{one, one}}, ingest.ForgetReport{Conversations: 1, Turns: 2}, 5, ""},
		{"in a dry run", ingest.ForgetOptions{Conversations: []uuid.UUID{one}, DryRun: true}, ingest.ForgetReport{Conversations: 1, Turns: 2}, 7, ""},
		{"one that is not there", ingest.ForgetOptions{Conversations: []uuid.UUID{one, testID("stranger")}}, ingest.ForgetReport{}, 7, errs.NotFound},
		{"a source", ingest.ForgetOptions{Source: store.ChatGPT}, ingest.ForgetReport{Conversations: 7, Turns: 7}, 0, ""},
		{"another source", ingest.ForgetOptions{Source: store.Claude}, ingest.ForgetReport{}, 7, ""},
		{"everything", ingest.ForgetOptions{Everything: true}, ingest.ForgetReport{Conversations: 7, Turns: 7}, 0, ""},
		{"everything, in a dry run", ingest.ForgetOptions{Everything: true, DryRun: true}, ingest.ForgetReport{Conversations: 7, Turns: 7}, 7, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := newArchive(t)
			importChats(t, st, content)
			got, err := ingest.Forget(t.Context(), st, c.opts)
			if got != c.want || errs.CodeOf(err) != c.code {
				t.Errorf("got %+v, %v", got, err)
			}
			if left := strings.Count(exportAll(t, st), "\n"); left != c.left {
				t.Errorf("%d turns are left, want %d", left, c.left)
			}
			if c.left > 0 {
				return
			}
			if len(found(t, st, "heron")) != 0 {
				t.Error("the keyword index remembers")
			}
			if messages, err := st.Messages(t.Context(), testID("silent")); err != nil || len(messages) != 0 {
				t.Error("a conversation without turns is remembered")
			}
		})
	}
}

func TestForget_AfterConcurrentImport(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []chat{heron()})
	inside, release, wrote := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		wrote <- st.Update(t.Context(), func(tx store.Tx) error {
			close(inside)
			<-release
			return tx.PutConversations(t.Context(), []store.Conversation{{ID: testID("late"), SourceID: "late", Source: store.ChatGPT}})
		})
	}()
	<-inside
	time.AfterFunc(100*time.Millisecond, func() { close(release) })
	got, err := ingest.Forget(t.Context(), st, ingest.ForgetOptions{Everything: true})
	if err != nil || <-wrote != nil {
		t.Fatal(err)
	}
	if want := (ingest.ForgetReport{Conversations: 2, Turns: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A conversation that turns out to have begun later gives the messages that it shares to the one that began before it.
func TestImport_BeganLaterThanBefore(t *testing.T) {
	fork := func(id string, created float64) chat {
		c := chat{id: id, title: id, created: created, updated: 1.7e9 + created - 1.6e9, messages: heron().messages}
		c.messages = append(c.messages[:4:4], user(id+"1", "Thank you, says "+id+"."))
		return c
	}
	early, other, late := fork("b", 1.6e9+40), fork("a", 1.6e9+50), fork("b", 1.6e9+60)
	want := ""
	for _, order := range permutations(3) {
		st := newArchive(t)
		for _, i := range order {
			importChats(t, st, []chat{[]chat{early, other, late}[i]})
		}
		switch got := state(t, st); {
		case want == "":
			want = got
		case got != want:
			t.Errorf("in the order %v:\n%s\nfirst it was\n%s", order, got, want)
		}
	}
}

// A forgotten turn does not stay in a copy that one import reads before the forgotten conversation.
func TestImport_LaterVersionOfForgottenBehindACopy(t *testing.T) {
	first := heron()
	first.messages = first.messages[:2]
	fork := chat{id: "copy", title: "Continued", created: heron().created, updated: 1.8e9}
	fork.messages = append(heron().messages, user("k1", "Thank you."))
	st := newArchive(t)
	importChats(t, st, []chat{first})
	forget(t, st, ingest.ForgetOptions{Conversations: []uuid.UUID{testID("heron")}})
	for _, stored := range []bool{false, true} {
		if stored { // the fork grows in the import that finds its first turns forgotten
			fork.messages = append(fork.messages, user("k2", "Good night."))
			fork.updated++
		}
		_, err := ingest.Import(t.Context(), st, []string{writeExport(t, []chat{fork, heron()})}, ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if left := exportAll(t, st); remembers(t, st, "nest") || strings.Count(left, "\n") != len(fork.messages)-4 {
			t.Errorf("left:\n%s", left)
		}
	}
}

// A later version of a forgotten conversation tells of more turns that are forgotten, and another conversation may have
// them already.
func TestImport_LaterVersionOfForgotten(t *testing.T) {
	first := heron()
	first.messages = first.messages[:2]
	second := chat{id: "copy", title: "Continued", created: 1.75e9, updated: 1.8e9}
	second.messages = append(heron().messages, user("k1", "Thank you."))
	whole := ingest.ForgetOptions{Conversations: []uuid.UUID{testID("heron")}}
	st := newArchive(t)
	importChats(t, st, []chat{first})
	forget(t, st, whole)
	importChats(t, st, []chat{second})
	if !remembers(t, st, "nest") {
		t.Fatal("the turn that is not forgotten yet is not there")
	}
	all, err := st.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var told []uuid.UUID
	keeps := errors.New("it cannot be cleaned")
	opts := ingest.Options{Forgetting: func(_ context.Context, gone ingest.Forgotten) error {
		told = gone.Turns
		return keeps
	}}
	_, err = ingest.Import(t.Context(), st, []string{writeExport(t, []chat{heron()})}, opts)
	isThere := func(id uuid.UUID) bool { return slices.Contains(all.ID, id) }
	if !errors.Is(err, keeps) || !slices.ContainsFunc(told, isThere) || !remembers(t, st, "nest") {
		t.Errorf("got %v, told of %v", err, told)
	}
	keeps = nil
	if _, err := ingest.Import(t.Context(), st, []string{writeExport(t, []chat{heron()})}, opts); err != nil {
		t.Fatal(err)
	}
	if left := exportAll(t, st); remembers(t, st, "nest") || strings.Count(left, "\n") != 1 {
		t.Errorf("left:\n%s", left)
	}
}
