package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/agent"
	"lens/cmd/internal/chat"
	"lens/cmd/internal/datadir"
	"lens/internal/errs"
)

// killedAnswers are saved chats of a process that is killed in its call number at of Forget: before it, or after it.
type killedAnswers struct {
	*chat.Sessions
	calls, at int
	after     bool
}

var errKilled = errors.New("killed")

func (k *killedAnswers) Forget(isGone func(uuid.UUID) bool) (removed int, err error) {
	if k.calls++; k.calls != k.at {
		return k.Sessions.Forget(isGone)
	}
	if k.after {
		removed, err = k.Sessions.Forget(isGone)
	}
	return removed, errors.Join(err, errKilled)
}

// Whenever a process is killed, the same command again leaves neither the turns nor a chat that cites them.
func TestForget_Killed(t *testing.T) {
	for name, killed := range map[string]*killedAnswers{
		"before the chats": {at: 1}, "before the commit": {at: 1, after: true}, "after the commit": {at: 2},
	} {
		t.Run(name, func(t *testing.T) {
			a := filledIn(t, t.TempDir())
			st, err := a.Reading(t.Context())
			must(t, err)
			catalog, err := st.Catalog(t.Context())
			must(t, err)
			turn := catalog.ID[0]
			killed.Sessions = chat.NewSessions(a.folder, datadir.StateFile)
			must(t, killed.Save(t.Context(), citing(turn)))
			a.opts.Answers = killed
			opts := ForgetOptions{Turns: []uuid.UUID{turn}}
			if _, err := a.Forget(t.Context(), opts); !errors.Is(err, errKilled) {
				t.Fatalf("got %v", err)
			}
			gone, err := a.Gone(t.Context(), []uuid.UUID{turn})
			must(t, err)
			if committed := killed.at == 2; committed != (len(gone) > 0) {
				t.Errorf("the turn is gone: %v", gone)
			}
			a.opts.Answers = killed.Sessions
			_, err = a.Forget(t.Context(), opts)
			if errs.CodeOf(err) != errs.NotFound {
				must(t, err)
			}
			all, err := killed.List(t.Context(), agent.SessionPage{Limit: 10})
			must(t, err)
			if gone, err = a.Gone(t.Context(), []uuid.UUID{turn}); err != nil || len(gone) == 0 || len(all) != 1 {
				t.Errorf("gone %v, %v, chats left %+v", gone, err, all)
			}
		})
	}
}

// cancelingAnswers cancel the command that has cleaned them.
type cancelingAnswers struct {
	*chat.Sessions
	cancel func()
}

func (c cancelingAnswers) Forget(isGone func(uuid.UUID) bool) (int, error) {
	defer c.cancel()
	return c.Sessions.Forget(isGone)
}

// A command that fails after the chats are cleaned says so.
func TestForget_FailsAfterTheChats(t *testing.T) {
	a := filledIn(t, t.TempDir())
	st, err := a.Reading(t.Context())
	must(t, err)
	catalog, err := st.Catalog(t.Context())
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	a.opts.Answers = cancelingAnswers{chat.NewSessions(a.folder, datadir.StateFile), cancel}
	_, err = a.Forget(ctx, ForgetOptions{Turns: catalog.ID[:1]})
	if said := errs.First(err); !strings.Contains(said.Message, "are removed, but not the turns") || said.Hint != "run the same command again" {
		t.Errorf("said %+v", said)
	}
	if gone, err := a.Gone(t.Context(), catalog.ID[:1]); err != nil || len(gone) > 0 {
		t.Errorf("gone are %v, %v", gone, err)
	}
}

// An import that finds a copy of what is forgotten removes what leads to it, and an import that finds none removes
// nothing.
func TestImport_RemovesWhatLeadsToACopy(t *testing.T) {
	const question = `"%s":{"message":{"id":"%[1]s","author":{"role":"user"},"content":{"content_type":"text","parts":["%s?"]}}}`
	export := func(name, id string, questions ...string) string {
		var nodes []string
		for _, q := range questions {
			nodes = append(nodes, fmt.Sprintf(question, uuid.NewSHA1(uuid.Nil, []byte(q)), q))
		}
		path := filepath.Join(t.TempDir(), name)
		text := fmt.Sprintf(`[{"id":%q,"title":"t","mapping":{%s}}]`, id, strings.Join(nodes, ","))
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	a := archiveIn(t, t.TempDir())
	chats := chat.NewSessions(a.folder, datadir.StateFile)
	a.opts.Answers = chats
	imports := func(path string) {
		_, err := a.Import(t.Context(), []string{path}, ImportOptions{})
		must(t, err)
	}
	imports(export("first.json", "a", "tern"))
	st, err := a.Reading(t.Context())
	must(t, err)
	ids, err := st.ConversationIDs(t.Context(), "")
	must(t, err)
	_, err = a.Forget(t.Context(), ForgetOptions{Conversations: ids})
	must(t, err)
	imports(export("copy.json", "b", "heron", "stork"))
	st, err = a.Reading(t.Context())
	must(t, err)
	catalog, err := st.Catalog(t.Context())
	must(t, err)
	a.StateWithout = func(state func(any) bool, gone Gone) (any, int) {
		var saved []uuid.UUID
		state(&saved)
		return slices.DeleteFunc(saved, gone.Turn), 0
	}
	must(t, a.StateFile().Save(catalog.ID))
	for _, id := range catalog.ID {
		must(t, chats.Save(t.Context(), citing(id)))
	}
	for _, c := range []struct {
		path        string
		chats, kept int
	}{
		{export("other.json", "c", "ibis"), 2, 2},
		{export("later.json", "a", "tern", "heron"), 1, 1},
	} {
		imports(c.path)
		all, err := chats.List(t.Context(), agent.SessionPage{Limit: 10})
		must(t, err)
		var kept []uuid.UUID
		if !a.StateFile().Load(&kept) || len(kept) != c.kept || len(all) != c.chats {
			t.Errorf("%s: %d chats and the state %v are kept", filepath.Base(c.path), len(all), kept)
		}
	}
}

// citing returns a chat whose answer cites a turn.
func citing(turn uuid.UUID) agent.Session {
	return agent.Session{ID: uuid.NewString(), Exchanges: []agent.Exchange{{
		Question: "?", Answer: "Said [1].", Citations: []agent.Citation{{N: 1, TurnID: turn.String()}},
	}}}
}
