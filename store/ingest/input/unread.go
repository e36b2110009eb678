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
	Closed []string       // files and folders that may not be opened: relative to the folder, with slashes
}

// NoKind is the kind of files without an extension, and of those of more kinds than Unread keeps apart.
const NoKind = "other"

const maxKinds = 50

// Add counts a file.
func (u *Unread) Add(name string) { u.add(name) }

// addPacked counts a file in a zip or tar archive.
func (u *Unread) addPacked(name string) {
	kind := u.add(name)
	if u.Packed == nil {
		u.Packed = map[string]int{}
	}
	u.Packed[kind]++
}

// add counts a file, and returns the kind that it counts as.
func (u *Unread) add(name string) string {
	if u.Kinds == nil {
		u.Kinds = map[string]int{}
	}
	kind := kindOf(name)
	if _, known := u.Kinds[kind]; !known && len(u.Kinds) >= maxKinds {
		kind = NoKind
	}
	u.Kinds[kind]++
	return kind
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
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
