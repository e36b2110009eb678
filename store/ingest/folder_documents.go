package ingest

import (
	"context"
	"crypto/sha256"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/documents"
	"lens/store/ingest/input"
)

// Importing a folder of documents makes the archive match the folder. A changed document replaces the stored one,
// regardless of its time. A deleted one is marked as gone and returns when its file does.

// openDocuments adds a folder of documents, or one file of it, but not the chats in it. It adds each chunk JSONL file
// of the folder as a separate input. It returns false if it found neither.
func (in *inputFiles) openDocuments(
	ctx context.Context, path string, chats map[string]bool, opts Options,
) (bool, error) {
	folder, err := input.OpenFolder(ctx, path)
	if err != nil {
		return false, err
	}
	in.closers = append(in.closers, folder)
	f := &folderDocuments{
		in: in, folder: folder, tag: opts.Tag, wholeFolder: isFolder(path), root: in.last().root, importer: importerOf(opts),
	}
	in.last().unread = input.Unread{Closed: folder.Unreadable}
	var size int64
	for _, d := range folder.Files {
		switch {
		case chats[d.Name]:
			continue
		case f.wholeFolder && isJSONL(d.Name) && haveRecords(folder, d):
			in.addRecords(folder, d, opts)
			continue
		case documents.Known(d.Name):
			f.supported++
			size += d.Size
		default:
			in.last().unread.Count(d.Name)
		}
		f.files = append(f.files, d)
	}
	if f.supported > 0 {
		in.add(inputFile{
			path: path, format: store.Documents, name: "documents", count: f.supported, size: size, entries: f.entries,
			documents: f.paths,
		})
	}
	return f.supported > 0 || len(f.files) < len(folder.Files), nil
}

// haveRecords reports whether a file of a folder is chunk JSONL. One that cannot be read counts as of another kind.
func haveRecords(folder *input.Folder, d input.FolderFile) bool {
	found, err := areRecords(folder, d)
	return err == nil && found
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
	supported   int // files of a supported type
	tag         string
	wholeFolder bool   // the whole folder, not one file of it
	root        string // "": nothing is remembered
	importer    string
}

// paths returns the absolute paths of the documents.
func (f *folderDocuments) paths() (all []string) {
	for _, d := range f.files {
		if documents.Known(d.Name) {
			all = append(all, f.folder.PathOf(d.Name))
		}
	}
	return all
}

// entries yields every document of the folder, then those that are gone. It reads an unchanged document without parsing
// it.
func (f *folderDocuments) entries(ctx context.Context, st store.Reader) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		stored, err := f.stored(ctx, st)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, d := range f.files {
			parsed, err := f.parse(d, stored)
			if ctx.Err() != nil {
				return
			}
			delete(stored, f.folder.PathOf(d.Name))
			if !yield(parsed, err) {
				return
			}
		}
		for _, at := range slices.Sorted(maps.Keys(stored)) {
			c := &stored[at].Conversation
			if f.wholeFolder && !c.Document.Gone && f.folder.Covers(at) && !yield(goneDocument(c), nil) {
				return
			}
		}
	}
}

// storedDocument is a document as the archive has it, with the flags of those of its turns that are of its text now.
type storedDocument struct {
	store.Conversation
	turns []store.Flag
}

// stored returns the documents that were imported from this folder, by path.
func (f *folderDocuments) stored(ctx context.Context, st store.Reader) (map[string]*storedDocument, error) {
	known := make(map[string]*storedDocument)
	if st == nil {
		return known, nil
	}
	prefix := f.folder.Path
	if !f.wholeFolder {
		prefix = f.folder.PathOf(f.files[0].Name)
	}
	ids, err := st.DocumentIDs(ctx, strings.TrimSuffix(prefix, "/"))
	if err != nil {
		return nil, err
	}
	turns, err := turnFlags(ctx, st, ids)
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
				known[d.Path] = &storedDocument{conversations[i], turns[conversations[i].ID]}
			}
		}
	}
	return known, nil
}

// turnFlags returns the flags of the turns on the path of conversations.
func turnFlags(ctx context.Context, st store.Reader, of []uuid.UUID) (map[uuid.UUID][]store.Flag, error) {
	all := make(map[uuid.UUID][]store.Flag, len(of))
	if len(of) == 0 {
		return all, nil
	}
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range of {
		all[id] = nil
	}
	for row, index := range catalog.Conversation {
		id := catalog.Conversations[index]
		if flags, asked := all[id]; asked && catalog.Flags[row]&store.FlagOnPath != 0 {
			all[id] = append(flags, catalog.Flags[row])
		}
	}
	return all, nil
}

// parse reads one document, and returns the stored one when it has not changed. The error is a *chat.Skip, or an
// *unreadable when that is known or is to be remembered.
func (f *folderDocuments) parse(d input.FolderFile, stored map[string]*storedDocument) (*chat.Parsed, error) {
	if !documents.Known(d.Name) {
		return nil, &chat.Skip{Reason: documents.Unsupported}
	}
	if d.Size > documents.MaxSize {
		f.in.read.Add(d.Size)
		return nil, &chat.Skip{Reason: documents.TooLarge, File: f.folder.PathOf(d.Name)}
	}
	data, err := f.folder.Read(d.Name, documents.MaxSize)
	f.in.read.Add(d.Size)
	if err != nil {
		return nil, &chat.Skip{Reason: "that may not be read", File: f.folder.PathOf(d.Name), Err: err}
	}
	file := &documents.File{Path: f.folder.PathOf(d.Name), Tag: f.tagOf(d.Name), Modified: d.Modified, Data: data}
	if c := stored[file.Path]; c != nil && !c.Document.Gone && c.Document.Content == file.Content() {
		return &chat.Parsed{Conversation: c.Conversation, Unread: c.turns}, nil
	}
	if v := f.in.known.verdictOf(f.root, file, f.importer); v != nil {
		return nil, &unreadable{&chat.Skip{Reason: v.data.Unreadable, File: file.Path}, v}
	}
	row := newKnownDocument("", file, f.importer) // before Parse takes the bytes
	parsed, skip := documents.Parse(file)
	if skip == nil {
		return parsed, nil
	}
	if skip.File = file.Path; skip.Reason == documents.Untried || f.root == "" {
		return nil, skip
	}
	row.Unreadable = skip.Reason
	return nil, &unreadable{skip, &verdict{root: f.root, path: file.Path, data: row}}
}

// tagOf returns a document's client tag: the one that the user gave, else the first folder that the document is in.
func (f *folderDocuments) tagOf(name string) string {
	if f.tag != "" || !f.wholeFolder {
		return f.tag
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
