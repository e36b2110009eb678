package archive

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"lens/internal/demo"
	"lens/internal/errs"
	"lens/store/ingest"
)

// DemoQuery is the query to show the demo with: a topic that rises, fades and returns.
const DemoQuery = "sourdough starter"

// ImportDemo writes the synthetic export and imports it. A second call changes nothing.
func (a *Archive) ImportDemo(ctx context.Context, tell func(Progress)) (*Receipt, error) {
	export := filepath.Join(a.opts.DataDir, "conversations.json")
	if err := writeDemo(export); err != nil {
		return ingest.NewReceipt(), &errs.Error{
			Code: errs.Unavailable, Op: "demo: write", Message: "cannot write the demo to " + a.opts.DataDir,
			Hint: "choose a writable folder with --data", Err: err,
		}
	}
	return a.Import(ctx, []string{export}, ImportOptions{Progress: tell, Once: true})
}

// writeDemo writes the export to a temporary file and renames it, so that an interrupted run leaves no partial export.
func writeDemo(path string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "demo-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // already renamed on success
	if err := errors.Join(demo.Write(file, demo.Options{}), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
