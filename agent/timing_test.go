package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lens/internal/errs"
)

// slowPeek takes a minute.
type slowPeek struct{ fakePeek }

func (slowPeek) Call(context.Context, json.RawMessage) (Outcome, error) {
	time.Sleep(time.Minute)
	return Outcome{Text: "late"}, nil
}

// silentModel never answers.
type silentModel struct{ fakeModel }

func (*silentModel) Stream(ctx context.Context, _ Prompt) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		<-ctx.Done()
		yield(Delta{}, ctx.Err())
	}
}

func TestRun_ExploringTakesHalfTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &fakeModel{messages: peeks(2)}
		h := record(context.Background(), Request{Model: m, Tools: []Tool{slowPeek{}}, Messages: question("?"), Budget: Budget{Time: 3 * time.Minute}})
		d := h.done(t)
		if notices := all[Notice](h); d.Usage.Rounds != 3 || !strings.Contains(notices[0].Message, "half of the time") {
			t.Errorf("%d rounds, %+v", d.Usage.Rounds, notices)
		}
		if d.Usage.Took != 120_000 || d.Usage.Overhead != 120_000 || d.Trace[0].Took != 60_000 {
			t.Errorf("took %v, overhead %v, a call %v", d.Usage.Took, d.Usage.Overhead, d.Trace[0].Took)
		}
	})
}

func TestRun_CallsOfARoundRunSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := lateTurns(8)
		calls := []Call{call("p", ToolPeek, `{"query":"x"}`)}
		for n := 7; n > 0; n-- { // the first one takes longest
			calls = append(calls, hydrate(n))
		}
		m := &fakeModel{messages: []fakeMessage{{calls: calls}, {text: "So [1] and [7]."}}}
		h := record(context.Background(), Request{Model: m, Tools: []Tool{slowPeek{}, turns}, Messages: question("?")})
		d := h.done(t)
		if d.Usage.Took != 60_000 || d.Trace[0].Took != 60_000 || d.Trace[1].Took != 7_000 || fmt.Sprint(d.Turns) != "[t7 t1]" {
			t.Errorf("took %v, trace %+v, cites %v", d.Usage.Took, d.Trace, d.Turns)
		}
		for i, r := range all[ToolResult](h) {
			if r.N != i || i > 0 && r.Gist != fmt.Sprint("Title t", 8-i) {
				t.Errorf("result %d: %+v", i, r)
			}
		}
		for i, message := range m.prompts[1].Messages[3:] {
			if message.Call != calls[i].ID {
				t.Errorf("answer %d is to %s, want %s", i, message.Call, calls[i].ID)
			}
		}
	})
}

// laterTurn reads turns; the n-th takes n seconds.
type laterTurn struct{ fakeTurn }

func lateTurns(n int) laterTurn { return laterTurn{fakeTools(n)[1].(fakeTurn)} }

func (l laterTurn) Call(ctx context.Context, arguments json.RawMessage) (Outcome, error) {
	o, err := l.fakeTurn.Call(ctx, arguments)
	if err == nil {
		var seconds time.Duration
		_, _ = fmt.Sscanf(o.Turn.ID, "t%d", &seconds)
		time.Sleep(seconds * time.Second)
	}
	return o, err
}

func TestRun_TimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		h := record(context.Background(), Request{Model: &silentModel{}, Messages: question("?")})
		if errs.CodeOf(h.err) != "unavailable" || !strings.Contains(h.err.Error(), "took too long") || time.Since(began) != 30*time.Minute {
			t.Errorf("got %v after %v", h.err, time.Since(began))
		}
	})
}
