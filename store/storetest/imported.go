package storetest

import (
	"fmt"
	"reflect"
	"testing"

	"lens/store"
)

var importedChecks = []check{
	{"are returned by root and path", importedByPath},
	{"are replaced by their path", importedReplaced},
	{"are dropped by their path", importedDropped},
	{"are dropped, but no roots, when something is forgotten", importedForgotten},
	{"are not kept if something was forgotten meanwhile", importedTooLate},
	{"leave with everything", importedEverything},
}

// oddPath is a path that is not UTF-8.
const oddPath = "/home/\xff\x00\xe9"

func file(root, path string, i int) store.ImportedFile {
	return store.ImportedFile{Root: root, Path: path, Data: fmt.Appendf(nil, `{"é": [ %d ]}`, i), Imported: at(i)}
}

func (a *archive) putFiles(tb testing.TB, epoch int64, files ...store.ImportedFile) {
	tb.Helper()
	a.update(tb, func(tx store.Tx) error { return tx.PutImportedFiles(tb.Context(), epoch, files) })
}

// wantFiles checks what is stored of roots, and of the root "/b".
func (a *archive) wantFiles(tb testing.TB, what string, roots, files []store.ImportedFile) (epoch int64) {
	tb.Helper()
	all, err := a.ImportedRoots(tb.Context())
	must(tb, err)
	if len(all.Files)+len(roots) > 0 && !reflect.DeepEqual(all.Files, roots) {
		tb.Errorf("%s: roots %+v, want %+v", what, all.Files, roots)
	}
	of, err := a.ImportedFiles(tb.Context(), "/b")
	must(tb, err)
	if len(of.Files)+len(files) > 0 && !reflect.DeepEqual(of.Files, files) {
		tb.Errorf("%s: files %+v, want %+v", what, of.Files, files)
	}
	want(tb, what+": epoch", of.Epoch, all.Epoch)
	a.update(tb, func(tx store.Tx) error {
		within, err := tx.ImportedEpoch(tb.Context())
		want(tb, what+": epoch in a transaction", within, all.Epoch)
		return err
	})
	return all.Epoch
}

func importedByPath(t *testing.T, a *archive) {
	epoch := a.wantFiles(t, "a new archive", nil, nil)
	odd, b := file(oddPath, "", 3), file("/b", "", 1)
	one, two := file("/b", "/b/one", 4), file("/b", "/b/"+oddPath, 5)
	a.putFiles(t, epoch, one, two, odd, b, file("/b/c", "/b/c/x", 6))
	a.wantFiles(t, "stored", []store.ImportedFile{b, odd}, []store.ImportedFile{b, two, one})
}

func importedReplaced(t *testing.T, a *archive) {
	a.putFiles(t, 0, file("/b", "", 1), file("/b", "/b/one", 2))
	newer := []store.ImportedFile{file("/b", "", 3), file("/b", "/b/one", 4)}
	a.putFiles(t, 0, newer...)
	a.wantFiles(t, "replaced", newer[:1], newer)
}

func importedDropped(t *testing.T, a *archive) {
	kept := file("/b", "/b/kept", 3)
	a.putFiles(t, 0, file("/b", "", 1), file("/b", "/b/one", 2), kept, file("/c", "", 1))
	a.update(t, func(tx store.Tx) error {
		return tx.DropImportedFiles(t.Context(), "/b", []string{"", "/b/one", "/b/unknown"})
	})
	a.wantFiles(t, "dropped", []store.ImportedFile{file("/c", "", 1)}, []store.ImportedFile{kept})
}

func importedForgotten(t *testing.T, a *archive) {
	root := file("/b", "", 1)
	a.putFiles(t, 0, root, file("/b", "/b/one", 2))
	a.update(t, func(tx store.Tx) error { return tx.PutForgotten(t.Context(), store.Forgotten{}) })
	epoch := a.wantFiles(t, "after a forget", []store.ImportedFile{root}, []store.ImportedFile{root})
	want(t, "the epoch grew", epoch > 0, true)
}

func importedTooLate(t *testing.T, a *archive) {
	before := a.wantFiles(t, "a new archive", nil, nil)
	for _, forget := range []func(tx store.Tx) error{
		func(tx store.Tx) error { return tx.PutForgotten(t.Context(), store.Forgotten{}) },
		func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) },
	} {
		a.update(t, forget)
		root, one := file("/b", "", 1), file("/b", "/b/one", 2)
		a.putFiles(t, before, root, one)
		before = a.wantFiles(t, "too late", []store.ImportedFile{root}, []store.ImportedFile{root})
		a.putFiles(t, before, one)
		a.wantFiles(t, "in time", []store.ImportedFile{root}, []store.ImportedFile{root, one})
	}
}

func importedEverything(t *testing.T, a *archive) {
	a.putFiles(t, 0, file("/b", "", 1), file("/b", "/b/one", 2))
	a.update(t, func(tx store.Tx) error { return tx.ForgetEverything(t.Context()) })
	a.wantFiles(t, "everything forgotten", nil, nil)
}
