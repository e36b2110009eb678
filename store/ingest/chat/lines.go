package chat

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// maxLineBytes bounds a line of JSON Lines, in bytes. Programs write pictures and whole files into one line.
const maxLineBytes = 64 << 20

// Lines yields the JSON objects of a JSON Lines file in order. Each is valid until the next one is asked for. For any
// other line it yields a *Skip with the reason and the number of the line, and continues: a program that is
// still writing leaves the last line unfinished. Any other error is a *errs.Error with Op op, and the last value.
//
// It keeps one line in memory, and of a line over 64 MiB nothing.
func Lines(op string, r io.Reader) iter.Seq2[[]byte, error] { return lines(op, r, maxLineBytes) }

func lines(op string, r io.Reader, limit int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(withoutBOM(r), 64<<10)
		var line []byte
		for n := 0; ; n++ {
			var length int
			var err error
			line, length, err = nextLine(in, line[:0], limit)
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, ReadFailed(op, err))
				return
			}
			record := bytes.TrimSpace(line)
			reason := ""
			switch {
			case length > limit:
				reason = "line over 64 MiB"
			case len(record) == 0:
			case !jsontext.Value(record).IsValid(lenient...):
				if reason = "damaged line"; err != nil {
					reason = "unfinished line"
				}
			case record[0] != '{':
				reason = "line without an object"
			}
			if reason != "" && !yield(nil, &Skip{Index: n, Reason: reason}) ||
				reason == "" && len(record) > 0 && !yield(record, nil) || err != nil {
				return
			}
		}
	}
}

// nextLine appends the next line to buf, of one that is longer than limit only the beginning, and returns its length.
func nextLine(in *bufio.Reader, buf []byte, limit int) (line []byte, length int, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if length += len(part); length <= limit {
			buf = append(buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, length, err
		}
	}
}
