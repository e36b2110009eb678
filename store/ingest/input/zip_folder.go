package input

import (
	"errors"
	"io/fs"
	"os"

	"lens/store"
)

// A folder without conversations of its own may be the one of downloads, and hold them in zips. Each of these stands for itself.

// zipsIn opens the zips of a folder. Only a context that is done stops it: what else goes wrong is noted with the zip's name.
func (f *finder) zipsIn(root *os.Root, entries []entry) error {
	for _, e := range entries {
		if !hasSuffixFold(e.name, ".zip") {
			continue
		}
		files, missing := len(f.archive.Files), len(f.archive.MissingShards)
		err := f.zipIn(root, e)
		if f.ctx.Err() != nil {
			return cancelled(f.ctx)
		}
		if err != nil {
			f.archive.Files, f.archive.MissingShards = f.archive.Files[:files], f.archive.MissingShards[:missing]
			f.archive.Broken = append(f.archive.Broken, Broken{printable(e.name), err})
		}
	}
	return nil
}

// zipIn opens one zip of a folder. Being none, and having nothing of use in it, is no failure.
func (f *finder) zipIn(root *os.Root, e entry) error {
	in, err := root.Open(e.name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // gone since it was listed
		return nil
	case err != nil:
		return unreadable(err)
	}
	f.archive.closers = append(f.archive.closers, in)
	if !isZip(in) {
		return nil
	}
	if err := f.outermost(e.name, in, e.size); store.CodeOf(err) != store.CodeNotFound {
		return err
	}
	return nil
}

// named joins the failures of zips, each sentence with the zip's name in front.
func named(broken []Broken) error {
	all := make([]error, len(broken))
	for i, b := range broken {
		all[i] = b.Err
		var cause *store.Error
		if errors.As(b.Err, &cause) {
			copied := *cause
			copied.Message = b.Name + ": " + cause.Message
			all[i] = &copied
		}
	}
	return errors.Join(all...)
}
