package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"lens/internal/errs"
	"lens/store"
)

// Refresh imports again what paths have that is new or changed; without paths, all that was imported before. Each
// path must be one that an import was given, which is read with the options of that import: those of
// opts that say what comes from a path do not count. The receipt names what is not there
// any more, which stays in the archive.
//
// Errors: those of Import; not_found when nothing was imported yet, when a path was not, and when none is there.
// The Receipt is never nil.
func Refresh(ctx context.Context, st store.Store, paths []string, opts Options) (*Receipt, error) {
	all := NewReceipt()
	roots, err := followed(ctx, st, paths)
	if err != nil {
		return all, err
	}
	var kinds []string // of settings, in the order of their first roots
	present := map[string][]string{}
	for _, r := range roots {
		if _, err := os.Stat(r.Root); errors.Is(err, fs.ErrNotExist) {
			all.Missing = append(all.Missing, r.Root)
			continue
		}
		kind := optionsOf(r)
		if len(present[kind]) == 0 {
			kinds = append(kinds, kind)
		}
		present[kind] = append(present[kind], r.Root)
	}
	if len(kinds) == 0 {
		return all, errAllMissing(all.Missing)
	}
	opts.counted = tally{}
	var failures []error
	for _, kind := range kinds {
		one, err := Import(ctx, st, present[kind], opts.refreshing(kind))
		all.append(one)
		if ctx.Err() != nil {
			return all, err
		}
		failures = append(failures, err)
	}
	return all, joinOnce(failures)
}

func errAllMissing(missing []string) error {
	message := "nothing that was imported is where it was"
	if len(missing) == 1 {
		message = missing[0] + " is not there any more"
	}
	return &errs.Error{
		Code: errs.NotFound, Op: "refresh", Message: message,
		Hint: "import newer files with lens import; the archive keeps its contents",
	}
}

// optionsOf returns the settings of a root as Options.settings does.
func optionsOf(root store.ImportedFile) string {
	var s settings
	if json.Unmarshal(root.Data, &s) != nil {
		return string(root.Data)
	}
	s.Only = ""
	data, _ := json.Marshal(s) // cannot fail
	return string(data)
}

// refreshing returns o with the settings of a root.
func (o Options) refreshing(kind string) Options {
	var s settings
	_ = json.Unmarshal([]byte(kind), &s) // damaged: as without options
	o.Documents, o.Tag, o.VectorsOf, o.Tools = s.Documents, s.Tag, s.VectorsOf, s.Tools
	o.Restore, o.Once, o.refresh = false, false, true
	return o
}

// followed returns the roots at paths; of no paths, all of them.
func followed(ctx context.Context, st store.Reader, paths []string) ([]store.ImportedFile, error) {
	all, err := st.ImportedRoots(ctx)
	if err != nil {
		return nil, err
	}
	if len(all.Files) == 0 {
		return nil, &errs.Error{
			Code: errs.NotFound, Op: "refresh", Message: "no file or folder is followed",
			Hint: "run lens import PATH, and Lens follows it; lens sources lists what there is",
		}
	}
	if len(paths) == 0 {
		return all.Files, nil
	}
	var chosen []store.ImportedFile
	for _, path := range paths {
		at, err := filepath.Abs(path)
		if err != nil {
			at = path
		}
		i := slices.IndexFunc(all.Files, func(f store.ImportedFile) bool { return f.Root == at })
		if i < 0 {
			return nil, &errs.Error{
				Code: errs.NotFound, Op: "refresh", Message: path + " was not imported by this path",
				Hint: "import it with lens import; lens refresh --list shows what is followed",
			}
		}
		chosen = append(chosen, all.Files[i])
	}
	return chosen, nil
}

// Followed returns the paths that Refresh reads again, in ascending order.
func Followed(ctx context.Context, st store.Reader) ([]string, error) {
	all, err := st.ImportedRoots(ctx)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(all.Files))
	for i, f := range all.Files {
		paths[i] = f.Root
	}
	return paths, nil
}

// Unfollow makes Refresh leave out paths from now on, and removes what the archive knows of them and their files. What
// came from them stays. Errors: not_found for a path that is not followed; then nothing is removed.
func Unfollow(ctx context.Context, st store.Store, paths []string) error {
	return st.Update(ctx, func(tx store.Tx) error {
		roots, err := followed(ctx, st, paths)
		if err != nil {
			return err
		}
		for _, r := range roots {
			if err := unfollow(ctx, st, tx, r.Root); err != nil {
				return err
			}
		}
		return nil
	})
}

func unfollow(ctx context.Context, st store.Reader, tx store.Tx, root string) error {
	known, err := st.ImportedFiles(ctx, root)
	if err != nil {
		return err
	}
	var all []string
	for _, f := range known.Files {
		all = append(all, f.Path)
	}
	return tx.DropImportedFiles(ctx, root, all)
}

// append adds the paths and files of o, and its counts.
func (r *Receipt) append(o *Receipt) {
	before := len(r.Paths)
	r.Paths = append(r.Paths, o.Paths...)
	for _, f := range o.Files {
		f.path += before
		r.Files = append(r.Files, f)
	}
	r.add(o)
}

// unfollowSource removes the roots from which nothing came but what a source has, before all of that is forgotten: a
// refresh would bring in what is new there.
func unfollowSource(ctx context.Context, st store.Reader, tx store.Tx, source store.Source) error {
	roots, err := st.ImportedRoots(ctx)
	if err != nil {
		return err
	}
	for _, r := range roots.Files {
		if sourceOf(r) != source {
			continue
		}
		if err := unfollow(ctx, st, tx, r.Root); err != nil {
			return err
		}
	}
	return nil
}
