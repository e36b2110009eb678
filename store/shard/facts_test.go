package shard

import (
	"fmt"
	"testing"
	"time"

	"lens/store"
)

// termsOf returns the facts of chunks with this metadata.
func termsOf(metas ...string) map[string]struct{} {
	all := map[string]struct{}{}
	for _, meta := range metas {
		chunk := store.Chunk{Meta: []byte(meta)}
		for _, fact := range chunk.Facts() {
			all[fact] = struct{}{}
		}
	}
	return all
}

func TestPart_MayMatch(t *testing.T) {
	metas := []string{`{"entity":"comic","k=v":"w","long":"` + fmt.Sprintf("%0100d", 7) + `"}`, `{"entity":"story"}`}
	for i := range maxValues + 1 {
		metas = append(metas, fmt.Sprintf(`{"n":%d}`, i))
	}
	at := func(day int) time.Time { return time.Date(2026, 5, day, 0, 0, 0, 0, time.UTC) }
	p := Part{Records: 9, Undated: 1, First: at(3).UnixMicro(), Last: at(5).UnixMicro(), Facts: factsOf(termsOf(metas...))}
	for _, c := range []struct {
		f    store.Filter
		want bool
	}{
		{store.Filter{}, true},
		{store.Filter{Meta: map[string]string{"entity": "comic"}}, true},
		{store.Filter{Meta: map[string]string{"entity": "comi"}}, false},
		{store.Filter{Meta: map[string]string{"entity": "comic", "n": "1"}}, true},
		{store.Filter{Meta: map[string]string{"n": "no value of it"}}, true}, // too many values to list
		{store.Filter{Meta: map[string]string{"nothing": "at all"}}, false},
		{store.Filter{Meta: map[string]string{"k": "v=w"}}, true}, // the same fact
		{store.Filter{Meta: map[string]string{"k=v": "w"}}, true},
		{store.Filter{Meta: map[string]string{"long": fmt.Sprintf("%0100d", 7)}}, true},
		{store.Filter{Meta: map[string]string{"long": fmt.Sprintf("%0100d", 8)}}, false},
		{store.Filter{Since: at(5)}, true},
		{store.Filter{Since: at(6)}, false},
		{store.Filter{Until: at(3)}, false},
		{store.Filter{Until: at(3).Add(time.Microsecond)}, true},
		{store.Filter{Since: at(4), Until: at(5), Meta: map[string]string{"entity": "story"}}, true},
	} {
		if got := p.mayMatch(c.f); got != c.want {
			t.Errorf("%+v: %t", c.f, got)
		}
	}
	undated := Part{Records: 2, Undated: 2}
	if undated.mayMatch(store.Filter{Since: at(1)}) || !undated.mayMatch(store.Filter{}) {
		t.Error("undated records must match only without times")
	}
}

func TestPart_TooManyKeys(t *testing.T) {
	var metas []string
	for i := range maxKeys + 1 {
		metas = append(metas, fmt.Sprintf(`{"key%d":1}`, i))
	}
	p := Part{Records: 1, Facts: factsOf(termsOf(metas...))}
	if len(p.Facts) != 1 || !p.mayMatch(store.Filter{Meta: map[string]string{"any": "thing"}}) {
		t.Errorf("facts %v", p.Facts)
	}
}
