package input

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Unread is what an import passes over in a folder or zip.
type Unread struct {
	Kinds  map[string]int // files by kind: the extension in lower case, ".epub"; NoKind
	Packed map[string]int // of Kinds, those in a zip or tar archive
	Names  []string       // of the files in Kinds, the first maxNames and one more
	Zips   []string       // of Kinds, those beside an export: relative to the folder, with slashes
	Closed []string       // files and folders that may not be opened: relative to the folder, with slashes
	Own    []string       // files of an export that have no other chats: user.json, chat.html; not in Kinds
}

// NoKind is the kind of files without an extension, and of those of more kinds than Unread keeps apart.
const NoKind = "other"

const maxKinds = 50

// maxNames is how many files Named names.
const maxNames = 4

// Count counts a file.
func (u *Unread) Count(name string) { u.count(name) }

// addPacked counts a file in a zip or tar archive.
func (u *Unread) addPacked(name string) {
	kind := u.count(name)
	if u.Packed == nil {
		u.Packed = map[string]int{}
	}
	u.Packed[kind]++
}

// count counts a file, and returns the kind that it counts as.
func (u *Unread) count(name string) string {
	if u.Kinds == nil {
		u.Kinds = map[string]int{}
	}
	kind := kindOf(name)
	if _, known := u.Kinds[kind]; !known && len(u.Kinds) >= maxKinds {
		kind = NoKind
	}
	u.Kinds[kind]++
	if len(u.Names) <= maxNames {
		u.Names = append(u.Names, printable(path.Base(name)))
	}
	return kind
}

// LeaveOut takes back the count of one of Zips.
func (u *Unread) LeaveOut(zip string) {
	kind := kindOf(zip)
	if u.Kinds[kind] == 0 {
		kind = NoKind
	}
	if u.Kinds[kind]--; u.Kinds[kind] == 0 {
		delete(u.Kinds, kind)
	}
	u.Zips = slices.DeleteFunc(u.Zips, func(name string) bool { return name == zip })
	if i := slices.Index(u.Names, printable(path.Base(zip))); i >= 0 {
		u.Names = slices.Delete(u.Names, i, i+1)
	}
}

// addOwn notes a file of an export, each name once.
func (u *Unread) addOwn(name string) {
	const most = 8 // names: an export has fewer
	if name = printable(path.Base(name)); len(u.Own) < most && !slices.Contains(u.Own, name) {
		u.Own = append(u.Own, name)
	}
}

// Add adds what another path has.
func (u *Unread) Add(o *Unread) {
	if len(o.Kinds) > 0 && u.Kinds == nil {
		u.Kinds = map[string]int{}
	}
	for kind, n := range o.Kinds {
		u.Kinds[kind] += n
	}
	u.Names = append(u.Names, o.Names[:min(len(o.Names), maxNames+1-len(u.Names))]...)
	for _, name := range o.Own {
		u.addOwn(name)
	}
}

// Named lists the files, if they are few, and otherwise their kinds: "book.epub and note.md".
func (u *Unread) Named() string {
	files := 0
	for _, n := range u.Kinds {
		files += n
	}
	if len(u.Names) != files || files > maxNames {
		return (&Unread{Kinds: u.Kinds}).String()
	}
	return listed(u.Names)
}

// kindOf returns a file's extension with its dot, in lower case, NoKind for what is none.
func kindOf(name string) string {
	const longest = 10
	kind := strings.ToLower(path.Ext(path.Base(name)))
	isPart := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' }
	if len(kind) < 2 || len(kind) > longest || strings.IndexFunc(kind[1:], isPart) < 0 ||
		strings.ContainsFunc(kind[1:], func(r rune) bool { return !isPart(r) }) {
		return NoKind
	}
	return kind
}

// String lists the kinds, those with the most files first: "3 .epub and 1 .csv". "" if nothing was passed over.
func (u *Unread) String() string {
	kinds := slices.SortedFunc(maps.Keys(u.Kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(u.Kinds[b], u.Kinds[a]), cmp.Compare(a, b))
	})
	const shown = 8
	var words []string
	for i, kind := range kinds {
		if i == shown {
			words = append(words, "more")
			break
		}
		words = append(words, fmt.Sprintf("%d %s", u.Kinds[kind], kind))
	}
	if n := len(u.Closed); n > 0 {
		words = append(words, fmt.Sprintf("%d that may not be opened (%s)", n, u.Closed[0]))
	}
	return listed(append(words, u.Own...))
}

// listed lists words: "a, b and c".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
