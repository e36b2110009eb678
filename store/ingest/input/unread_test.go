package input

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"lens/internal/errs"
	"lens/internal/shell"
)

func TestOpen_NamesWhatIsPassedOver(t *testing.T) {
	export := zipped(t, file{name: "conversations.json", data: gpt})
	for name, c := range map[string]struct {
		path string
		want string
	}{
		"a whole export": {writeFile(t, "e.zip", export), ""},
		"attachments": {
			writeFile(t, "e.zip", zipped(t, file{name: "conversations.json", data: gpt}, file{name: "user.json", data: "{}"},
				file{name: "a.PNG"}, file{name: "b.png"}, file{name: "__MACOSX/x.png"}, file{name: "other.zip", data: export})),
			"2 .png, 1 .zip and user.json",
		},
		"notes beside an export": {
			writeFiles(t, file{name: "conversations.json", data: gpt}, file{name: "n.md"}, file{name: "x/z.epub"}), "1 .epub and 1 .md",
		},
		"packed files in a tar": {
			writeFile(t, "e.tar", tarred(t, file{name: "conversations.json", data: gpt}, file{name: "a.json.gz"}, file{name: "b.tar"})),
			"1 .gz and 1 .tar",
		},
		"JSON of something else": {
			writeFiles(t, file{name: "a.json", data: gpt}, file{name: "b.json", data: `{"name":"x"}`}), "1 .json",
		},
		"beside zips": {
			writeFiles(t, file{name: "e.zip", data: export}, file{name: "f.zip", data: zipped(t, file{name: "a.jpg"})}, file{name: "README"}),
			"1 .jpg and 1 other",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := Open(t.Context(), c.path, "")
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			if got := a.Unread.String(); got != c.want || len(a.Files) != 1 {
				t.Errorf("got %q and %d files, want %q", got, len(a.Files), c.want)
			}
		})
	}
}

func TestOpen_FolderOfAnyDepth(t *testing.T) {
	deep := "1/2/3/4/5/6/7/8/9/conversations.json"
	if got := listFiles(t, writeFiles(t, file{name: deep, data: gpt})); got != deep+"=chatgpt" {
		t.Errorf("got %s", got)
	}
}

// A zip beside a file of chats is opened, unless that is an export, which may have other people's as attachments.
func TestOpen_ZipBesideAChat(t *testing.T) {
	export := zipped(t, file{name: "conversations.json", data: gpt})
	got := listFiles(t, writeFiles(t, file{name: "a.json", data: claudeExport}, file{name: "e.zip", data: export}))
	if got != "a.json=claude e.zip/conversations.json=chatgpt" {
		t.Errorf("got %s", got)
	}
}

// closedFS refuses to list a folder of its own, as a folder of another user does.
type closedFS struct {
	fstest.MapFS
	closed string
}

func (c closedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == c.closed {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.ReadDir(name)
}

func TestList_ClosedFolder(t *testing.T) {
	folder := fstest.MapFS{"a/b.md": {}, "shut/c.md": {}, "z.md": {}}
	files, closed, err := list(t.Context(), closedFS{folder, "shut"}, isJunk)
	if err != nil || len(files) != 2 || !slices.Equal(closed, []string{"shut"}) {
		t.Errorf("files %v, closed %v, %v", files, closed, err)
	}
	if _, _, err := list(t.Context(), closedFS{folder, "."}, isJunk); errs.CodeOf(err) != errs.Blocked || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("the folder itself: %v", err)
	}
}

func TestUnread_String(t *testing.T) {
	var u Unread
	if u.String() != "" {
		t.Errorf("nothing: %q", u.String())
	}
	for i := range 100 {
		u.Count(fmt.Sprint("a.x", i))
	}
	u.Count("..hidden name with spaces.a b")
	if len(u.Kinds) != maxKinds+1 || u.Kinds[NoKind] != 51 {
		t.Errorf("kinds %v", slices.Sorted(maps.Keys(u.Kinds)))
	}
	u.Closed = []string{"x/y"}
	if got := u.String(); !strings.HasPrefix(got, "51 other, 1 .x0, ") || !strings.HasSuffix(got, ", more and 1 that may not be opened (x/y)") {
		t.Errorf("got %q", got)
	}
}

