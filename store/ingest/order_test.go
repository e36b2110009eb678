package ingest_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
	"lens/store/postgres"
	"lens/store/postgres/pgtest"
)

// The archive is a function of the set of versions that were imported and of all that is forgotten. These tests import up
// to four versions in every order, forget something at every place, and compare the exports and the messages.

// drawnNode is a message of a drawn version, or one that its export lost.
type drawnNode struct {
	id, parent, role, text string
	time                   int // 0: unknown
	hidden                 bool
	attached               string // of a version for Claude; "": nothing
	call                   string // likewise: the input of a call of the tool for artifacts; "": none
}

// drawnVersion is a version of a conversation as an export has it.
type drawnVersion struct {
	id, title string
	updated   int // 0: unknown
	created   int
	current   string // "": missing
	nodes     []drawnNode
	claude    bool // its export is Claude's, which has attachments and artifacts
}

func (v drawnVersion) clone() drawnVersion {
	v.nodes = slices.Clone(v.nodes)
	return v
}

func (v drawnVersion) MarshalJSON() ([]byte, error) {
	if v.claude {
		return v.marshalClaude()
	}
	mapping := map[string]any{}
	for _, n := range v.nodes {
		message := map[string]any{
			"id": testID(n.id).String(), "author": map[string]any{"role": n.role},
			"content":  map[string]any{"content_type": "text", "parts": []string{n.text}},
			"metadata": map[string]any{"is_visually_hidden_from_conversation": n.hidden},
		}
		if n.time > 0 {
			message["create_time"] = 1.6e9 + float64(n.time)
		}
		entry := map[string]any{"id": testID(n.id).String(), "message": message}
		if n.parent != "" {
			entry["parent"] = testID(n.parent).String()
		}
		mapping[testID(n.id).String()] = entry
	}
	c := map[string]any{"id": testID(v.id).String(), "title": v.title, "mapping": mapping}
	if v.current != "" {
		c["current_node"] = testID(v.current).String()
	}
	if v.updated > 0 {
		c["update_time"] = 1.6e9 + float64(v.updated)
	}
	if v.created > 0 {
		c["create_time"] = 1.6e9 + float64(v.created)
	}
	return json.Marshal(c)
}

// versionDrawer draws versions, each from one before it.
type versionDrawer struct {
	*rapid.T
	made   int  // messages so far
	claude bool // versions of Claude's export
}

func (d *versionDrawer) below(n int, what string) int { return rapid.IntRange(0, n-1).Draw(d.T, what) }

func (d *versionDrawer) add(v *drawnVersion, parent, role string) string {
	d.made++
	id := fmt.Sprintf("m%d", d.made)
	n := drawnNode{id: id, parent: parent, role: role, text: fmt.Sprintf("%s %s says word%d", role, id, d.made), time: d.made}
	if d.below(6, "undated message") == 0 {
		n.time = 0
	}
	if v.claude && d.below(2, "attached") == 0 {
		d.attach(&n)
	}
	v.nodes = append(v.nodes, n)
	return id
}

// exchange appends a question and its answer.
func (d *versionDrawer) exchange(v *drawnVersion, parent string) {
	q := d.add(v, parent, "user")
	v.current = d.add(v, q, "assistant")
}

func (d *versionDrawer) first() drawnVersion {
	v := drawnVersion{id: "a", title: "Title", created: 50, updated: d.below(3, "updated"), claude: d.claude}
	if d.below(2, "untitled") == 0 {
		v.title = ""
	}
	last := ""
	if d.below(4, "greeting") == 0 {
		last = d.add(&v, "", "assistant")
	}
	for range 1 + d.below(3, "turns") {
		d.exchange(&v, last)
		last = v.current
	}
	return v
}

