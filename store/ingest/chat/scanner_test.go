package chat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzScanner checks that a scanner accepts the same arrays as jsontext, and sees as well that one goes on.
func FuzzScanner(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,"x\n\u00e9\ud83e\udd86",{"b":null}],"c":-1.5e+9}]`, `[],{},true,false,"\\\"","\/"]`, `"long enough for eight",0]`,
		"\"a\tb\"]", `"\x"]`, `"\u00g0"]`, `01]`, `1.]`, `1e]`, `-]`, `tru]`, `{"a" 1}]`, `{a:1}]`, `{"a":1,}]`, `1,]`, `{"a":1]`, "\xff\"\xc3",
	} {
		f.Add([]byte(s))
		f.Add([]byte(s[:len(s)/2]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = append([]byte{'['}, data...)
		dec := jsontext.NewDecoder(bytes.NewReader(data), lenient...)
		_, want := dec.ReadValue()
		var s scanner
		end, ok := s.scan(data, 0)
		goesOn := !ok && end == len(data)
		switch {
		case len(s.open) == maxDepth:
		case ok != (want == nil), goesOn != errors.Is(want, io.ErrUnexpectedEOF):
			t.Fatalf("%q: %v, goes on %v, want %v", data, ok, goesOn, want)
		case ok && end != int(dec.InputOffset()):
			t.Fatalf("%q: %d bytes, want %d", data, end, dec.InputOffset())
		}
	})
}

func TestScanner_ValuesAcrossBlocks(t *testing.T) {
	var want []string
	for i := range 40 {
		want = append(want, `{"n":"`+strings.Repeat("x", i*i*i*40)+`\n"}`)
	}
	file := strings.Join(want, ",\n ")
	for _, r := range []io.Reader{strings.NewReader(file), iotest.HalfReader(strings.NewReader(file))} {
		s := scanner{src: r, limit: 4 << 20}
		ahead := 0
		for i := range want {
			value, err := s.value(ahead)
			if err != nil || string(value) != want[i] {
				t.Fatalf("value %d: %d bytes and %v, want %d", i, len(value), err, len(want[i]))
			}
			ahead = 3
		}
		if s.offset() != int64(len(file)) {
			t.Errorf("ends at %d, want %d", s.offset(), len(file))
		}
	}
}

// A value stays what it was while others are read.
func TestScanner_ValuesStay(t *testing.T) {
	one := `{"n":"` + strings.Repeat("x", 1000) + `"}`
	s := scanner{src: strings.NewReader(strings.Repeat(one, 1000)), limit: 1 << 20}
	first, err := s.value(0)
	for err == nil {
		_, err = s.value(0)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) || string(first) != one || cap(first) != len(first) {
		t.Errorf("%v, %.20q of %d bytes", err, first, cap(first))
	}
}

// An error of the file stays what it is, whatever it wraps.
func TestScanner_ReadError(t *testing.T) {
	cut := fmt.Errorf("breaks off: %w", io.ErrUnexpectedEOF)
	s := scanner{src: io.MultiReader(strings.NewReader(`{"a":`), iotest.ErrReader(cut)), limit: 1 << 20}
	if _, err := s.value(0); !errors.Is(err, cut) {
		t.Errorf("got %v, want %v", err, cut)
	}
}