// A layout that other data has, too, counts only in a file that the user names: the hint says so.
func TestOpen_FolderWithGenericChat(t *testing.T) {
	const generic = `{"messages":[{"role":"user","content":"Why?"},{"role":"assistant","content":"So."}]}`
	dir := writeFiles(t, file{name: "a.json", data: `{"b":1}`}, file{name: "my data/train.jsonl", data: generic})
	_, err := Open(t.Context(), dir, "")
	at := filepath.Join(dir, "my data", "train.jsonl")
	want := "name my data/train.jsonl itself if it has chats: lens import " + shell.Quote(at)
	if got := errs.First(err).Hint; got != want {
		t.Errorf("the hint is %q, want %q", got, want)
	}
	_, err = Open(t.Context(), writeFile(t, "a.zip", zipped(t, file{name: "train.jsonl", data: generic})), "")
	if got := errs.First(err).Hint; got != hintReads {
		t.Errorf("of a zip, the hint is %q", got)
	}
}

// The files of an export that have no other chats are apart, each name once.
func TestOpen_OwnFilesOfAnExport(t *testing.T) {
	export := zipped(t, file{name: "conversations.json", data: gpt}, file{name: "user.json", data: "{}"},
		file{name: "message_feedback.json", data: "[]"}, file{name: "chat.html", data: "<html>"}, file{name: "sora.json", data: "{}"})
	a, err := Open(t.Context(), writeFiles(t, file{name: "a.zip", data: export}, file{name: "b.zip", data: export}), "")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if !slices.Equal(a.Unread.Own, []string{"user.json", "message_feedback.json", "chat.html"}) {
		t.Errorf("own files %q", a.Unread.Own)
	}
	if got := a.Unread.Named(); got != "sora.json and sora.json" {
		t.Errorf("others: %q", got)
	}
}

// A file that is only called so, beside chats that a person keeps as notes, is passed over as others are.
func TestOpen_AccountFileAmongNotes(t *testing.T) {
	const saved = "---\nsource: https://chatgpt.com/c/69051400-0000-8000-8000-0000000000c1\n---\n\n# Rust\n\n" +
		"#### You:\nWhy?\n\n#### ChatGPT:\nWater.\n"
	notes := zipped(t, file{name: "notes/Rust.md", data: saved}, file{name: "notes/users.json", data: "{}"})
	a, err := Open(t.Context(), writeFile(t, "notes.zip", notes), "")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if got := a.Unread.Named(); got != "users.json" || len(a.Unread.Own) > 0 || a.Unread.Packed[".json"] != 1 {
		t.Errorf("got %q, own %q, packed %v", got, a.Unread.Own, a.Unread.Packed)
	}
	_, err = Open(t.Context(), writeFile(t, "data.zip", zipped(t, file{name: "users.json", data: "{}"})), "")
	if u := UnreadOf(err); u == nil || u.Named() != "users.json" {
		t.Errorf("alone: %v", err)
	}
}

// A name of a file is shown as it is listed: without what a terminal would act on.
func TestUnread_OwnIsPrintable(t *testing.T) {
	var u Unread
	if u.addOwn("x/prod-mc-\x1b[2J.json"); len(u.Own) != 1 || u.Own[0] != printable("prod-mc-\x1b[2J.json") || strings.Contains(u.Own[0], "\x1b") {
		t.Errorf("own %q", u.Own)
	}
}

func TestUnread_Named(t *testing.T) {
	var u Unread
	for _, name := range []string{"a/b.epub", "c.csv", "d", "e.epub"} {
		u.Count(name)
	}
	if got := u.Named(); got != "b.epub, c.csv, d and e.epub" {
		t.Errorf("few: %q", got)
	}
	all := Unread{Own: []string{"user.json"}}
	all.Add(&u)
	all.Add(&Unread{Kinds: map[string]int{".epub": 1}, Names: []string{"f.epub"}, Own: []string{"user.json"}})
	if got := all.Named(); got != "3 .epub, 1 .csv and 1 other" || len(all.Own) != 1 {
		t.Errorf("many: %q, own %q", got, all.Own)
	}
	// Names that do not tell of all files tell of none.
	u.Names = u.Names[:2]
	if got := u.Named(); got != "2 .epub, 1 .csv and 1 other" {
		t.Errorf("without some names: %q", got)
	}
	unnamed := Unread{Kinds: map[string]int{".csv": 1}}
	unnamed.Add(&Unread{Kinds: map[string]int{".epub": 1}, Names: []string{"b.epub"}})
	if got := unnamed.Named(); got != "1 .csv and 1 .epub" {
		t.Errorf("without the first names: %q", got)
	}
}
