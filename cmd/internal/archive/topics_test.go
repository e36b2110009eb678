package archive

import (
	"testing"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval/query"
)

func TestMakeTopics_StoredWithTheArchive(t *testing.T) {
	a := archiveIn(t, t.TempDir())
	_, err := a.Import(t.Context(), []string{testenv.Demo(t, demo.Options{Turns: 600})}, ImportOptions{})
	must(t, err)
	must(t, a.MakeTopics(t.Context()))
	must(t, a.Close())
	engine, err := a.Engine(t.Context()) // opened again
	must(t, err)
	found, err := engine.Topics(t.Context(), query.Query{})
	must(t, err)
	if len(found.Topics) == 0 || found.Notice != "" {
		t.Errorf("%d topics, notice %q", len(found.Topics), found.Notice)
	}
}
