package offline_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/internal/audit"
	"lens/internal/errs"
	"lens/internal/sandbox"
	"lens/internal/vault"
	"lens/retrieval"
	"lens/retrieval/offline"
)

// The worked example: cosine + .1·recency. The chat .45 + .1·1 = .55, the notes .5 + .1·e^(−365/30), the scan has neither vector nor time.
func TestSearch_Recency(t *testing.T) {
	r, l := retriever(bread(), nil)
	found, err := r.Search(context.Background(), "sourdough starter", offline.SearchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		file  string
		score float64
	}{{"Bread", .55}, {"notes.md", .5 + .1*5.1950222e-06}, {"scan.pdf", 0}}
	for i, w := range want {
		if h := found.Hits[i]; h.Filename != w.file || !close(h.Parts.Search, w.score) {
			t.Errorf("place %d: %s with %v, want %s with %v", i, h.Filename, h.Parts.Search, w.file, w.score)
		}
	}
	if h := found.Hits[2]; !h.Parts.NoVector || h.Parts.AgeDays != nil || h.Pages[1] != 3 || h.Keyword != 2 {
		t.Errorf("got %+v %+v", h, h.Parts)
	}
	if h := found.Hits[1]; h.Path != "/home/ada/notes.md" || h.ClientTag != "home" || h.MIME != "text/markdown" || h.Snippet != "A sourdough starter wants feeding twice a day in summer." {
		t.Errorf("got %+v", h)
	}
	line := audit.Decision{Act: audit.Proceed, QID: found.QID, Mode: "standard", Mechanism: "seccomp", Probes: 4, K: 8, Hits: 3}
	if len(l.lines) != 1 || l.lines[0] != line || found.Seq != 1 {
		t.Errorf("recorded %+v, want %+v", l.lines, line)
	}
}

func close(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

func TestSearch_ParanoidWithoutRecency(t *testing.T) {
	r, _ := retriever(bread(), func(o *offline.Options) { o.SingleQuery = true })
	found, err := r.Search(context.Background(), "sourdough", offline.SearchOptions{Level: offline.Paranoid, K: 1})
	if err != nil || len(found.Hits) != 1 || found.Hits[0].Filename != "notes.md" || found.Hits[0].Parts.RecencyBoost != 0 || found.Explain.Lambda != 0 {
		t.Errorf("got %+v, %v", found, err)
	}
}

func TestSearch_Ties(t *testing.T) {
	f := new(fake)
	for _, c := range []struct {
		n       byte
		keyword float64
	}{{3, 1}, {1, 1}, {2, 5}} {
		f.add(c.n, .5, c.keyword, nil, f.turns[id(0)])
	}
	r, _ := retriever(f, nil)
	found, err := r.Search(context.Background(), "x1", offline.SearchOptions{})
	if err != nil || found.Hits[0].ChunkID != id(2) || found.Hits[1].ChunkID != id(1) || found.Hits[2].ChunkID != id(3) {
		t.Errorf("got %+v, %v", found, err)
	}
}

// Each fault leads to its reason, returns nothing else, and is recorded.
func TestSearch_EveryRevert(t *testing.T) {
	coded := func(code errs.Code) error { return &errs.Error{Code: code, Op: "fault", Message: "a fault"} }
	broken := filepath.Join(t.TempDir(), "keywords.yaml")
	if err := os.WriteFile(broken, []byte("car: {a: b}"), 0o600); err != nil {
		t.Fatal(err)
	}
	failing := func(err error) func(*fake, *offline.Options) {
		return func(f *fake, _ *offline.Options) { f.fail = err }
	}
	for name, c := range map[string]struct {
		level  offline.Level
		fault  func(*fake, *offline.Options)
		reason offline.Reason
		code   errs.Code
	}{
		"a locked archive": {offline.Standard, func(_ *fake, o *offline.Options) {
			o.Archive = func(context.Context) (offline.Searcher, error) { return nil, coded(errs.Locked) }
		}, offline.Locked, errs.Locked},
		"a locked vault": {offline.Standard, func(_ *fake, o *offline.Options) {
			o.Archive = func(context.Context) (offline.Searcher, error) {
				return nil, &errs.Error{Code: errs.Locked, Message: "the archive is locked"}
			}
		}, offline.Locked, errs.Locked},
		"a vault that was changed": {offline.Standard, func(_ *fake, o *offline.Options) {
			o.Archive = func(context.Context) (offline.Searcher, error) {
				return nil, &errs.Error{
					Code: errs.Invalid, Message: "lens.vault asks for more memory than Lens allows", Err: vault.ErrUnusable,
				}
			}
		}, offline.ANNUnavailable, errs.Unavailable},
		"a block that fails": {offline.Standard, func(_ *fake, o *offline.Options) {
			o.Verify = func() (sandbox.Evidence, error) {
				return sandbox.Evidence{Mechanism: sandbox.Seccomp, Probes: 1}, &errs.Error{
					Code: errs.Blocked, Message: "a socket is not refused", Err: sandbox.ErrFailed,
				}
			}
		}, offline.NetworkBlockFailed, errs.Blocked},
		"a process that never entered":   {offline.Standard, func(_ *fake, o *offline.Options) { o.Verify = nil }, offline.NetworkBlockUnsupported, errs.Blocked},
		"a guard where a block is asked": {offline.Strict, func(_ *fake, o *offline.Options) { o.Verify = guarded }, offline.NetworkBlockUnsupported, errs.Blocked},
		"a guard, paranoid":              {offline.Paranoid, func(_ *fake, o *offline.Options) { o.Verify, o.SingleQuery = guarded, true }, offline.NetworkBlockUnsupported, errs.Blocked},
		"paranoid in an old process":     {offline.Paranoid, func(*fake, *offline.Options) {}, offline.NetworkBlockFailed, errs.Blocked},
		"no vectors":                     {offline.Standard, failing(coded(errs.Unavailable)), offline.ANNUnavailable, errs.Unavailable},
		"a damaged index":                {offline.Standard, failing(errDown), offline.ANNUnavailable, errs.Unavailable},
		"another dim":                    {offline.Standard, failing(coded(errs.DimensionMismatch)), offline.DimensionMismatch, errs.DimensionMismatch},
		"broken keywords":                {offline.Standard, func(_ *fake, o *offline.Options) { o.Keywords = inFile(broken) }, offline.InvalidConfig, errs.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			f := bread()
			r, l := retriever(f, func(o *offline.Options) { c.fault(f, o) })
			found, err := r.Search(context.Background(), "sourdough", offline.SearchOptions{Level: c.level})
			checkRevert(t, err, c.reason, c.code)
			if found != nil {
				t.Errorf("returned %+v after a revert", found)
			}
			if len(l.lines) != 1 || l.lines[0].Act != audit.Revert || l.lines[0].Reason != string(c.reason) || l.lines[0].Hits != 0 {
				t.Errorf("recorded %+v", l.lines)
			}
		})
	}
}

