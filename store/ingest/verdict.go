package ingest

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/documents"
)

// An import remembers which documents it could not read, and why: a bomb costs seconds, and says the same each time.
// The verdict holds for the same bytes until another importer comes, or Options.Restore is set.

// verdict says that a document cannot be read.
type verdict struct {
	root, path string        // absolute; of the import and of the document
	since      time.Time     // when it was found; zero: by this import
	data       knownDocument // the row
}

// knownDocument is the JSON of the Data of a document that could not be read.
type knownDocument struct {
	Unreadable string `json:"unreadable"` // why
	Content    string `json:"content"`    // documents.File.Content in hexadecimal digits
	Importer   string `json:"importer"`
}

// unreadable is a chat.Skip with the verdict that it follows from.
type unreadable struct {
	*chat.Skip
	verdict *verdict
}

func (u *unreadable) Unwrap() error { return u.Skip }

// verdictOf returns what is known of a document; nil: it has to be read.
func (k *known) verdictOf(root string, file *documents.File, importer string) *verdict {
	if k == nil {
		return nil
	}
	row, ok := k.files[root][file.Path]
	v := &verdict{root: root, path: file.Path, since: row.Imported}
	if !ok || json.Unmarshal(row.Data, &v.data) != nil {
		return nil
	}
	if v.data != newKnownDocument(v.data.Unreadable, file, importer) || v.data.Unreadable == "" {
		return nil
	}
	return v
}

func newKnownDocument(why string, file *documents.File, importer string) knownDocument {
	content := file.Content()
	return knownDocument{Unreadable: why, Content: hex.EncodeToString(content[:]), Importer: importer}
}

// isVerdict reports whether a row is about a document that could not be read: of it, the archive has nothing.
func isVerdict(f store.ImportedFile) bool {
	var d knownDocument
	return json.Unmarshal(f.Data, &d) == nil && d.Unreadable != ""
}

// importerOf names what decides what a document's bytes give.
func importerOf(opts Options) string { return fmt.Sprintf("%d %s", importer, opts.Version) }

// row returns what to remember.
func (v *verdict) row(at time.Time) (store.ImportedFile, error) {
	data, err := json.Marshal(v.data)
	return store.ImportedFile{Root: v.root, Path: v.path, Data: data, Imported: at}, err
}

// foundBefore returns when an earlier import found it; nil: none did. A nil verdict is of no import.
func (v *verdict) foundBefore() *time.Time {
	if v == nil || v.since.IsZero() {
		return nil
	}
	return &v.since
}
