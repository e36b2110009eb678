package ingest

import (
	"context"
	"io"
	"iter"
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/chunks"
	"lens/store/ingest/input"
)

// Model names an embedding model, as the Embedder of a generation does.
type Model struct{ Provider, Name string }

func isJSONL(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson")
}

// openRecords takes in a file of chunk JSONL. False: it is of another kind.
func (in *inputFiles) openRecords(ctx context.Context, path string, opts Options) (bool, error) {
	folder, err := input.OpenFolder(ctx, path)
	if err != nil {
		return false, err
	}
	in.closers = append(in.closers, folder)
	head, err := folder.Read(folder.Files[0].Name, maxHead)
	if err != nil || !chunks.Detect(head) {
		return false, err
	}
	in.addRecords(folder, folder.Files[0], opts)
	return true, nil
}

// maxHead is how much of a file is looked at to tell what it is.
const maxHead = 1 << 20

func (in *inputFiles) addRecords(folder *input.Folder, d input.FolderFile, opts Options) {
	at := folder.PathOf(d.Name)
	reader := &chunks.Reader{Path: at, Tag: opts.Tag}
	in.total += d.Size
	in.files = append(in.files, inputFile{path: at, format: store.Chunks, entries: func(ctx context.Context, st store.Reader) iter.Seq2[*chat.Parsed, error] {
		return func(yield func(*chat.Parsed, error) bool) {
			dim, err := dimOf(ctx, st, opts.VectorsOf)
			if err != nil {
				yield(nil, err)
				return
			}
			reader.Dim = dim
			in.parseFile(ctx, func(ctx context.Context) (io.ReadCloser, error) { return folder.Open(ctx, d) },
				func(r io.Reader) iter.Seq2[*chat.Parsed, error] { return reader.Records(ctx, r) }, yield)
		}
	}})
}

// dimOf returns the dimension of the vectors that the archive has of a model, 0 for none.
func dimOf(ctx context.Context, st store.Reader, m Model) (int, error) {
	if st == nil || m == (Model{}) {
		return 0, nil
	}
	g, _, err := generationOf(ctx, st, store.Generation{Provider: m.Provider, Model: m.Name, Recipe: store.Recipe})
	return g.Dim, err
}