func checkRevert(t *testing.T, err error, reason offline.Reason, code errs.Code) {
	t.Helper()
	var revert *offline.Revert
	if !errors.As(err, &revert) || revert.Reason != reason || errs.CodeOf(err) != code {
		t.Fatalf("got %v (%s), want revert:%s (%s)", err, errs.CodeOf(err), reason, code)
	}
	if f := errs.Describe(revert)[0]; f.Message == "" || f.Hint == "" || strings.Contains(f.Message, "sourdough") {
		t.Errorf("described as %+v", f)
	}
}

// Where nothing can be searched by meaning, the next step is named, and what works already.
func TestSearch_HintWithoutVectors(t *testing.T) {
	for _, cause := range []error{retrieval.ErrNoModel, retrieval.ErrNotEmbedded, retrieval.ErrOtherModel, errDown} {
		f := bread()
		f.fail = &errs.Error{Code: errs.Unavailable, Op: "retrieval: peek", Message: "it cannot be searched", Err: cause}
		if cause != errDown {
			f.fail.(*errs.Error).Hint = "run lens embed"
		}
		r, l := retriever(f, nil)
		_, searched := r.Search(context.Background(), "sourdough", offline.SearchOptions{})
		checkRevert(t, searched, offline.ANNUnavailable, errs.Unavailable)
		if hint := errs.First(searched).Hint; !strings.Contains(hint, "lens embed") || !strings.Contains(hint, "lens peek") {
			t.Errorf("%v: hint %q", cause, hint)
		}
		if len(l.lines) != 1 || l.lines[0].Reason != "ann_unavailable" {
			t.Errorf("%v: recorded %+v", cause, l.lines)
		}
	}
}

func TestSearch_AuditUnavailable(t *testing.T) {
	r, l := retriever(bread(), nil)
	l.fail = &errs.Error{Code: errs.Unavailable, Message: "the audit log cannot be written"}
	found, err := r.Search(context.Background(), "sourdough", offline.SearchOptions{})
	checkRevert(t, err, offline.AuditUnavailable, errs.Unavailable)
	answer, err := r.Answer(context.Background(), []offline.Hit{{ChunkID: id(1)}}, "sourdough", offline.AnswerOptions{})
	checkRevert(t, err, offline.AuditUnavailable, errs.Unavailable)
	if found != nil || answer != nil {
		t.Errorf("returned %v and %v after a revert", found, answer)
	}
}

func TestSearch_InvalidRequestIsNoRevert(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	f := bread()
	r, l := retriever(f, nil)
	for name, ask := range map[string]func() error{
		"too many hits": func() error {
			_, err := r.Search(context.Background(), "x1", offline.SearchOptions{K: 101})
			return err
		},
		"none": func() error { _, err := r.Search(context.Background(), "x1", offline.SearchOptions{K: -1}); return err },
		"no such level": func() error {
			_, err := r.Search(context.Background(), "x1", offline.SearchOptions{Level: "lax"})
			return err
		},
		"given up": func() error {
			f.fail = context.Canceled
			_, err := r.Search(over, "x1", offline.SearchOptions{})
			return err
		},
		"words for a qid": func() error {
			_, err := r.Answer(context.Background(), nil, "x1", offline.AnswerOptions{QID: "notice of leave"})
			return err
		},
		"no prompt": func() error { _, err := r.Answer(context.Background(), nil, " ", offline.AnswerOptions{}); return err },
		"no such chunk": func() error {
			_, err := r.Answer(context.Background(), []offline.Hit{{ChunkID: id(99)}}, "x1", offline.AnswerOptions{})
			return err
		},
	} {
		if err := ask(); err == nil || errors.As(err, new(*offline.Revert)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(l.lines) != 0 {
		t.Errorf("recorded %+v", l.lines)
	}
}

// Hits that no search of this archive has found are not answered from.
func TestAnswer_WithoutVectors(t *testing.T) {
	f := bread()
	r, l := retriever(f, nil)
	f.fail = &errs.Error{Code: errs.Unavailable, Op: "test", Err: retrieval.ErrNotEmbedded}
	a, err := r.Answer(context.Background(), []offline.Hit{{ChunkID: id(1)}}, "sourdough?", offline.AnswerOptions{})
	checkRevert(t, err, offline.ANNUnavailable, errs.Unavailable)
	if a != nil || len(l.lines) != 1 || l.lines[0].Act != audit.Revert {
		t.Errorf("answered %+v, recorded %+v", a, l.lines)
	}
}
