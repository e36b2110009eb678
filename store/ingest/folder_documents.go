package ingest

import (
	"context"
	"crypto/sha256"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/documents"
	"lens/store/ingest/input"
)

// Importing a folder of documents makes the archive match the folder. A changed document replaces the stored one,
// regardless of its time. A deleted one is marked as gone and returns when its file does.

// openDocuments adds a folder of documents, or one file of it. It adds each chunk JSONL file of the folder as
// a separate input. It returns false if it found neither.
func (in *inputFiles) openDocuments(ctx context.Context, path string, opts Options) (bool, error) {
	folder, err := input.OpenFolder(ctx, path)
	if err != nil {
		return false, err
	}
	in.closers = append(in.closers, folder)
	p := &folderDocuments{in: in, folder: folder, tag: opts.Tag, wholeFolder: isFolder(path)}
	for _, d := range folder.Files {
		switch {
		case documents.Known(d.Name):
			p.documents++
			in.total += d.Size
		case isJSONL(d.Name) && p.wholeFolder:
			in.addRecords(folder, d, opts)
			continue
		}
		p.files = append(p.files, d)
	}
	if p.documents > 0 {
		in.files = append(in.files, inputFile{path: path, format: store.Documents, entries: p.entries})
	}
	return p.documents > 0 || len(p.files) < len(folder.Files), nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// folderDocuments are the documents of a folder.
type folderDocuments struct {
	in          *inputFiles
	folder      *input.Folder
	files       []input.FolderFile
	documents   int // files of a supported type
	tag         string
	wholeFolder bool // the whole folder, not one file of it
}

// entries yields every document of the folder, then those that are gone. It reads an unchanged document without parsing
// it.
func (p *folderDocuments) entries(ctx context.Context, st store.Reader) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		stored, err := p.stored(ctx, st)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, d := range p.files {
			parsed, skip := p.parse(d, stored)
			if ctx.Err() != nil {
				return
			}
			delete(stored, p.folder.PathOf(d.Name))
			if skip != nil && !yield(nil, skip) || skip == nil && !yield(parsed, nil) {
				return
			}
		}
		for _, at := range slices.Sorted(maps.Keys(stored)) {
			if c := stored[at]; p.wholeFolder && !c.Document.Gone && p.folder.Covers(at) && !yield(goneDocument(c), nil) {
				return
			}
		}
	}
}

// stored returns the conversations of the documents that were imported from this folder, by path.
func (p *folderDocuments) stored(ctx context.Context, st store.Reader) (map[string]*store.Conversation, error) {
	known := make(map[string]*store.Conversation)
	if st == nil {
		return known, nil
	}
	under := p.folder.Path
	if !p.wholeFolder {
		under = p.folder.PathOf(p.files[0].Name)
	}
	ids, err := st.DocumentIDs(ctx, strings.TrimSuffix(under, "/"))
	if err != nil {
		return nil, err
	}
	const page = 1000
	for from := 0; from < len(ids); from += page {
		conversations, err := st.Conversations(ctx, ids[from:min(from+page, len(ids))])
		if err != nil {
			return nil, err
		}
		for i := range conversations {
			if d := conversations[i].Document; d != nil {
				known[d.Path] = &conversations[i]
			}
		}
	}
	return known, nil
}

// parse reads one document, and returns the stored one when it has not changed.
func (p *folderDocuments) parse(d input.FolderFile, stored map[string]*store.Conversation) (*chat.Parsed, *chat.Skip) {
	if !documents.Known(d.Name) {
		return nil, &chat.Skip{Reason: documents.Unsupported}
	}
	data, err := p.folder.Read(d.Name, documents.MaxSize)
	p.in.read.Add(d.Size)
	if err != nil {
		return nil, &chat.Skip{Reason: "that may not be read", File: p.folder.PathOf(d.Name), Err: err}
	}
	f := &documents.File{Path: p.folder.PathOf(d.Name), Tag: p.tagOf(d.Name), Modified: d.Modified, Data: data}
	if c := stored[f.Path]; c != nil && !c.Document.Gone && c.Document.Content == f.Content() {
		return &chat.Parsed{Conversation: *c}, nil
	}
	parsed, skip := documents.Parse(f)
	if skip != nil {
		skip.File = f.Path
	}
	return parsed, skip
}

// tagOf returns a document's client tag: the one that the user gave, else the first folder that the document is in.
func (p *folderDocuments) tagOf(name string) string {
	if p.tag != "" || !p.wholeFolder {
		return p.tag
	}
	client, _, inside := strings.Cut(name, "/")
	if !inside {
		return ""
	}
	return client
}

// goneDocument returns c marked as gone, without turns.
func goneDocument(c *store.Conversation) *chat.Parsed {
	p := &chat.Parsed{Conversation: *c}
	document := *c.Document
	document.Gone = true
	p.Document = &document
	sum := sha256.Sum256(append([]byte("gone"), c.Hash[:]...))
	p.Hash = store.Hash(sum[:len(p.Hash)])
	return p
}
