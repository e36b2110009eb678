package offline

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"lens/cmd/internal/datadir"
	"lens/internal/errs"
	"lens/retrieval/offline"
)

// Verb is the verb of a child process for one query. The process prints readyLine, reads a Query from its input and
// writes a Reply, each on one line.
const Verb = "offline-query"

// readyLine is what a worker prints before it reads its query.
const readyLine = "ready\n"

// Query is the request to the child process: a search, or an answer from hits.
type Query struct {
	Text   string                 `json:"text"`
	Search *offline.SearchOptions `json:"search,omitempty"`
	Answer *offline.AnswerOptions `json:"answer,omitempty"`
	Hits   []offline.Hit          `json:"hits,omitempty"`
	Key    []byte                 `json:"key,omitempty"` // of an encrypted archive
}

// Reply is the response of the child process.
type Reply struct {
	Found  *offline.Found  `json:"found,omitempty"`
	Answer *offline.Answer `json:"answer,omitempty"`
	Reason offline.Reason  `json:"reason,omitempty"` // set if the retriever refused
	Error  *errs.Failure   `json:"error,omitempty"`

	Public bool `json:"public,omitempty"` // a remote client may read the error
}

// Serve runs the child process. It answers one query.
func (s *Service) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	r := s.Retriever(true)
	r.child = nil
	opened := s.openEarly(ctx)
	if _, err := io.WriteString(out, readyLine); err != nil {
		return err
	}
	var q Query
	var reply Reply
	err := json.NewDecoder(in).Decode(&q)
	s.Keys.Import(q.Key)
	renewed := s.renew(opened)
	switch {
	case renewed != nil:
		err = renewed
	case err != nil:
		err = &errs.Error{Code: errs.Invalid, Op: "offline query", Message: "no query was received", Err: err}
	case q.Search != nil:
		reply.Found, err = r.Search(ctx, q.Text, *q.Search)
	case q.Answer != nil:
		reply.Answer, err = r.Answer(ctx, q.Hits, q.Text, *q.Answer)
	}
	reply.fail(err)
	return json.NewEncoder(out).Encode(reply)
}

// openEarly opens an unencrypted archive and reads its catalog before the query arrives. It returns the archive's file,
// nil if the archive is not open. The query retries, and reports, whatever fails here.
func (s *Service) openEarly(ctx context.Context) os.FileInfo {
	if s.Folders.DatabaseURL != "" || s.Keys.Encrypted() {
		return nil
	}
	file, err := os.Stat(s.archiveFile())
	if err != nil {
		return nil
	}
	if engine, err := s.Archive.Engine(ctx); err == nil {
		_, _ = engine.Overview(ctx)
	}
	return file
}

// renew closes the archive that openEarly opened, if it has been encrypted or replaced since. Commits need no renewal:
// the engine notices them.
func (s *Service) renew(opened os.FileInfo) error {
	if opened == nil {
		return nil
	}
	now, err := os.Stat(s.archiveFile())
	if err == nil && os.SameFile(now, opened) && !s.Keys.Encrypted() {
		return nil
	}
	return s.Archive.Close()
}

func (s *Service) archiveFile() string { return filepath.Join(s.Folders.DataDir, datadir.ArchiveFile) }

// fail records why there is no answer. Of a Revert it sends only the reason, the cause and the hint, from which err
// rebuilds it.
func (r *Reply) fail(err error) {
	if err == nil {
		return
	}
	hint := errs.First(err).Hint
	var revert *offline.Revert
	if errors.As(err, &revert) {
		r.Reason, err = revert.Reason, revert.Err
	}
	f := errs.First(err)
	f.Hint = hint // a Revert may know a better one than its cause
	r.Error = &f
	r.Public = errs.IsPublic(err)
}

// err returns the error that fail recorded, as far as it can be encoded.
func (r *Reply) err() error {
	if r.Error == nil {
		return nil
	}
	op := "open archive" // no remote client may read it
	if r.Public {
		op = "offline query"
	}
	var err error = &errs.Error{Code: r.Error.Code, Op: op, Message: r.Error.Message, Hint: r.Error.Hint}
	if r.Reason != "" {
		return &offline.Revert{Reason: r.Reason, Err: err}
	}
	return err
}
