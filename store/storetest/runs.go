package storetest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"lens/store"
)

var runChecks = []check{
	{"are returned newest first", runsNewestFirst},
	{"are replaced by their id", runsAreReplaced},
}

func run(i int) store.ImportRun {
	return store.ImportRun{
		ID:       idOf(fmt.Sprint("run ", i)),
		Started:  at(i),
		Finished: at(i).Add(time.Minute),
		Receipt:  fmt.Appendf(nil, `{"é": [ %d ]}`, i),
	}
}

func (a *archive) runs(tb testing.TB, limit int) []store.ImportRun {
	tb.Helper()
	runs, err := a.ImportRuns(tb.Context(), limit)
	must(tb, err)
	return runs
}

func runsNewestFirst(t *testing.T, a *archive) {
	want(t, "runs of an empty archive", len(a.runs(t, 10)), 0)
	for _, i := range []int{2, 1, 3} {
		a.update(t, func(tx store.Tx) error { return tx.PutImportRun(t.Context(), run(i)) })
	}
	if got, wanted := a.runs(t, 2), []store.ImportRun{run(3), run(2)}; !reflect.DeepEqual(got, wanted) {
		t.Errorf("got %+v, want %+v", got, wanted)
	}
}

func runsAreReplaced(t *testing.T, a *archive) {
	r := run(1)
	r.Finished = time.Time{} // still running
	a.update(t, func(tx store.Tx) error { return tx.PutImportRun(t.Context(), r) })
	if got := a.runs(t, 10); !reflect.DeepEqual(got, []store.ImportRun{r}) {
		t.Errorf("got %+v, want %+v", got, r)
	}
	a.update(t, func(tx store.Tx) error { return tx.PutImportRun(t.Context(), run(1)) })
	if got := a.runs(t, 10); !reflect.DeepEqual(got, []store.ImportRun{run(1)}) {
		t.Errorf("got %+v, want %+v", got, run(1))
	}
}
