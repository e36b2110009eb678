package local

import (
	"bytes"
	"testing"
)

func FuzzSafetensorsHeader(f *testing.F) {
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Add([]byte("\x3b\x00\x00\x00\x00\x00\x00\x00" + `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}     ` + "\x00\x00\x80?"))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, start, err := readHeader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		for name, e := range entries {
			if start+e.Offsets[1] > int64(len(data)) || e.Offsets[0] > e.Offsets[1] {
				t.Fatalf("tensor %q: %v is outside %d bytes", name, e.Offsets, len(data))
			}
		}
	})
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"weightsManifest":[{"paths":["a","b"],"weights":[{"name":"w","shape":[2,3],"dtype":"float32"}]}]}`))
	f.Add([]byte(`{"weightsManifest":[{"paths":["../a"],"weights":[{"name":"w","shape":[-1],"dtype":"float32"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		paths, entries, total, err := readManifest(data)
		if err != nil {
			return
		}
		for _, p := range paths {
			if p == "" || p == ".." || bytes.ContainsAny([]byte(p), `/\`) {
				t.Fatalf("shard %q leaves its folder", p)
			}
		}
		for name, e := range entries {
			if e.offset < 0 || e.offset > total {
				t.Fatalf("weight %q at %d of %d", name, e.offset, total)
			}
		}
	})
}

func FuzzUseUnigram(f *testing.F) {
	u, err := readUseUnigram([]byte(`[["?",0],["<s>",0],["</s>",0],["x1",0],["x2",0],["x3",0],["▁the",-3],["▁",-4],["h",-5],["th",-4.5],["e",-2],[":",null],["日本",-7],["▁:)",null]]`))
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"the", " : :)", "日本日", "\xff\xfe", "é\u0301", "a\u00a0b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ids := u.encode(nil, text)
		for i, id := range ids {
			if id != 0 && (id < firstPiece || id > 13) {
				t.Fatalf("id %d of %d", id, i)
			}
			if i > 0 && id == 0 && ids[i-1] == 0 {
				t.Fatal("two unknown ids in a row")
			}
		}
	})
}

func FuzzWordPiece(f *testing.F) {
	w, err := readWordPiece([]byte(`{"added_tokens":[{"id":1,"content":"[CLS]","special":true}],"normalizer":{"type":"BertNormalizer"},
		"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"a":3,"##b":4,"日":5,"!":6}}}`))
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"ab abb!", "[CLS] a", "日本", "\xff", "Á\u0301b", "\x00a\tb"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, id := range w.encode(nil, text) {
			if id < 0 || id > w.top {
				t.Fatalf("id %d", id)
			}
		}
	})
}

func FuzzReadTokenizers(f *testing.F) {
	f.Add([]byte(`[["a",null],["b"],["c","d"]]`))
	f.Add([]byte(`{"normalizer":{"type":"BertNormalizer"},"model":{"vocab":{"[UNK]":-1}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if u, err := readUseUnigram(data); err == nil {
			u.encode(nil, "some text")
		}
		if w, err := readWordPiece(data); err == nil {
			w.encode(nil, "some text")
		}
	})
}
