package audit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Report is what Verify found in a log.
type Report struct {
	Lines    uint64 `json:"lines"` // that are intact, from the first on
	Reverts  uint64 `json:"reverts"`
	Last     string `json:"last,omitempty"` // time of the last of them
	Torn     bool   `json:"torn"`           // a crash left a piece of a line behind them, which never counted
	Fault    string `json:"fault,omitempty"`
	FaultyAt uint64 `json:"fault_at,omitempty"` // line number
}

// Intact reports whether the chain is whole.
func (r Report) Intact() bool { return r.Fault == "" }

// Verify reads the whole log. A fault in it is no error: errors are *Error, for what keeps it from being checked.
func (l *Log) Verify() (Report, error) {
	file, err := os.Open(l.path)
	fresh := isAbsent(err)
	if err != nil && !fresh {
		return Report{}, &Error{Message: "the audit log cannot be read", Hint: "look at the permissions of " + l.path, Err: err}
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
		return Report{Fault: "the record is gone"}, nil
	}
	key, keyErr := l.keeper.Key(false)
	if err := errors.Join(err, keyErr); err != nil {
		return Report{}, &Error{Message: "the audit log cannot be checked without its key and head", Hint: "put them back from a backup: they lie beside it", Err: err}
	}
	return check(text, key, kept)
}

// check follows a chain. kept are the sealed heads.
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
			return c.Report, &Error{Message: "the audit log cannot be read", Hint: "see whether its disk is sound", Err: err}
		}
		if fault := c.next(bytes.TrimSuffix(raw, []byte("\n"))); fault != "" {
			c.Fault, c.FaultyAt = fault, c.Lines+1
			return c.Report, nil
		}
	}
}

// chain is how far a log has been followed.
type chain struct {
	Report
	key  []byte
	last head
	kept []head
}

// next takes the next line and says what is wrong with it.
func (c *chain) next(raw []byte) (fault string) {
	l, ok := parseLine(raw)
	switch {
	case !ok:
		return "it is no line of an audit log"
	case !l.isSealed(c.key):
		return "it was changed"
	case l.Seq != c.last.Seq+1 || l.Prev != c.last.MAC:
		return fmt.Sprintf("it does not follow the line before: something was taken out or put in before number %d", l.Seq)
	case slices.ContainsFunc(c.kept, func(h head) bool { return l.Seq == h.Seq && l.MAC != h.MAC }):
		return "it is not the line that was kept as the last"
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
			c.Fault, c.FaultyAt = fmt.Sprintf("the end is missing: %d lines were written, or more", h.Seq), c.Lines+1
		}
	}
	return c.Report
}
