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

// Model names an embedding model, as Embedder.Model does, and the prefixes that its texts get.
type Model struct {
	Provider, Name string
	Prefixes       store.Prefixes `json:",omitzero"`
}

func isJSONL(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson")
}

// openRecords adds a file of chunk JSONL. False: it is of another kind.
func (in *inputFiles) openRecords(ctx context.Context, path string, opts Options) (bool, error) {
	folder, err := input.OpenFolder(ctx, path)
	if err != nil {
		return false, err
	}
	in.closers = append(in.closers, folder)
	found, err := areRecords(folder, folder.Files[0])
	if found {
		in.addRecords(folder, folder.Files[0], opts)
	}
	return found, err
}

// areRecords reports whether a file is chunk JSONL.
func areRecords(folder *input.Folder, d input.FolderFile) (bool, error) {
	head, err := folder.Read(d.Name, maxHead)
	return err == nil && chunks.Detect(head), err
}

// maxHead is how many bytes of a file are read to recognize its format.
const maxHead = 1 << 20

func (in *inputFiles) addRecords(folder *input.Folder, d input.FolderFile, opts Options) {
	at := folder.PathOf(d.Name)
	reader := &chunks.Reader{Path: at, Tag: opts.Tag}
	open := func(ctx context.Context) (io.ReadCloser, error) { return folder.Open(ctx, d) }
	entries := func(ctx context.Context, st store.Reader) iter.Seq2[*chat.Parsed, error] {
		return func(yield func(*chat.Parsed, error) bool) {
			dim, err := dimOf(ctx, st, opts.VectorsOf)
			if err != nil {
				yield(nil, err)
				return
			}
			reader.Dim = dim
			parse := func(r io.Reader) iter.Seq2[*chat.Parsed, error] { return reader.Records(ctx, r) }
			in.parseFile(ctx, open, parse, yield)
		}
	}
	disk := []*input.DiskFile{folder.OnDisk(d)}
	f := inputFile{
		path: at, at: placeOf(at, disk), format: store.Chunks, name: "chunks", count: 1, size: d.Size, entries: entries,
	}
	if opts.VectorsOf == (Model{}) { // else it depends on what the archive has of that model
		f.origin = in.originOf(f.at, at, f.name, disk, opts)
	}
	in.add(f)
}

// dimOf returns the dimension of a model's vectors in the archive, 0 for no vectors.
func dimOf(ctx context.Context, st store.Reader, m Model) (int, error) {
	if st == nil || m == (Model{}) {
		return 0, nil
	}
	g, _, err := m.generation(ctx, st)
	return g.Dim, err
}

// generation returns the generation that vectors of m belong to: the active one if it is m's, whatever its prefixes, so
// that they can be searched. It has no ID if it does not exist yet. active reports whether any generation is active.
func (m Model) generation(ctx context.Context, st store.Reader) (gen store.Generation, active bool, err error) {
	target := store.Generation{Provider: m.Provider, Model: m.Name, Recipe: store.Recipe, Prefixes: m.Prefixes}
	all, err := st.Generations(ctx) // the active one comes first
	if err != nil {
		return target, false, err
	}
	active = len(all) > 0 && all[0].Active
	if active && all[0].Provider == m.Provider && all[0].Model == m.Name && all[0].Recipe == store.Recipe {
		target.Prefixes = all[0].Prefixes
	}
	if known, _, err := generationOf(ctx, st, target); err != nil || known.ID != 0 {
		return known, active, err
	}
	return target, active, nil
}
