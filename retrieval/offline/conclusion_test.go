package offline_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval/offline"
)

// drawn is a ledger of a few conclusions, or one that fails.
type drawn struct {
	all  []offline.Conclusion
	fail error
}

func (d drawn) Conclusions(context.Context) ([]offline.Conclusion, error) { return d.all, d.fail }

// answered answers from the first hit of bread, with what d holds.
func answered(t *testing.T, d drawn, prompt string) (*offline.Answer, error) {
	t.Helper()
	r, l := retriever(bread(), func(o *offline.Options) { o.Conclusions = d })
	a, err := r.Answer(context.Background(), []offline.Hit{{ChunkID: id(1)}}, prompt, offline.AnswerOptions{})
	if len(l.lines) != 1 || err == nil && l.lines[0].Hits != 1 {
		t.Errorf("recorded %+v", l.lines)
	}
	return a, err
}

func TestAnswer_Conclusions(t *testing.T) {
	const prompt = "how often does a sourdough starter want feeding?"
	d := drawn{all: []offline.Conclusion{
		{Text: "Rye is patient.", At: *ago(1)},
		{Text: "A starter is fed; sourdough waits.", At: *ago(9), Turns: []uuid.UUID{id(2)}, Numbers: []int{4}},
		{Text: "Twice a day [7], see x[7] and [2].", At: *ago(20), Turns: []uuid.UUID{id(1)}, Numbers: []int{7}},
		{Text: "Feed the sourdough starter.", At: *ago(3)},
		{Text: "Feed the sourdough starter!", At: *ago(2)},
		{Text: "Sourdough starter feeding is told elsewhere.", At: *ago(0), Turns: []uuid.UUID{id(1), id(9)}, Numbers: []int{1, 2}}, // gone
	}}
	a, err := answered(t, d, prompt)
	if err != nil || len(a.Conclusions) != 3 {
		t.Fatalf("got %+v, %v", a, err)
	}
	notes := offline.Citation{File: "notes.md", Modified: ago(365), ChunkID: id(1)}
	want := offline.Conclusion{
		Text: "Twice a day [notes.md (modified 2025-03-31)], see x[7] and [2].", At: *ago(20), Turns: []uuid.UUID{id(1)}, Citations: []offline.Citation{notes},
		Numbers: []int{7},
	}
	if !reflect.DeepEqual(a.Conclusions[0], want) {
		t.Errorf("first conclusion is %+v", a.Conclusions[0])
	}
	if a.Conclusions[1].Text != "Feed the sourdough starter!" || a.Conclusions[2].Text != "Feed the sourdough starter." || a.Conclusions[1].Citations == nil {
		t.Errorf("other conclusions are %+v", a.Conclusions[1:])
	}
	without, err := answered(t, drawn{}, prompt)
	if err != nil || without.Text != a.Text || !reflect.DeepEqual(without.Citations, a.Citations) || without.Conclusions == nil || len(without.Conclusions) != 0 {
		t.Errorf("with conclusions the answer is %+v, without %+v, %v", a, without, err)
	}
}

func TestAnswer_UnreadableConclusions(t *testing.T) {
	a, err := answered(t, drawn{fail: errDown}, "sourdough")
	if err != nil || a.Notice == "" || len(a.Citations) != 1 {
		t.Errorf("got %+v, %v", a, err)
	}
	if _, err := answered(t, drawn{fail: &errs.Error{Code: errs.Locked}}, "sourdough"); err == nil || err.Error()[:13] != "revert:locked" {
		t.Errorf("got %v", err)
	}
}
