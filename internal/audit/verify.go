package audit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
)

// Report is the result of Verify.
type Report struct {
	Lines    uint64 `json:"lines"` // intact lines, from the first on
	Reverts  uint64 `json:"reverts"`
	Last     string `json:"last,omitempty"` // time of the last intact line
	Torn     bool   `json:"torn"`           // an incomplete line follows, which never counted
	Fault    string `json:"fault,omitempty"`
	FaultyAt uint64 `json:"fault_at,omitempty"` // line number
}

// Intact reports whether the chain is whole.
func (r Report) Intact() bool { return r.Fault == "" }

// Verify checks the whole log. The Report names a fault in it; an *errs.Error says why the log could not be checked.
func (l *Log) Verify() (Report, error) {
	file, err := os.Open(l.path)
	fresh := errors.Is(err, fs.ErrNotExist)
	if err != nil && !fresh {
		return Report{}, unavailable("cannot read the audit log", "check the permissions of "+l.path, err)
	}
	var text io.Reader = bytes.NewReader(nil)
	if !fresh {
		defer file.Close()
		text = file
	}
	kept, err := l.keeper.Heads()
	switch {
	case fresh && err == nil && len(kept) == 0:
		return Report{}, nil // nothing was ever recorded
	case fresh && err == nil:
		return Report{Fault: "the log is missing"}, nil
	}
	key, keyErr := l.keeper.Key(false)
	if err := errors.Join(err, keyErr); err != nil {
		return Report{}, unavailable(
			"cannot check the audit log without its key and head",
			"restore them from a backup; they are stored next to the log", err,
		)
	}
	return check(text, key, kept)
}

// check verifies a chain against the stored heads.
func check(text io.Reader, key []byte, kept [][]byte) (Report, error) {
	c := chain{key: key}
	for _, sealed := range kept {
		h, ok := openHead(key, sealed)
		if !ok {
			return Report{Fault: "the head was changed"}, nil
		}
		c.kept = append(c.kept, h)
	}
	lines := bufio.NewReaderSize(text, maxLine)
	for {
		raw, err := lines.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF):
			c.Torn = len(raw) > 0
			return c.finish(), nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return c.Report, unavailable("cannot read the audit log", "check its disk", err)
		}
		if fault := c.next(bytes.TrimSuffix(raw, []byte("\n"))); fault != "" {
			c.Fault, c.FaultyAt = fault, c.Lines+1
			return c.Report, nil
		}
	}
}

// chain is the state of a check.
type chain struct {
	Report
	key  []byte
	last head
	kept []head
}

// next checks the next line and returns what is wrong with it, "" if nothing is.
func (c *chain) next(raw []byte) (fault string) {
	l, ok := parseLine(raw)
	switch {
	case !ok:
		return "not an audit log line"
	case !l.isSealed(c.key):
		return "it was changed"
	case l.Seq != c.last.Seq+1 || l.Prev != c.last.MAC:
		return fmt.Sprintf("it does not follow the previous line: lines were removed or inserted before number %d", l.Seq)
	case slices.ContainsFunc(c.kept, func(h head) bool { return l.Seq == h.Seq && l.MAC != h.MAC }):
		return "it differs from the stored head"
	}
	c.last, c.Last = head{l.Seq, l.MAC}, l.TS
	c.Lines++
	if l.Act == Revert {
		c.Reverts++
	}
	return ""
}

func (c *chain) finish() Report {
	for _, h := range c.kept {
		if c.last.Seq < h.Seq && c.Fault == "" {
			c.Fault = fmt.Sprintf("the end is missing: at least %d lines were written", h.Seq)
			c.FaultyAt = c.Lines + 1
		}
	}
	return c.Report
}