// change returns another version of v.
func (d *versionDrawer) change(v drawnVersion, forks bool) drawnVersion {
	v = v.clone()
	v.updated = d.below(4, "updated")
	if d.below(4, "began otherwise") == 0 {
		v.created = 40 + d.below(3, "created")*10
	}
	for range 1 + d.below(2, "changes") {
		if len(v.nodes) == 0 {
			d.exchange(&v, "")
		}
		at := d.below(len(v.nodes), "node")
		n := &v.nodes[at]
		switch kind := d.below(12, "change"); {
		case kind == 0: // edited in place
			d.made++
			n.text = fmt.Sprintf("edited word%d", d.made)
		case kind == 1: // edited, as a branch
			parent := n.parent
			d.exchange(&v, parent)
		case kind == 2: // regenerated
			v.current = d.add(&v, n.parent, n.role)
		case kind == 3: // deleted with what follows
			d.delete(&v, n.id, true)
		case kind == 4: // deleted; what follows hangs on its parent
			d.delete(&v, n.id, false)
		case kind == 5: // lost: what follows has an unknown parent
			v.nodes = slices.Delete(v.nodes, at, at+1)
		case kind == 6:
			n.hidden = !n.hidden
		case kind == 7:
			v.title = fmt.Sprintf("Title %d", d.made)
		case kind == 8: // another path
			v.current = n.id
		case kind == 10: // regenerated
			d.regenerate(&v)
		case kind == 11: // another answer is chosen
			if answers := answersOf(&v); len(answers) > 0 {
				v.current = answers[d.below(len(answers), "answer")].id
			}
		case v.claude && d.below(2, "attachment") == 0:
			d.attach(n)
		case forks && d.below(2, "fork") == 0:
			v.id = "b"
			v.created = 40 + d.below(3, "created")*10
			d.exchange(&v, v.current)
		default:
			d.exchange(&v, v.current)
		}
	}
	return v
}

// answersOf returns the messages of the assistant.
func answersOf(v *drawnVersion) (answers []drawnNode) {
	for _, n := range v.nodes {
		if n.role == "assistant" {
			answers = append(answers, n)
		}
	}
	return answers
}

// regenerate adds an answer beside another, and may choose it.
func (d *versionDrawer) regenerate(v *drawnVersion) {
	answers := answersOf(v)
	if len(answers) == 0 {
		return
	}
	of := answers[d.below(len(answers), "answer")]
	added := d.add(v, of.parent, "assistant")
	if d.below(2, "longer") == 0 {
		added = d.add(v, added, "assistant")
	}
	if d.below(2, "chosen") == 0 {
		v.current = added
	}
}

func (d *versionDrawer) delete(v *drawnVersion, id string, below bool) {
	at := slices.IndexFunc(v.nodes, func(n drawnNode) bool { return n.id == id })
	parent := v.nodes[at].parent
	v.nodes = slices.Delete(v.nodes, at, at+1)
	if v.current == id {
		v.current = parent
	}
	for i := 0; i < len(v.nodes); i++ {
		if v.nodes[i].parent != id {
			continue
		}
		if below {
			d.delete(v, v.nodes[i].id, true)
			i = -1
		} else {
			v.nodes[i].parent = parent
		}
	}
}

func (d *versionDrawer) versions(forks bool) []drawnVersion {
	all := []drawnVersion{d.first()}
	for range 1 + d.below(3, "versions") {
		all = append(all, d.change(all[d.below(len(all), "of")], forks))
	}
	return all
}

// selections returns what may be forgotten: each conversation, and each turn that the versions may have.
func selections(all []drawnVersion) (out []ingest.ForgetOptions) {
	seen := map[uuid.UUID]bool{}
	for _, v := range all {
		if !seen[testID(v.id)] {
			seen[testID(v.id)] = true
			out = append(out, ingest.ForgetOptions{Conversations: []uuid.UUID{testID(v.id)}})
		}
		for _, n := range v.nodes {
			if !seen[testID(n.id)] {
				seen[testID(n.id)] = true
				out = append(out, ingest.ForgetOptions{Turns: []uuid.UUID{askedIn(n.id)}})
			}
			if answer := store.AnswerID(testID(n.parent), testID(n.id)); n.parent != "" && !seen[answer] {
				seen[answer] = true
				out = append(out, ingest.ForgetOptions{Turns: []uuid.UUID{answer}})
			}
		}
	}
	return out
}

