package chat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/config"
	"lens/cmd/internal/datadir"
	"lens/cmd/internal/keys"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/internal/vault/vaulttest"
)

const (
	chatID  = "0b8f6e3c-1111-4222-8333-444455556666"
	otherID = "0b8f6e3c-1111-4222-8333-444455556667"
)

func sessionsIn(tb testing.TB, dir string) *Sessions {
	tb.Helper()
	folder := datadir.New(keys.New(keys.Options{Dir: dir, Vault: vaulttest.Options()}))
	tb.Cleanup(folder.Close)
	return NewSessions(folder, datadir.StateFile)
}

var must = testenv.Must

func TestSessions_SaveAndRead(t *testing.T) {
	dir := t.TempDir()
	c := sessionsIn(t, dir)
	if all, err := c.List(t.Context(), agent.SessionPage{Limit: 10}); err != nil || len(all) != 0 {
		t.Fatalf("before the first conversation: got %v, %v", all, err)
	}
	if _, err := c.Session(t.Context(), chatID); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("before the first conversation: got %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 1 { // the directory lock
		t.Errorf("reading created %v", left)
	}
	asked := time.Date(2024, 5, 1, 12, 0, 0, 123456789, time.UTC)
	for _, name := range []string{"bread", "rye bread"} {
		must(t, c.Save(t.Context(), agent.Session{
			ID: chatID, Name: name, Created: asked, Updated: asked,
			Exchanges: []agent.Exchange{{Question: "how?", Answer: "slowly", Asked: asked, Conclusion: true}},
		}))
	}
	one, err := c.Session(t.Context(), chatID)
	if err != nil || one.Name != "rye bread" || one.Exchanges[0].Answer != "slowly" || !one.Exchanges[0].Asked.Equal(asked) {
		t.Errorf("got %+v, %v", one, err)
	}
	all, err := c.List(t.Context(), agent.SessionPage{Limit: 10})
	want := agent.SessionSummary{
		ID: chatID, Name: "rye bread", Created: one.Created, Updated: one.Updated, Exchanges: 1, Conclusions: 1,
	}
	if err != nil || len(all) != 1 || all[0] != want {
		t.Errorf("got %+v, %v", all, err)
	}
	if info, err := os.Stat(filepath.Join(dir, datadir.SessionsFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
}

func TestSessions_Change(t *testing.T) {
	c := sessionsIn(t, t.TempDir())
	rename := func(one *agent.Session) { one.Name = "rye" }
	if _, err := c.Change(t.Context(), chatID, rename); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("without a database: %v", err)
	}
	must(t, c.Save(t.Context(), agent.Session{ID: otherID}))
	if _, err := c.Change(t.Context(), chatID, rename); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("without the session: %v", err)
	}
	one, err := c.Change(t.Context(), otherID, rename)
	if kept, failed := c.Session(t.Context(), otherID); err != nil || failed != nil || one.Name != "rye" || kept.Name != "rye" {
		t.Errorf("got %+v, kept %+v, %v", one, kept, errors.Join(err, failed))
	}
}

