package archive

import (
	"context"
	"errors"
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

// citing returns a chat whose answer cites a turn.
func citing(turn uuid.UUID) agent.Session {
	return agent.Session{ID: uuid.NewString(), Exchanges: []agent.Exchange{{
		Question: "?", Answer: "Said [1].", Citations: []agent.Citation{{N: 1, TurnID: turn.String()}},
	}}}
}