// state returns all that the archive shows: turns, conversations and messages.
func state(t testing.TB, st store.Store) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(exportAll(t, st))
	ids, err := st.ConversationIDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	all, err := st.Conversations(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		c.Superseded = nil
		fmt.Fprintf(&b, "%s %q %v %v %s\n", c.ID, c.Title, c.Created, c.Updated, c.Model)
		if c.Document != nil {
			fmt.Fprintf(&b, "  document %+v\n", *c.Document)
		}
		messages, err := st.Messages(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			m.Hash = store.Hash{}
			fmt.Fprintf(&b, "  %d %s under %s, %s %v %v of %s: %q %s\n", m.Seq, m.ID, m.Parent, m.Role, m.Visible, m.OnPath, m.Turn, m.Text, m.Raw)
		}
	}
	catalog, err := st.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&b, len(catalog.ID), "turns")
	return b.String()
}

// permutations yields the orders of n things.
func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, p := range permutations(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return all
}

// replay empties the archive, imports the versions in that order and forgets selected after so many of them. It reports
// whether there was something to forget. With together, one import reads those before, and one those after.
func replay(
	t testing.TB, st store.Store, files []string, order []int, forgetAfter int, selected ingest.ForgetOptions, together bool,
) (string, bool) {
	t.Helper()
	if _, err := ingest.Forget(t.Context(), st, ingest.ForgetOptions{Everything: true}); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for i, v := range order {
		paths = append(paths, files[v])
		if together && i+1 != forgetAfter && i+1 != len(order) {
			continue
		}
		importVersions(t, st, paths)
		paths = nil
		if i+1 == forgetAfter {
			_, err := ingest.Forget(t.Context(), st, selected)
			var known *errs.Error
			if errors.As(err, &known) && known.Code == errs.NotFound {
				return "", false
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return state(t, st), true
}

// isNothing reports whether err says that a version has no turns, though it is stored.
func isNothing(err error) bool {
	return errs.CodeOf(err) == errs.NotFound && strings.Contains(err.Error(), "cannot import ")
}

// importVersions imports files, and checks a dry run against it.
func importVersions(t testing.TB, st store.Store, paths []string) {
	t.Helper()
	dry, err := ingest.Import(t.Context(), st, paths, ingest.Options{DryRun: true})
	if err != nil && !isNothing(err) {
		t.Fatal(err)
	}
	r, err := ingest.Import(t.Context(), st, paths, ingest.Options{})
	if err == nil || isNothing(err) {
		err = r.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	if dry.Conversations != r.Conversations || dry.Messages != r.Messages || dry.Turns != r.Turns || !maps.Equal(dry.Skipped, r.Skipped) {
		t.Fatalf("a dry run said %+v, the import %+v", dry, r)
	}
}

// checkOrders checks that all orders of the versions give one archive, whether one import reads them or several.
func checkOrders(t *rapid.T, tb testing.TB, st store.Store, all []drawnVersion) {
	var files []string
	for _, v := range all {
		files = append(files, writeExport(tb, []drawnVersion{v}))
	}
	checkOrdersOf(t, tb, st, files, selections(all), false, all)
}

// checkOrdersOf checks that all orders of the files give one archive, with one of choices forgotten, or nothing. With
// asShown, a conversation is forgotten as the archive shows it when all files are there. drawn is what a failure prints.
func checkOrdersOf(
	t *rapid.T, tb testing.TB, st store.Store, files []string, choices []ingest.ForgetOptions, asShown bool, drawn any,
) {
	choices = append(choices, ingest.ForgetOptions{})
	selected := choices[rapid.IntRange(0, len(choices)-1).Draw(t, "forget")]
	states := map[string]string{}
	runs := 0
	together := rapid.Bool().Draw(t, "together")
	for _, order := range permutations(len(files)) {
		from := 1
		if selected.Turns == nil && (selected.Conversations == nil || asShown) {
			from = len(files)
		}
		for after := from; after <= len(files); after++ {
			if got, ok := replay(tb, st, files, order, after, selected, together); ok {
				runs++
				if _, known := states[got]; !known {
					states[got] = fmt.Sprintf("%v, forgotten after %d", order, after)
				}
			}
		}
	}
	if len(states) > 1 {
		var b strings.Builder
		for s, how := range states {
			fmt.Fprintf(&b, "\n--- %s\n%s", how, s)
		}
		t.Fatalf("%d different archives in %d orders of %s%s", len(states), runs, mustHave(json.Marshal(drawn)), b.String())
	}
}

func mustHave[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// fewChecks leaves rapid 20 instead of 100 archives to draw, each of which is imported up to 100 times. In a short run,
// in which rapid draws a fifth, it leaves one: under the race detector all orders of one archive take up to twenty seconds.
func fewChecks(t *testing.T) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if checks.Value.String() != checks.DefValue {
		return
	}
	few := "20"
	if testing.Short() {
		few = "5"
	}
	if err := flag.Set("rapid.checks", few); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set("rapid.checks", checks.DefValue) })
}

func TestImport_AnyOrder(t *testing.T) {
	fewChecks(t)
	st := newArchive(t)
	rapid.Check(t, func(rt *rapid.T) {
		d := versionDrawer{T: rt}
		checkOrders(rt, t, st, d.versions(false))
	})
}

func TestImport_AnyOrderWithForks(t *testing.T) {
	fewChecks(t)
	st := newArchive(t)
	rapid.Check(t, func(rt *rapid.T) {
		d := versionDrawer{T: rt}
		checkOrders(rt, t, st, d.versions(true))
	})
}

func TestImport_AnyOrderPostgres(t *testing.T) {
	fewChecks(t)
	st, err := postgres.Open(context.Background(), postgres.Options{URL: pgtest.Schema(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	rapid.Check(t, func(rt *rapid.T) {
		d := versionDrawer{T: rt}
		checkOrders(rt, t, st, d.versions(true))
	})
}

// A conversation gives one message of a turn up to a fork in one import and the other in the next. The former id of the
// answer must not stay in the turn.
func TestImport_TurnGivesUpItsMessagesOneByOne(t *testing.T) {
	st := newArchive(t)
	question := drawnNode{id: "m1", role: "user", text: "user m1", time: 1}
	answer := drawnNode{id: "m2", parent: "m1", role: "assistant", text: "assistant m2"}
	edited := drawnNode{id: "m1", role: "user", text: "edited", time: 1}
	other := drawnNode{id: "m3", role: "user", text: "user m3", time: 3}
	versions := []drawnVersion{
		{id: "a", title: "Title", created: 50, current: "m2", nodes: []drawnNode{question, answer}},
		{id: "b", title: "Title", created: 40, updated: 3, current: "m3", nodes: []drawnNode{question, answer, other}},
		{id: "b", title: "Title", created: 40, current: "m3", nodes: []drawnNode{edited, other}},
	}
	var files []string
	for _, v := range versions {
		files = append(files, writeExport(t, []drawnVersion{v}))
	}
	want, _ := replay(t, st, files, []int{0, 1, 2}, 0, ingest.ForgetOptions{}, false)
	for _, order := range permutations(len(files)) {
		if got, _ := replay(t, st, files, order, 0, ingest.ForgetOptions{}, false); got != want {
			t.Errorf("imported as %v:\n%s\nwant\n%s", order, got, want)
		}
	}
}

// forkOf returns the versions of two conversations that share an answer, whose question the second one lost, and of which
// only the first can begin later without what is forgotten with the second.
func forkOf() []drawnVersion {
	question := drawnNode{id: "m1", role: "user", text: "user m1", time: 1}
	asked := drawnNode{id: "m3", role: "user", text: "user m3", time: 3}
	answer := drawnNode{id: "m4", parent: "m3", role: "assistant", text: "assistant m4", time: 4}
	return []drawnVersion{
		{id: "a", title: "Title", created: 50, current: "m4", nodes: []drawnNode{asked, answer}},
		{id: "a", title: "Title", created: 40, updated: 1, current: "m1", nodes: []drawnNode{question}},
		{id: "b", title: "Title", created: 50, current: "m1", nodes: []drawnNode{question, answer}},
	}
}

// A conversation begins later without the turns that are forgotten with another, so that others may take messages over
// from it. The forgotten one must not be among these.
func TestForget_ConversationDoesNotTakeMessagesOver(t *testing.T) {
	checkForgottenInAnyOrder(t, forkOf(), ingest.ForgetOptions{Conversations: []uuid.UUID{testID("b")}})
}

// checkForgottenInAnyOrder checks that all orders of versions, the last of which is forgotten at any place behind it,
// give the archive that never had it.
func checkForgottenInAnyOrder(t *testing.T, versions []drawnVersion, selected ingest.ForgetOptions) {
	t.Helper()
	st := newArchive(t)
	var files []string
	for _, v := range versions {
		files = append(files, writeExport(t, []drawnVersion{v}))
	}
	last := len(files) - 1
	first := append([]int{last}, permutations(last)[0]...)
	want, ok := replay(t, st, files, first, 1, selected, false)
	if !ok {
		t.Fatal("there is nothing to forget")
	}
	for _, order := range permutations(len(files)) {
		for after := slices.Index(order, last) + 1; after <= len(files); after++ {
			if got, ok := replay(t, st, files, order, after, selected, false); !ok || got != want {
				t.Errorf("%v, forgotten after %d, %t:\n%s\nwant\n%s", order, after, ok, got, want)
			}
		}
	}
}

// An answer that a forgotten conversation began with is the reply of another, which stays. It gets the id back that it
// has in its file.
func TestForget_SharedAnswerGetsItsIDBack(t *testing.T) {
	question := drawnNode{id: "m1", role: "user", text: "user m1", time: 1}
	answer := drawnNode{id: "m2", parent: "m1", role: "assistant", text: "assistant m2", time: 2}
	other := drawnNode{id: "m3", role: "user", text: "user m3", time: 3}
	whole := drawnVersion{id: "a", title: "Title", created: 50, current: "m2", nodes: []drawnNode{question, answer}}
	for name, selected := range map[string]ingest.ForgetOptions{
		"the conversation": {Conversations: []uuid.UUID{testID("b")}},
		"its turn":         {Turns: []uuid.UUID{askedIn("m2")}},
	} {
		t.Run(name, func(t *testing.T) {
			checkForgottenInAnyOrder(t, []drawnVersion{
				whole, {id: "b", title: "Title", created: 40, current: "m3", nodes: []drawnNode{answer, other}},
			}, selected)
		})
	}
}

// A message that a conversation loses with a forgotten turn may be without its parent in a fork, where it belongs to no
// forgotten turn. The fork takes it over.
func TestForget_ForkKeepsReplyWithoutParent(t *testing.T) {
	question := drawnNode{id: "m1", role: "user", text: "user m1", time: 1}
	answer := drawnNode{id: "m2", parent: "m1", role: "assistant", text: "assistant m2", time: 2}
	other := drawnNode{id: "m7", parent: "m1", role: "assistant", text: "assistant m7", time: 7}
	asked := drawnNode{id: "m3", role: "user", text: "user m3", time: 3}
	chosen := drawnNode{id: "m4", parent: "m3", role: "assistant", text: "assistant m4", time: 4}
	lost := drawnNode{id: "m5", parent: "m3", role: "assistant", text: "assistant m5", time: 5}
	reply := drawnNode{id: "m6", parent: "m5", role: "assistant", text: "assistant m6", time: 6}
	next := drawnNode{id: "m8", parent: "m4", role: "user", text: "user m8", time: 8}
	last := drawnNode{id: "m9", parent: "m8", role: "assistant", text: "assistant m9", time: 9}
	versions := []drawnVersion{
		{id: "a", title: "Title", created: 50, current: "m2", nodes: []drawnNode{question, answer}},
		{id: "a", title: "Title", created: 50, current: "m4", nodes: []drawnNode{asked, chosen, lost, reply}},
		{id: "a", title: "Title", created: 50, updated: 3, current: "m2", nodes: []drawnNode{question, answer, other}},
		{id: "b", title: "Title", created: 50, updated: 3, current: "m9", nodes: []drawnNode{asked, chosen, reply, next, last}},
	}
	st := newArchive(t)
	var files []string
	for _, v := range versions {
		files = append(files, writeExport(t, []drawnVersion{v}))
	}
	selected := ingest.ForgetOptions{Turns: []uuid.UUID{askedIn("m3")}}
	want, _ := replay(t, st, files, []int{3, 2, 1, 0}, 1, selected, false)
	for _, together := range []bool{false, true} {
		for _, order := range permutations(len(files)) {
			for after := 1; after <= len(files); after++ {
				if got, ok := replay(t, st, files, order, after, selected, together); ok && got != want {
					t.Errorf("%v, forgotten after %d:\n%s\nwant\n%s", order, after, got, want)
				}
			}
		}
	}
}

// Versions that one import reads give the archive that several give, however they are divided: a conversation may take
// messages over from one that is merged later in the same batch, in another batch of the transaction, or after it.
func TestImport_TogetherOrApart(t *testing.T) {
	question := drawnNode{id: "m1", role: "user", text: "user m1", time: 1}
	answer := drawnNode{id: "m2", parent: "m1", role: "assistant", text: "assistant m2", time: 2}
	next := drawnNode{id: "m3", parent: "m2", role: "user", text: "user m3", time: 3}
	other := drawnNode{id: "m4", role: "user", text: "user m4", time: 4}
	shared := drawnNode{id: "m9", role: "user", text: "user m9", time: 9}
	filler := []drawnVersion{ // the second one begins a batch
		{id: "filler 1", title: "Title", created: 10, current: "m9", nodes: []drawnNode{shared}},
		{id: "filler 2", title: "Title", created: 20, current: "m9", nodes: []drawnNode{shared}},
	}
	for name, c := range map[string]struct {
		a, b, again drawnVersion
	}{
		"b takes them over": {
			drawnVersion{created: 50, current: "m2", nodes: []drawnNode{question, answer}},
			drawnVersion{created: 50, current: "m2", nodes: []drawnNode{question, answer}},
			drawnVersion{created: 50, updated: 3, current: "m4", nodes: []drawnNode{other}},
		},
		"a begins later then": {
			drawnVersion{created: 40, current: "m2", nodes: []drawnNode{question, answer}},
			drawnVersion{created: 50, current: "m3", nodes: []drawnNode{question, answer, next}},
			drawnVersion{created: 60, updated: 3, current: "m2", nodes: []drawnNode{question, answer}},
		},
		"a begins earlier then": {
			drawnVersion{created: 60, current: "m2", nodes: []drawnNode{question, answer}},
			drawnVersion{created: 50, current: "m3", nodes: []drawnNode{question, answer, next}},
			drawnVersion{created: 40, updated: 3, current: "m2", nodes: []drawnNode{question, answer}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.a.id, c.b.id, c.again.id = "a", "b", "a"
			var files []string
			for _, v := range []drawnVersion{c.a, c.b, c.again} {
				v.title = "Title"
				files = append(files, writeExport(t, []drawnVersion{v}))
			}
			st := newArchive(t)
			want, _ := replay(t, st, files, []int{0, 1, 2}, 0, ingest.ForgetOptions{}, false)
			fill := writeExport(t, filler)
			for _, order := range permutations(len(files)) {
				for split := range len(files) {
					for _, filled := range []bool{false, true} {
						testenv.Must(t, forgetAll(t, st))
						var before, after []string
						for i, v := range order {
							if i < split {
								before = append(before, files[v])
								continue
							}
							after = append(after, files[v])
							if filled && i+1 < len(order) {
								after = append(after, fill)
							}
						}
						if len(before) > 0 {
							importVersions(t, st, before)
						}
						importVersions(t, st, after)
						if filled && split < 2 {
							fillers := []uuid.UUID{testID("filler 1"), testID("filler 2")}
							_, err := ingest.Forget(t.Context(), st, ingest.ForgetOptions{Conversations: fillers})
							testenv.Must(t, err)
						}
						if got := state(t, st); got != want {
							t.Errorf("%v, the first %d before the others, filled %t:\n%s\nwant\n%s", order, split, filled, got, want)
						}
					}
				}
			}
		})
	}
}

func forgetAll(t *testing.T, st store.Store) error {
	_, err := ingest.Forget(t.Context(), st, ingest.ForgetOptions{Everything: true})
	return err
}