// Two sessions have the same time, so that their IDs decide.
func TestSessions_Pages(t *testing.T) {
	c := sessionsIn(t, t.TempDir())
	id := func(n int) string { return fmt.Sprintf("0b8f6e3c-1111-4222-8333-%012d", n) }
	at := func(n int) time.Time { return time.Unix(int64(n/2), 0).UTC() }
	for n := range 9 {
		must(t, c.Save(t.Context(), agent.Session{ID: id(n), Updated: at(n), Pinned: n%4 == 0, Archived: n == 3}))
	}
	pages := func(page agent.SessionPage, between func()) (ids []string) {
		t.Helper()
		for {
			found, err := c.List(t.Context(), page)
			must(t, err)
			for _, one := range found {
				ids = append(ids, strings.TrimLeft(one.ID[24:], "0"))
			}
			if len(found) < page.Limit {
				return ids
			}
			page.After = &found[len(found)-1]
			between()
		}
	}
	yes, no := true, false
	for _, want := range []struct {
		page agent.SessionPage
		ids  string
	}{
		{agent.SessionPage{Limit: 3}, "8 7 6 5 4 2 1 "},
		{agent.SessionPage{Limit: 100}, "8 7 6 5 4 2 1 "},
		{agent.SessionPage{Limit: 3, Archived: true}, "3"},
		{agent.SessionPage{Limit: 1, Pinned: &yes}, "8 4 "},
		{agent.SessionPage{Limit: 2, Pinned: &no}, "7 6 5 2 1"},
	} {
		if got := strings.Join(pages(want.page, func() {}), " "); got != want.ids {
			t.Errorf("%+v: got %q, want %q", want.page, got, want.ids)
		}
	}
	// A session that changes between two pages moves to the beginning; the others stay where they are.
	moved := false
	got := pages(agent.SessionPage{Limit: 3}, func() {
		if !moved {
			_, err := c.Change(t.Context(), id(2), func(one *agent.Session) { one.Updated = at(99) })
			must(t, err)
			_, err = c.Change(t.Context(), id(6), func(one *agent.Session) { one.Updated = at(99) })
			must(t, err)
			moved = true
		}
	})
	if all := strings.Join(got, " "); all != "8 7 6 5 4 1 " {
		t.Errorf("with changes: got %q", all)
	}
}

// A conversation that moves to a page that was already read is yielded all the same, and one that was yielded only once.
func TestSessions_AllWhileTheyChange(t *testing.T) {
	c := sessionsIn(t, t.TempDir())
	id := func(n int) string { return fmt.Sprintf("0b8f6e3c-1111-4222-8333-%012d", n) }
	at := func(n int) time.Time { return time.Unix(int64(n), 0).UTC() }
	for n := range 7 {
		must(t, c.Save(t.Context(), agent.Session{ID: id(n), Updated: at(n), Archived: n == 3}))
	}
	change := func(n int, how func(*agent.Session)) {
		_, err := c.Change(t.Context(), id(n), how)
		must(t, err)
	}
	var got []string
	for one, err := range c.all(t.Context(), 2) {
		must(t, err)
		if got = append(got, strings.TrimLeft(one.ID[24:], "0")); len(got) == 1 {
			change(6, func(one *agent.Session) { one.Updated = at(99) })
			change(1, func(one *agent.Session) { one.Updated = at(98) })
			change(3, func(one *agent.Session) { one.Archived, one.Updated = false, at(97) })
		}
	}
	if all := strings.Join(got, " "); all != "6 5 4 2  1 3" {
		t.Errorf("got %q", all)
	}
}

func TestSessions_InvalidID(t *testing.T) {
	c := sessionsIn(t, t.TempDir())
	for _, id := range []string{"", "../explorer", "{" + chatID + "}", chatID + "/../../x"} {
		_, failed := c.Session(t.Context(), id)
		if err := c.Save(t.Context(), agent.Session{ID: id}); errs.CodeOf(err) != errs.Invalid || errs.CodeOf(failed) != errs.Invalid {
			t.Errorf("%q is accepted as an ID", id)
		}
	}
}

func TestSessions_WithoutArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := sessionsIn(t, dir).Save(t.Context(), agent.Session{ID: chatID}); errs.CodeOf(err) != errs.Unavailable {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the archive's folder was created")
	}
}

func TestSessions_NotADatabase(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, datadir.SessionsFile)
	text := strings.Repeat("not a database ", 999)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	c := sessionsIn(t, dir)
	_, err := c.List(t.Context(), agent.SessionPage{Limit: 1})
	for _, err := range []error{err, c.Save(t.Context(), agent.Session{ID: chatID})} {
		if e := errs.First(err); e.Code != errs.Invalid || e.Message != path+" does not hold chats" {
			t.Errorf("got %v", err)
		}
	}
	if kept, err := os.ReadFile(path); err != nil || string(kept) != text {
		t.Errorf("the file was changed: %v", err)
	}
}

