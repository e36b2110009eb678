package input

import (
	"archive/zip"
	"cmp"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
)

// entry is a file in a folder or a zip.
type entry struct {
	name   string // cleaned
	size   int64
	zipped *zip.File // nil in a folder
	open   func() (io.ReadCloser, error)
	disk   *DiskFile   // of a folder; else nil
	at     io.ReaderAt // its content, if it is stored in a tar archive, or in a zip that is cut off; else nil
}

// isPacked reports whether the file is in a zip or tar archive.
func (e *entry) isPacked() bool { return e.zipped != nil || e.at != nil }

// conversationFile matches the names of files with conversations; the number of a part is its first group.
var conversationFile = lazyregexp.New(`(?i)^conversations(?:-(\d+))?\.json$`)

// activityFile matches the names of Takeout's activity logs. Folder and file names differ between languages, but the
// product name in the folder's stays.
var activityFile = lazyregexp.New(`(?i)(?:gemini[^/]*/[^/]+|(?:^|/)my ?activity)\.(?:json|html)$`)

// jsonFile matches the names of files that may have conversations.
var jsonFile = lazyregexp.New(`(?i)\.(?:json|jsonl|ndjson)$`)

// chatFile matches other names of files that may have conversations. AI Studio saves chats without an extension.
var chatFile = lazyregexp.New(`(?i)\.csv$|^[^.]+$`)

// pageFile matches the name of the page of ChatGPT's export. It has the conversations of conversations.json again.
var pageFile = lazyregexp.New(`(?i)^chat\.html$`)

// historyFile matches the name of Aider's history, which is hidden in the folder that it is about.
var historyFile = lazyregexp.New(`^\.aider\.chat\.history\.md$`)

// databaseFile matches the names of databases that may have conversations.
var databaseFile = lazyregexp.New(`(?i)\.(?:db|vscdb|sqlite3?)$`)

// accountFile matches the names of files that never have conversations, but what is private in another way: accounts,
// payments, settings, ratings, lists of links.
var accountFile = lazyregexp.New(
	`(?i)^(?:prod-mc-.*|users?|.*_settings|message_feedback|(?:shared|sectioned)_conversations|export_manifest)\.json$`)

