package input

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/source"
)

// Machine is where the programs of a person keep their files. Lens lists names and sizes there, and opens no file.
type Machine struct {
	Bases     map[source.Base]string // absolute; "" and those that are missing are not looked at
	Downloads string                 // the folder of downloads; "": not looked at
	Getenv    func(string) string
}

// Found is a folder with sessions, or a file that has the name of an export. Nothing of it was opened.
type Found struct {
	Source store.Source `json:"source"`
	Name   string       `json:"name"` // of the program or service, as people know it
	Path   string       `json:"path"` // absolute; what to import
	Files  int          `json:"files"`
	Bytes  int64        `json:"bytes"`
	Newest time.Time    `json:"newest"`           // when the last of the files was changed
	More   bool         `json:"more,omitempty"`   // there are more files: counting was stopped
	Closed bool         `json:"closed,omitempty"` // the folder cannot be opened
}

// Look returns what programs keep and what is in the downloads folder, in the order of the formats, then the newest
// first. It follows no links inside the folders, and looks at no more than maxLooked names in each. Only ctx is an
// error.
func (m *Machine) Look(ctx context.Context) ([]Found, error) {
	var all []Found
	known := map[string]bool{}
	for _, f := range formats {
		for _, p := range f.Kept {
			dir := m.folder(p)
			if dir == "" || known[f.Name+"\x00"+dir] {
				continue
			}
			known[f.Name+"\x00"+dir] = true
			l := look{ctx: ctx, folder: os.DirFS(dir), left: maxLooked}
			l.found = Found{Source: f.Source, Name: f.Name, Path: dir}
			for _, pattern := range p.Files {
				l.match(".", strings.Split(pattern, "/"))
			}
			if l.found.Files > 0 || l.found.Closed {
				all = append(all, l.found)
			}
		}
	}
	return append(all, m.downloaded()...), ctx.Err()
}

// folder returns the absolute path of a place, "" if it is not looked at.
func (m *Machine) folder(p source.Place) string {
	if p.Var != "" && m.Getenv != nil {
		if dir := m.Getenv(p.Var); filepath.IsAbs(dir) {
			return filepath.Clean(dir)
		}
	}
	base := m.Bases[p.Base]
	if base == "" {
		return ""
	}
	return filepath.Join(base, filepath.FromSlash(p.Folder))
}

// downloaded returns the files whose names say that they are an export.
func (m *Machine) downloaded() (all []Found) {
	if m.Downloads == "" {
		return nil
	}
	names, err := os.ReadDir(m.Downloads)
	if err != nil {
		return nil // there is none, or it is not for us to look into
	}
	for _, d := range names {
		i := slices.IndexFunc(formats, func(f *source.Format) bool {
			return f.Download != nil && f.Download().MatchString(d.Name())
		})
		if i < 0 || !d.Type().IsRegular() {
			continue
		}
		if info, err := d.Info(); err == nil {
			all = append(all, Found{
				Source: formats[i].Source, Name: formats[i].Name, Path: filepath.Join(m.Downloads, d.Name()),
				Files: 1, Bytes: info.Size(), Newest: info.ModTime(),
			})
		}
	}
	slices.SortStableFunc(all, func(a, b Found) int { return b.Newest.Compare(a.Newest) })
	return all[:min(len(all), maxDownloads)]
}

// Limits of Look.
const (
	maxLooked    = 200_000 // names in one place
	maxDownloads = 20      // files that are named
)

// look counts the files of a place.
type look struct {
	ctx    context.Context
	folder fs.FS
	left   int // names that may still be looked at
	found  Found
}

// match counts the files in dir whose names match the pattern. "**" stands for any folders, also none.
func (l *look) match(dir string, pattern []string) {
	name, rest := pattern[0], pattern[1:]
	if name == "**" {
		l.match(dir, rest)
	}
	for _, d := range l.list(dir) {
		at := path.Join(dir, d.Name())
		fits, _ := path.Match(name, d.Name())
		switch {
		case name == "**" && d.IsDir():
			l.match(at, pattern)
		case fits && len(rest) > 0 && d.IsDir():
			l.match(at, rest)
		case fits && len(rest) == 0 && d.Type().IsRegular():
			l.count(d)
		}
	}
}

// list lists a folder as far as the limit allows.
func (l *look) list(dir string) []fs.DirEntry {
	if l.ctx.Err() != nil || l.left <= 0 {
		l.found.More = l.found.More || l.left <= 0
		return nil
	}
	names, err := fs.ReadDir(l.folder, dir)
	if err != nil {
		l.found.Closed = l.found.Closed || errors.Is(err, fs.ErrPermission)
		return nil
	}
	if len(names) > l.left {
		names, l.found.More = names[:l.left], true
	}
	l.left -= len(names)
	return names
}

func (l *look) count(d fs.DirEntry) {
	info, err := d.Info()
	if err != nil {
		return // gone since it was listed
	}
	l.found.Files++
	l.found.Bytes += info.Size()
	if at := info.ModTime(); at.After(l.found.Newest) {
		l.found.Newest = at
	}
}