func TestModel_Host(t *testing.T) {
	for base, want := range map[string]struct {
		host  string
		local bool
	}{
		"":                          {"api.openai.com", false},
		"http://127.0.0.1:11434/v1": {"127.0.0.1", true},
		"http://localhost:1/v1":     {"localhost", true},
		"https://models.example/v1": {"models.example", false}, "http://127.0.0.1.example/v1": {"127.0.0.1.example", false},
	} {
		m := NewModel(config.Chat{BaseURL: base}, network.Policy{})
		if host, local := m.Host(); host != want.host || local != want.local {
			t.Errorf("%q: %s, %v", base, host, local)
		}
	}
}

func TestSessions_ForgetCitedTurns(t *testing.T) {
	c := sessionsIn(t, t.TempDir())
	removes := func(want int) func(int, error) {
		return func(got int, err error) {
			t.Helper()
			if err != nil || got != want {
				t.Errorf("removed %d, %v, want %d", got, err, want)
			}
		}
	}
	removes(0)(c.Forget(func(uuid.UUID) bool { return true }))
	removes(0)(c.Clear())
	gone, there := uuid.New(), uuid.New()
	citing := func(id uuid.UUID) agent.Exchange {
		return agent.Exchange{Question: "?", Answer: "Said [1].", Citations: []agent.Citation{{N: 1, TurnID: id.String()}}}
	}
	for id, turns := range map[string][]uuid.UUID{chatID: {there, gone, gone}, otherID: {there}} {
		one := agent.Session{ID: id}
		for _, turn := range turns {
			one.Exchanges = append(one.Exchanges, citing(turn))
		}
		must(t, c.Save(t.Context(), one))
	}
	must(t, c.Save(t.Context(), agent.Session{ID: strings.Replace(chatID, "6", "7", 1), Exchanges: []agent.Exchange{
		{Broken: agent.BrokenByError, Findings: &agent.Findings{Turns: []agent.Citation{{TurnID: gone.String()}}}},
	}}))
	must(t, c.Save(t.Context(), agent.Session{ID: strings.Replace(chatID, "6", "8", 1), Exchanges: []agent.Exchange{
		{Answer: "It told me so, and I do not cite it.", Read: []string{gone.String()}},
	}}))
	asked := map[uuid.UUID]int{}
	removes(3)(c.Forget(func(id uuid.UUID) bool { asked[id]++; return id == gone }))
	all, err := c.List(t.Context(), agent.SessionPage{Limit: 10})
	if err != nil || len(all) != 1 || all[0].ID != otherID || len(asked) != 2 || asked[there] != 1 {
		t.Errorf("after forgetting: got %+v, %v, asked about %v", all, err, asked)
	}
	// An answer that is replaced cites nothing any more.
	_, err = c.Change(t.Context(), otherID, func(one *agent.Session) { one.Exchanges = nil })
	must(t, err)
	removes(0)(c.Forget(func(uuid.UUID) bool { return true }))
	if all, err := c.List(t.Context(), agent.SessionPage{Limit: 10}); err != nil || len(all) != 1 {
		t.Errorf("without citations: got %+v, %v", all, err)
	}
	removes(1)(c.Clear())
	if all, err := c.List(t.Context(), agent.SessionPage{Limit: 10}); err != nil || len(all) != 0 {
		t.Errorf("cleared: got %+v, %v", all, err)
	}
}

