package agent

import (
	"testing"
	"time"
)

func TestSession_ExchangesByTheTimeTheyWereAsked(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 1).UTC() }
	var one Session
	for _, e := range []Exchange{
		{Question: "a", Asked: at(1)},
		{Question: "c", Asked: at(3)},
		{Question: "b", Asked: at(2)},
		{Question: "C", Asked: at(3).In(time.FixedZone("", 3600))},
	} {
		one.Put(e)
	}
	one.Asked(at(2)).Answer = "B"
	one.Remove(at(1))
	one.Remove(at(4))
	got := ""
	for _, e := range one.Exchanges {
		got += e.Question + e.Answer + " "
	}
	if got != "C bB " || one.Asked(at(1)) != nil {
		t.Errorf("got %q", got)
	}
}
