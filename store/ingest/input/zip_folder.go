package input

import (
	"errors"
	"io/fs"
	"os"

	"lens/internal/errs"
)

// A folder other than an export, such as the downloads folder, may hold exports as zips. Each is opened on its own.

// addZips opens the zips of a folder, but not those of an export, which may be other people's. It records the errors of
// single zips in Broken; only a canceled context stops it.
func (f *finder) addZips(root *os.Root, entries []entry) error {
	isExport := f.claimed
	for _, e := range entries {
		if !hasSuffixFold(e.name, ".zip") && !isPacked(e.name) {
			continue
		}
		if isExport {
			f.export.Unread.Count(e.name)
			f.export.Unread.Zips = append(f.export.Unread.Zips, e.name)
			continue
		}
		if err := f.alone(e.name, func() error { return f.addZip(root, e) }); err != nil {
			return err
		}
	}
	return nil
}

// addZip opens one zip of a folder. A zip without conversations is not an error. A file that is not packed, whatever
// its name says, is one only if it is called a zip.
func (f *finder) addZip(root *os.Root, e entry) error {
	in, err := root.Open(e.name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // gone since it was listed
		return nil
	case err != nil:
		return pathError(err)
	}
	f.export.closers = append(f.export.closers, in)
	f.disk = e.disk
	defer func() { f.disk = nil }()
	if !isZip(in) && !isTar(in) && packingOf(in) == nil && !hasSuffixFold(e.name, ".zip") {
		f.export.Unread.Count(e.name)
		return nil
	}
	if err := f.content(e.name, in, e.size, false); errs.CodeOf(err) != errs.NotFound {
		return err
	}
	return nil
}

// withNames joins the errors of zips and puts each zip's name before its message.
func withNames(broken []Broken) error {
	all := make([]error, len(broken))
	for i, b := range broken {
		all[i] = b.Err
		var cause *errs.Error
		if errors.As(b.Err, &cause) {
			copied := *cause
			copied.Message = b.Name + ": " + cause.Message
			all[i] = &copied
		}
	}
	return errors.Join(all...)
}