// The turns that an answer read are forgotten before it is saved.
func TestSessions_SavedAfterForgetting(t *testing.T) {
	there, gone := uuid.New(), uuid.New()
	citing := func(minute int, id uuid.UUID) agent.Exchange {
		return agent.Exchange{
			Question: "?", Answer: "Said [1].", Asked: time.Unix(int64(60*minute), 0).UTC(), Conclusion: true,
			Citations: []agent.Citation{{N: 1, TurnID: id.String()}},
		}
	}
	lost := citing(1, gone)
	lost.Answer, lost.Conclusion, lost.Citations = "", false, []agent.Citation{}
	lost.Broken, lost.Reason = agent.BrokenByError, reasonForgotten
	later := lost
	later.Asked = time.Unix(120, 0).UTC()
	before, after := citing(0, there), citing(2, there)
	reported := lost
	reported.Findings, reported.Answer = &agent.Findings{Turns: []agent.Citation{{TurnID: gone.String()}}}, "Found."
	answering := agent.Exchange{Question: "?", Asked: later.Asked, Answering: true, Citations: []agent.Citation{}}
	for name, c := range map[string]struct{ saved, want []agent.Exchange }{
		"an answer":            {[]agent.Exchange{before, citing(1, gone)}, []agent.Exchange{before, lost}},
		"a report":             {[]agent.Exchange{before, reported}, []agent.Exchange{before, lost}},
		"an answer before one": {[]agent.Exchange{before, citing(1, gone), after}, []agent.Exchange{before, lost, later}},
		"a question after one": {[]agent.Exchange{citing(1, gone), answering}, []agent.Exchange{lost, answering}},
		"another answer":       {[]agent.Exchange{before, after}, []agent.Exchange{before, after}},
	} {
		t.Run(name, func(t *testing.T) {
			s := sessionsIn(t, t.TempDir())
			must(t, s.Save(t.Context(), agent.Session{ID: otherID, Exchanges: []agent.Exchange{before}}))
			s.Gone = func(_ context.Context, turns []uuid.UUID) ([]uuid.UUID, error) {
				return slices.DeleteFunc(turns, func(id uuid.UUID) bool { return id != gone }), nil
			}
			must(t, s.Save(t.Context(), agent.Session{ID: chatID, Exchanges: c.saved}))
			_, err := s.Change(t.Context(), otherID, func(one *agent.Session) { one.Exchanges = c.saved })
			must(t, err)
			for _, id := range []string{chatID, otherID} {
				if one, err := s.Session(t.Context(), id); err != nil || !reflect.DeepEqual(one.Exchanges, c.want) {
					t.Errorf("got %+v, want %+v; %v", one.Exchanges, c.want, err)
				}
			}
		})
	}
	s := sessionsIn(t, t.TempDir())
	must(t, s.Save(t.Context(), agent.Session{ID: chatID, Exchanges: []agent.Exchange{before}}))
	s.Gone = func(context.Context, []uuid.UUID) ([]uuid.UUID, error) { return nil, errors.New("no archive") }
	if _, err := s.Change(t.Context(), chatID, func(one *agent.Session) { one.Name = "bread" }); err != nil {
		t.Errorf("without new citations, the archive is needed: %v", err)
	}
	if err := s.Save(t.Context(), agent.Session{ID: otherID, Exchanges: []agent.Exchange{before}}); err == nil {
		t.Error("saved without knowing what is forgotten")
	}
}

func TestModel_OpenLocalRemote(t *testing.T) {
	for _, url := range []string{"", "https://chat.example/v1"} {
		m := NewModel(config.Chat{Provider: "openai", BaseURL: url, Key: "k", Model: "m"}, network.Policy{})
		if m.OpenLocal() != nil {
			t.Errorf("%q: got a model", url)
		}
	}
}

func TestSessions_ForgottenTextLeavesTheFile(t *testing.T) {
	dir := t.TempDir()
	c := sessionsIn(t, dir)
	const canary = "zanzibarine"
	gone := uuid.New()
	for round := range 3 { // rows grow and move
		for i := range 60 {
			cited, word := uuid.New(), "bread "
			if i%2 == 0 {
				cited, word = gone, canary+" "
			}
			must(t, c.Save(t.Context(), agent.Session{
				ID: uuid.NewSHA1(uuid.NameSpaceOID, []byte{byte(i)}).String(), Name: word,
				Exchanges: []agent.Exchange{{
					Question: strings.Repeat(word, 5+40*round*(i%7)), Answer: word,
					Citations: []agent.Citation{{N: 1, TurnID: cited.String()}},
				}},
			}))
		}
	}
	holds := func() bool {
		text, err := os.ReadFile(filepath.Join(dir, datadir.SessionsFile))
		must(t, err)
		return strings.Contains(string(text), canary)
	}
	if !holds() {
		t.Fatal("the text is not there to begin with")
	}
	_, err := c.Forget(func(id uuid.UUID) bool { return id == gone })
	must(t, err)
	if holds() {
		t.Error("the file still has a forgotten text")
	}
}
