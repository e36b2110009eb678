package input

import (
	"archive/zip"
	"cmp"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"lens/store"
)

// entry is a file in a folder or a zip.
type entry struct {
	name   string // cleaned
	size   int64
	zipped *zip.File // nil in a folder
	open   func() (io.ReadCloser, error)
}

// conversationFile matches the names of files with conversations; the number of a shard is its first group.
var conversationFile = regexp.MustCompile(`(?i)^conversations(?:-(\d+))?\.json$`)

// activityFile matches what Takeout calls a log of activity, in a folder that it names after the product: in most languages otherwise,
// but "Gemini" stays.
var activityFile = regexp.MustCompile(`(?i)(?:gemini[^/]*/[^/]+|(?:^|/)my ?activity)\.(?:json|html)$`)

// cleanName makes a path of what a zip calls a file: slashes, no climbing out.
func cleanName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// isJunk is what operating systems and editors leave behind.
func isJunk(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "__MACOSX" || strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

func depth(name string) int { return strings.Count(name, "/") + 1 }

// printable is a name that is safe to show on a terminal.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, name)
}

// addEntries adds the conversation files among entries: those that are called so, and those that a manifest names. The one file and
// its shards may be there together; both are taken, and the newer conversation wins in the store.
func (f *finder) addEntries(prefix string, entries []entry) error {
	entries = slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return isJunk(e.name) })
	listed, err := f.manifests(entries)
	if err != nil {
		return err
	}
	var wanted []entry
	for _, e := range entries {
		if _, isListed := listed[e.name]; isListed || conversationFile.MatchString(path.Base(e.name)) || activityFile.MatchString(e.name) {
			wanted = append(wanted, e)
		}
	}
	slices.SortStableFunc(wanted, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	for i, e := range wanted {
		if i > 0 && strings.EqualFold(e.name, wanted[i-1].name) && e.zipped != nil {
			return fail(store.CodeInvalid, "the zip holds two files of the same name", "Unpack it, look which of them you want, and import that.")
		}
		if err := f.admit(e); err != nil {
			return err
		}
		if err := f.addFile(File{Name: printable(prefix + e.name), Size: e.size, open: e.open}); err != nil {
			return err
		}
	}
	f.addMissing(prefix, wanted, listed)
	return nil
}

// addMissing notes the shards that a manifest lists, and those whose number is left out between two others.
func (f *finder) addMissing(prefix string, there []entry, listed map[string]bool) {
	missing := gaps(there)
	for name := range listed {
		if !slices.ContainsFunc(there, func(e entry) bool { return e.name == name }) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	for _, name := range slices.Compact(missing) {
		f.export.MissingShards = append(f.export.MissingShards, printable(prefix+name))
	}
}
