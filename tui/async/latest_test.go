package async

import (
	"context"
	"testing"
	"time"
)

func TestLatest_OnlyTheNewestRequestCounts(t *testing.T) {
	var l Latest[string]
	now := time.Unix(100, 0)
	first, gen1, ok := l.Ask(context.Background(), "a", now)
	if !ok {
		t.Fatal("the first request is not made")
	}
	if _, _, again := l.Ask(context.Background(), "a", now); again {
		t.Error("the same request is made twice")
	}
	second, gen2, _ := l.Ask(context.Background(), "b", now)
	if first.Err() == nil || second.Err() != nil {
		t.Error("the previous request is not canceled, or the new one is")
	}
	if l.Accept(gen1) {
		t.Error("a superseded result is accepted")
	}
	if got := l.Waiting(now.Add(time.Second)); got != time.Second {
		t.Errorf("it has waited for %v", got)
	}
	if !l.Accept(gen2) || l.Accept(gen2) {
		t.Error("the newest result is not accepted exactly once")
	}
	if l.Waiting(now) != 0 || second.Err() == nil {
		t.Error("an answered request is still under way")
	}
}

func TestLatest_CanceledRequestIsNotRepeated(t *testing.T) {
	var l Latest[string]
	_, gen, _ := l.Ask(context.Background(), "a", time.Unix(1, 0))
	if !l.Stop() || l.Stop() {
		t.Error("stop returns the wrong result")
	}
	if l.Accept(gen) {
		t.Error("a canceled result is accepted")
	}
	if _, _, ok := l.Ask(context.Background(), "a", time.Unix(2, 0)); ok {
		t.Error("the request is repeated")
	}
	l.Forget()
	if _, _, ok := l.Ask(context.Background(), "a", time.Unix(2, 0)); !ok {
		t.Error("after forget, the request is not repeated")
	}
}
