package chatgpt

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"lens/internal/lazyregexp"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// textdocsName matches the names of files with canvas documents as they are now, which an export may have beside its
// conversations: textdocs/ID.json, or, of programs that save single chats, NAME.textdocs.json. Such a document, or an
// array of them, is {"id","title","textdoc_type","version","content"}.
var textdocsName = lazyregexp.New(`(?i)(?:(?:^|/)textdocs/[^/]+|\.textdocs)\.json$`)

func isTextdocs(name string) bool { return textdocsName().MatchString(name) }

// maxTextdocs bounds such a file, in bytes.
const maxTextdocs = chat.MaxRaw

// textdocs finds the documents of an export by their ids. It is safe for concurrent use.
type textdocs struct {
	folder source.Folder
	dir    string

	mu    sync.Mutex
	files map[string]textdocFile // by id of a document; nil: not looked for so far
}

// textdocFile is where a document is.
type textdocFile struct {
	name    string
	version int
}

// textdocsOf returns the documents beside a file.
func textdocsOf(f *source.File) *textdocs { return &textdocs{folder: f.Folder, dir: path.Dir(f.Name)} }

// addTo adds the documents of a conversation to its messages: each to the last one, by time, that tells its id. A
// document of a lower version than the conversation has is left out.
func (t *textdocs) addTo(d *chat.Draft) {
	if t == nil || t.folder == nil {
		return
	}
	type last struct {
		node    int
		time    time.Time
		version int
	}
	at := map[string]last{}
	for i := range d.Nodes {
		m := d.Nodes[i].Message
		if m == nil || !bytes.Contains(m.Raw, []byte(`"textdoc_id"`)) {
			continue
		}
		call := canvasCallOf(m.Raw)
		for _, doc := range append(call.own, call.result) {
			before, known := at[doc.id]
			if doc.id == "" {
				continue
			}
			version := max(before.version, doc.version)
			if known && (m.Time.Before(before.time) || m.Time.Equal(before.time) && d.Nodes[i].ID < d.Nodes[before.node].ID) {
				at[doc.id] = last{before.node, before.time, version}
				continue
			}
			at[doc.id] = last{i, m.Time, version}
		}
	}
	ids := slices.Sorted(maps.Keys(at)) // the order of several in one message
	docs := t.find(ids)
	found := map[int][]chat.Beside{} // by node
	for _, id := range ids {
		l := at[id]
		if doc, ok := docs[id]; ok && (doc.version == 0 || doc.version >= l.version) {
			found[l.node] = append(found[l.node], chat.Beside{ID: id, Title: doc.title, Type: doc.kind, Text: doc.content})
		}
	}
	for node, docs := range found {
		m := d.Nodes[node].Message
		var left int
		m.Raw, left = chat.AddBeside(m.Raw, docs)
		d.Count.Truncated += left
	}
}

// find returns documents by their ids, which are sorted. It reads each file once: one may have very many.
func (t *textdocs) find(ids []string) map[string]textdoc {
	index, names := t.index(), map[string]bool{}
	for _, id := range ids {
		names[index[id].name] = true
	}
	found := map[string]textdoc{}
	for name := range names {
		for _, doc := range t.read(name) {
			if _, wanted := slices.BinarySearch(ids, doc.id); wanted && index[doc.id] == (textdocFile{name, doc.version}) {
				found[doc.id] = doc
			}
		}
	}
	return found
}

// index returns which file has which document, of several the one with the highest version.
func (t *textdocs) index() map[string]textdocFile {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.files != nil {
		return t.files
	}
	t.files = map[string]textdocFile{}
	for _, name := range append(t.folder.List(path.Join(t.dir, "textdocs")), t.folder.List(t.dir)...) {
		for _, doc := range t.read(name) {
			if before, known := t.files[doc.id]; !known || doc.version > before.version {
				t.files[doc.id] = textdocFile{name, doc.version}
			}
		}
	}
	return t.files
}

// read returns the documents of a file, none if it cannot be read or is of another kind.
func (t *textdocs) read(name string) (all []textdoc) {
	if !isTextdocs(name) {
		return nil
	}
	in, err := t.folder.Open(name)
	if err != nil {
		return nil
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxTextdocs+1))
	if err != nil || len(data) > maxTextdocs || !json.Valid(data) {
		return nil
	}
	r := &reader{Cursor: chat.NewCursor(data)}
	if !r.Is('[') {
		all = append(all, r.textdoc())
	} else {
		r.Array(func() { all = append(all, r.textdoc()) })
	}
	for i := range all {
		if doc := &all[i]; doc.id == "" && len(all) == 1 {
			doc.id = strings.TrimSuffix(path.Base(name), path.Ext(name))
		}
	}
	return all
}
