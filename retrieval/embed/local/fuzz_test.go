package local

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"lens/internal/testenv"
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

// fuzzedTokenizers are small tokenizers of both kinds.
var fuzzedTokenizers = []string{
	`{"added_tokens":[{"id":1,"content":"[CLS]"}],"normalizer":{"type":"BertNormalizer"},"pre_tokenizer":{"type":"BertPreTokenizer"},
		"post_processor":{"type":"BertProcessing","cls":["[CLS]",1],"sep":["[SEP]",2]},
		"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"a":3,"##b":4,"日":5,"!":6}}}`,
	`{"added_tokens":[{"id":7,"content":"<mask>","lstrip":true,"rstrip":true},{"id":8,"content":"Ａ","normalized":true}],
		"normalizer":{"type":"Sequence","normalizers":[{"type":"NFKC"},{"type":"Strip"},{"type":"Replace","pattern":{"Regex":" {2,}"},"content":"▁"}]},
		"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Metaspace","replacement":"▁"}]},
		"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"a"}},{"Sequence":{"id":"A"}},{"SpecialToken":{"id":"a"}}],"special_tokens":{"a":{"ids":[2]}}},
		"model":{"type":"Unigram","unk_id":0,"byte_fallback":true,"vocab":[["<unk>",0],["▁",-1],["a",-2.5],["▁ab",-3],["b",-9],["日本",-4],["<0x00>",-5]]}}`,
}

func FuzzTokenizer(f *testing.F) {
	var all []*pipeline
	for _, data := range fuzzedTokenizers {
		p, err := readTokenizer([]byte(data))
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, p)
	}
	for _, text := range []string{"ab abb!", "[CLS] a", "日本", "\xff", "Á\u0301b", "\x00a\tb", "a <mask> A▁▁b", "x\x00y"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i, p := range all {
			for _, id := range p.encode(nil, text) {
				if id < 0 || id > p.top {
					t.Fatalf("tokenizer %d: id %d", i, id)
				}
			}
		}
	})
}

func FuzzReadTokenizers(f *testing.F) {
	f.Add([]byte(`[["a",null],["b"],["c","d"]]`))
	f.Add([]byte(`{"normalizer":{"type":"BertNormalizer"},"model":{"vocab":{"[UNK]":-1}}}`))
	for _, data := range fuzzedTokenizers {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if u, err := readUseUnigram(data); err == nil {
			u.encode(nil, "some text")
		}
		if p, err := readTokenizer(data); err == nil {
			for _, id := range p.encode(nil, "some <text> ▁ é\u0301 日本") {
				if id < 0 || id > p.top {
					t.Fatalf("id %d", id)
				}
			}
		}
	})
}

func FuzzCharsmap(f *testing.F) {
	data, err := os.ReadFile("testdata/encoders/xlm-roberta/tokenizer.json")
	testenv.Must(f, err)
	var file tokenizerFile
	testenv.Must(f, json.Unmarshal(data, &file))
	f.Add(file.Normalizer.Charsmap, "e\u0301 ﬁ １２\t한")
	f.Add([]byte("\x04\x00\x00\x00\x00\x01\x00\x00abc"), "a\x00b")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		if m, err := readCharsmap(data); err == nil {
			if text = strings.ToValidUTF8(text, "?"); !utf8.ValidString(m.normalize(text)) {
				t.Fatalf("%q becomes %q", text, m.normalize(text))
			}
		}
	})
}

func FuzzReadSpec(f *testing.F) {
	f.Add([]byte(`[{"type":"m.Transformer","path":""},{"type":"m.Pooling","path":"1_Pooling"},{"type":"m.Normalize","path":"2"}]`))
	f.Add([]byte(`{"pooling_mode_cls_token":true,"pooling_mode":"mean","max_seq_length":12,"similarity_fn_name":"dot"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := readModules(data); err == nil && !filepath.IsLocal(m.pooling) {
			t.Fatalf("the folder %q", m.pooling)
		}
		if p, err := readPooling(data); err == nil && p > MeanToken {
			t.Fatalf("pooling %d", p)
		}
		if n, err := readLimit(data); err == nil && n < 0 {
			t.Fatalf("limit %d", n)
		}
		_, _ = modules{}.readSimilarity(data)
	})
}
