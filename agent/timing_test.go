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

func TestRun_ParallelCallsLeaveTimeToAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []Call
		for i := range 10 {
			calls = append(calls, call(fmt.Sprint(i), ToolPeek, fmt.Sprintf(`{"query":"q%d"}`, i)))
		}
		m := &fakeModel{messages: []fakeMessage{{calls: calls}, {text: "so"}}}
		d := record(context.Background(), Request{Model: m, Tools: []Tool{slowPeek{}}, Messages: question("?"), Budget: Budget{Time: 3 * time.Minute}}).done(t)
		if last := d.Trace[9].Error; d.Usage.Took != 120_000 || len(d.Trace) != 10 || last == nil || last.Code != "budget" {
			t.Errorf("took %v, %d calls, the last one failed with %+v", d.Usage.Took, len(d.Trace), last)
		}
	})
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
