package storetest

import (
	"testing"

	"lens/store"
)

var diskUseChecks = []check{
	{"counts texts and vectors by source", diskUseBySource},
	{"is zero for every source of an empty archive", diskUseOfNothing},
}

func (a *archive) diskUse(tb testing.TB) store.DiskUse {
	tb.Helper()
	use, err := a.Store.(store.DiskMeter).DiskUse(tb.Context())
	must(tb, err)
	return use
}

func diskUseBySource(t *testing.T, a *archive) {
	chats := filterChats()
	chats[1].Source = store.Claude
	for i := range chats[1].Turns {
		chats[1].Turns[i].Source = store.Claude
	}
	put := a.put(t, chats...)
	g := a.generation(t, 8, true)
	a.embed(t, g, put[0].Turns...)
	use := a.diskUse(t)
	want(t, "sources", len(use.Sources), 2)
	chatGPT, claude := use.Sources[0], use.Sources[1]
	want(t, "first source", chatGPT.Source, store.ChatGPT)
	want(t, "second source", claude.Source, store.Claude)
	if vectors := int64(2 * 8 * len(put[0].Turns)); chatGPT.Vectors < vectors || chatGPT.Vectors > 2*vectors {
		t.Errorf("the vectors take %d bytes, want about %d", chatGPT.Vectors, vectors)
	}
	want(t, "vectors of the other source", claude.Vectors, 0)
	if sum := chatGPT.Texts + chatGPT.Vectors + claude.Texts; claude.Texts == 0 || use.Total < sum {
		t.Errorf("the sources take %d bytes, the archive %d", sum, use.Total)
	}
}

func diskUseOfNothing(t *testing.T, a *archive) {
	use := a.diskUse(t)
	want(t, "sources", len(use.Sources), 0)
	if use.Total == 0 {
		t.Error("an empty archive takes no space")
	}
}
