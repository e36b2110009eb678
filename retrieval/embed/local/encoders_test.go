package local

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lens/internal/simd"
	"lens/internal/testenv"
)

// reference is what testdata/encoders/make.py computed with other programs.
type reference struct {
	Texts []struct {
		Text     string    `json:"text"`
		TokenIDs []int32   `json:"token_ids"`
		Vector   []float32 `json:"vector"` // empty where the text is longer than the model reads
	} `json:"texts"`
}

func readReference(t *testing.T, folder string) (r reference) {
	t.Helper()
	readJSON(t, filepath.Join(folder, "golden.json"), &r)
	if len(r.Texts) < 50 {
		t.Fatalf("%d texts", len(r.Texts))
	}
	return r
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	testenv.Must(t, err)
	testenv.Must(t, json.Unmarshal(data, into))
}

// compare compares tokens and vectors of the model in folder with the reference.
func compare(t *testing.T, folder string, spec Spec, within float64) {
	t.Helper()
	m, err := Open(folder, spec)
	testenv.Must(t, err)
	defer m.Close()
	around := m.tokens.(*pipeline)
	worst, vectors := 0.0, 0
	for _, row := range readReference(t, folder).Texts {
		ids := m.tokens.encode(nil, row.Text)
		if with := slices.Concat([]int32{around.first}, ids, []int32{around.last}); !slices.Equal(with, row.TokenIDs) {
			t.Errorf("%.60q: tokens\n%v, want\n%v", row.Text, with, row.TokenIDs)
			continue
		}
		if len(row.Vector) > 0 {
			vectors++
			found, err := m.Embed(t.Context(), []string{row.Text})
			testenv.Must(t, err)
			if d := distance(found[0].Values, row.Vector); d > within {
				t.Errorf("%.60q: the vector differs by %g", row.Text, d)
			} else {
				worst = max(worst, d)
			}
		}
	}
	t.Logf("%s: %d vectors, largest difference of a component %.2g", simd.Level(), vectors, worst)
}

func TestEmbed_TinyEncoders(t *testing.T) {
	t.Run("bert", func(t *testing.T) {
		compare(t, "testdata/encoders/bert", Spec{Name: "bert", Pooling: FirstToken, MaxTokens: 96}, 5e-6)
	})
	t.Run("xlm-roberta", func(t *testing.T) {
		compare(t, "testdata/encoders/xlm-roberta", Spec{Name: "xlm-roberta", Pooling: MeanToken, MaxTokens: 96}, 5e-6)
	})
}

func TestTokenizer_Variants(t *testing.T) {
	const folder = "testdata/encoders/xlm-roberta"
	texts := readReference(t, folder).Texts
	var all struct {
		Variants []struct {
			Name     string                     `json:"name"`
			Change   map[string]json.RawMessage `json:"change"`
			TokenIDs [][]int32                  `json:"token_ids"`
		} `json:"variants"`
	}
	readJSON(t, filepath.Join(folder, "variants.json"), &all)
	for _, v := range all.Variants {
		t.Run(v.Name, func(t *testing.T) {
			var file map[string]json.RawMessage
			readJSON(t, filepath.Join(folder, "tokenizer.json"), &file)
			for member, value := range v.Change {
				file[member] = merged(t, file[member], value)
			}
			data, err := json.Marshal(file)
			testenv.Must(t, err)
			p, err := readTokenizer(data)
			testenv.Must(t, err)
			for i, row := range texts {
				ids := slices.Concat([]int32{p.first}, p.encode(nil, row.Text), []int32{p.last})
				if !slices.Equal(ids, v.TokenIDs[i]) {
					t.Errorf("%.60q: tokens\n%v, want\n%v", row.Text, ids, v.TokenIDs[i])
				}
			}
		})
	}
}

// merged returns an object with the members of another; a value of another kind replaces it.
func merged(t *testing.T, value, with json.RawMessage) json.RawMessage {
	var before, change map[string]json.RawMessage
	if json.Unmarshal(value, &before) != nil || json.Unmarshal(with, &change) != nil || change["type"] != nil {
		return with
	}
	for member, v := range change {
		before[member] = v
	}
	data, err := json.Marshal(before)
	testenv.Must(t, err)
	return data
}

// What a tokenizer.json asks for and Lens does not do is refused by name.
func TestReadTokenizer_Refused(t *testing.T) {
	for _, c := range []struct{ member, value, says string }{
		{"model", `{"type":"BPE","vocab":{},"merges":[]}`, `model "BPE" is not supported, only WordPiece and Unigram`},
		{"model", `{"type":"Unigram","vocab":[["a",0]]}`, "no unknown piece"},
		{"model", `{"type":"Unigram","vocab":[["a",0]],"unk_id":1}`, "no unknown piece"},
		{"normalizer", `{"type":"Lowercase"}`, `normalizer "Lowercase" is not supported`},
		{"normalizer", `{"type":"Sequence","normalizers":[{"type":"Nmt"}]}`, `normalizer "Nmt" is not supported`},
		{"normalizer", `{"type":"Replace","pattern":{"Regex":"\\s+"},"content":" "}`, `normalizer Replace of "\\s+" is not supported`},
		{"normalizer", `{"type":"Precompiled","precompiled_charsmap":null}`, "precompiled_charsmap: too short"},
		{"normalizer", `{"type":"Precompiled","precompiled_charsmap":"CAAAAAAAAAA="}`, "precompiled_charsmap: the trie does not fit"},
		{"normalizer", `{"type":"Precompiled","precompiled_charsmap":"?"}`, "base64"},
		{"pre_tokenizer", `{"type":"ByteLevel"}`, `pre-tokenizer "ByteLevel" is not supported`},
		{"pre_tokenizer", `{"type":"Sequence","pretokenizers":[{"type":"Digits"}]}`, `pre-tokenizer "Digits" is not supported`},
		{"pre_tokenizer", `{"type":"Metaspace","replacement":"▁","prepend_scheme":"first"}`, `Metaspace that prepends "first" is not supported`},
		{"post_processor", `null`, "no post_processor"},
		{"post_processor", `{"type":"ByteLevel"}`, `post-processor "ByteLevel" is not supported`},
		{"post_processor", `{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A"}}]}`, "not one token before and one after"},
		{"added_tokens", `[{"id":1,"content":"a","single_word":true}]`, "single_word"},
		{"added_tokens", `[{"id":-1,"content":"a"}]`, "has the id -1"},
	} {
		t.Run(c.value, func(t *testing.T) {
			var file map[string]json.RawMessage
			readJSON(t, "testdata/encoders/xlm-roberta/tokenizer.json", &file)
			file[c.member] = json.RawMessage(c.value)
			data, err := json.Marshal(file)
			testenv.Must(t, err)
			if _, err := readTokenizer(data); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}

// multilingual-e5-small has the vocabulary of XLM-RoBERTa, 250,002 pieces, behind the full map of characters.
func TestEmbed_MultilingualE5Reference(t *testing.T) {
	models := os.Getenv("LENS_TEST_MODELS")
	folder := filepath.Join(models, "multilingual-e5-small")
	if !exists(folder, "golden.json") {
		t.Skip("SKIPPED: LENS_TEST_MODELS names no folder with multilingual-e5-small and the golden.json that" +
			" testdata/encoders/make.py makes of it")
	}
	compare(t, folder, Spec{Name: "multilingual-e5-small", Pooling: MeanToken}, 5e-6)
}