// cleanName returns the name of a zip entry as a relative path with slashes that cannot leave its folder.
func cleanName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// isJunk reports whether a path is hidden or left behind by an operating system or editor.
func isJunk(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "__MACOSX" || strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

// toolFolders returns the names of the hidden folders in which programs keep their chats.
var toolFolders = sync.OnceValue(hiddenFolders)

func hiddenFolders() (hidden []string) {
	for _, f := range formats {
		for _, p := range f.Kept {
			if first, _, _ := strings.Cut(p.Folder, "/"); strings.HasPrefix(first, ".") {
				hidden = append(hidden, first)
			}
		}
	}
	return hidden
}

// isHidden is isJunk for a folder or zip that is searched for conversations: what tools hide may be some.
func isHidden(name string) bool {
	ofTool := func(part string) bool { return slices.Contains(toolFolders(), part) }
	parts := strings.Split(name, "/")
	if historyFile().MatchString(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	return isJunk(strings.Join(slices.DeleteFunc(parts, ofTool), "/"))
}

// printable returns a name that is safe to print on a terminal.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, name)
}

// candidates are the files of a folder, zip or tar archive that may have conversations.
type candidates struct {
	listed map[string]bool // names that a manifest lists
	files  []entry         // in the order of their names
	own    []entry         // that belong to an export, if there is one
}

// claimed reports whether a file should have conversations: its name or a manifest says so.
func (c *candidates) claimed(e entry) bool { return c.isPart(e) || activityFile().MatchString(e.name) }

func (c *candidates) isPart(e entry) bool {
	return conversationFile().MatchString(path.Base(e.name)) || c.listed[e.name]
}

// has reports whether there is a file called base beside e.
func (c *candidates) has(base string, e entry) bool {
	name := path.Join(path.Dir(e.name), base)
	_, there := slices.BinarySearchFunc(c.files, name, func(o entry, name string) int { return cmp.Compare(o.name, name) })
	return there
}

// choose keeps the files among entries that may have conversations or are an export's own, and counts the others as
// passed over. mayHave reports whether a file whose name says nothing may have some.
func (c *candidates) choose(entries []entry, unread *Unread, mayHave func(entry) bool) {
	exported := make(map[string]bool) // the folders with conversations.json or its parts
	for _, e := range entries {
		if c.isPart(e) {
			exported[path.Dir(e.name)] = true
		}
	}
	for _, e := range entries {
		switch base := path.Base(e.name); {
		case isCompanion(e.name) && !c.claimed(e):
		case c.claimed(e),
			jsonFile().MatchString(base) && !accountFile().MatchString(base), chatFile().MatchString(base),
			databaseFile().MatchString(base),
			pageFile().MatchString(base) && !exported[path.Dir(e.name)]:
			c.files = append(c.files, e)
		case hasSuffixFold(base, ".zip"): // which may be opened
		case !e.isPacked() && isPacked(base): // likewise
		case !accountFile().MatchString(base) && !pageFile().MatchString(base) && mayHave(e):
			c.files = append(c.files, e)
		case accountFile().MatchString(base), pageFile().MatchString(base) && exported[path.Dir(e.name)]:
			c.own = append(c.own, e)
		default:
			passOver(e, unread)
		}
	}
	slices.SortStableFunc(c.files, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
}

// passOver counts a file as passed over.
func passOver(e entry, unread *Unread) {
	if e.isPacked() {
		unread.addPacked(e.name)
	} else {
		unread.Count(e.name)
	}
}

// passOverOwn notes the files that are an export's own if the files with conversations are of one; it may be damaged.
func (c *candidates) passOverOwn(files []File, unread *Unread) {
	ofExport := func(f File) bool { return !f.Format.Note }
	isExport := slices.ContainsFunc(c.files, c.claimed) || slices.ContainsFunc(files, ofExport)
	for _, e := range c.own {
		if isExport {
			unread.addOwn(e.name)
		} else {
			passOver(e, unread)
		}
	}
}

// addEntries adds the conversation files among entries: those with a known name, those listed in a manifest, and others
// whose content says so. The page of ChatGPT's export counts where it is alone. The single file and its parts may both
// exist; both are added, and the import keeps the newer version of each conversation.
func (f *finder) addEntries(prefix string, entries []entry) error {
	entries = slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return isHidden(e.name) })
	listed, err := f.manifests(prefix, entries)
	if err != nil {
		return err
	}
	folder, err := f.newCompanions(prefix, entries)
	if err != nil {
		return err
	}
	c := &candidates{listed: listed}
	c.choose(entries, &f.export.Unread, func(e entry) bool {
		return f.mayHaveChats(f.looked(File{Size: e.size, open: e.open}, e))
	})
	f.claimed = f.claimed || slices.ContainsFunc(c.files, c.claimed)
	before := len(f.export.Files)
	last := "" // chat
	for _, e := range c.files {
		file := File{Name: printable(prefix + e.name), Size: e.size, open: e.open, folder: folder, spool: f.spool}
		file.disk = cmp.Or(e.disk, f.disk)
		if !c.claimed(e) && !f.hasChats(f.looked(file, e), func(base string) bool { return c.has(base, e) }) {
			continue
		}
		if strings.EqualFold(e.name, last) && e.zipped != nil {
			return fail(errs.Invalid, "the zip contains two files with the same name",
				"unpack the zip, choose one of them and import that")
		}
		last = e.name
		if err := f.budget.admit(e); err != nil {
			return err
		}
		if err := f.addFile(file, false); err != nil {
			if f.ctx.Err() != nil {
				return err
			}
			f.export.Broken = append(f.export.Broken, Broken{file.Name, err})
		}
	}
	c.passOverOwn(f.export.Files[before:], &f.export.Unread)
	folder.unread(f.export.Files[before:], &f.export.Unread)
	f.addMissing(prefix, c.files, listed)
	return nil
}

// looked returns the file of an entry as it is opened to tell what it is.
func (f *finder) looked(file File, e entry) File {
	if e.zipped != nil {
		file.open = f.budget.looking(e.open)
	}
	return file
}

// addMissing records the missing parts: those that a manifest lists, and gaps in the numbering.
func (f *finder) addMissing(prefix string, present []entry, listed map[string]bool) {
	missing := gaps(present)
	for name := range listed {
		if !slices.ContainsFunc(present, func(e entry) bool { return e.name == name }) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	for _, name := range slices.Compact(missing) {
		f.export.MissingParts = append(f.export.MissingParts, printable(prefix+name))
	}
}
