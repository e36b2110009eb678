package models

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/retrieval/embed/local"
)

// tinyEncoder copies one of the tiny models that testdata/encoders of package local has.
func tinyEncoder(t *testing.T, kind string) (folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), kind)
	testenv.Must(t, os.CopyFS(folder, os.DirFS(filepath.Join("..", "local", "testdata", "encoders", kind))))
	return folder
}

func TestImportUnverified_TinyEncoders(t *testing.T) {
	for kind, want := range map[string]local.Spec{
		"bert":        {Name: "bert", Pooling: local.FirstToken, MaxTokens: 96},
		"xlm-roberta": {Name: "xlm-roberta", Pooling: local.MeanToken, MaxTokens: 96},
	} {
		t.Run(kind, func(t *testing.T) {
			f, from, last := Folder(filepath.Join(t.TempDir(), "models")), tinyEncoder(t, kind), int64(0)
			m, err := f.ImportUnverified(t.Context(), from, "", func(done, total int64) { last = total - done })
			testenv.Must(t, err)
			if m.Spec != want || m.Dim != 24 || !m.Unverified || len(m.Revision()) != 12 || last != 0 {
				t.Fatalf("%+v; %d bytes are left", m, last)
			}
			onlyThe(t, f, kind)
			if all := f.All(); all[len(all)-1].Name != kind || !f.Has(all[len(all)-1]) {
				t.Fatalf("the last of %d models is %+v", len(all), all[len(all)-1])
			}
			if first, ok := f.FirstInstalled(); !ok || first.Name != kind {
				t.Fatalf("the first installed is %v", first)
			}
			testenv.Must(t, f.Verify(t.Context(), m))
			opened, err := f.Open(kind)
			testenv.Must(t, err)
			defer opened.Close()
			compareVectors(t, opened, from)
		})
	}
}

// compareVectors compares a model's vectors with those of other programs in its folder.
func compareVectors(t *testing.T, m *local.Model, folder string) {
	t.Helper()
	var reference struct {
		Texts []struct {
			Text   string    `json:"text"`
			Vector []float32 `json:"vector"`
		} `json:"texts"`
	}
	data, err := os.ReadFile(filepath.Join(folder, "golden.json"))
	testenv.Must(t, err)
	testenv.Must(t, json.Unmarshal(data, &reference))
	compared := 0
	for _, row := range reference.Texts {
		if len(row.Vector) == 0 {
			continue
		}
		compared++
		found, err := m.Embed(t.Context(), []string{row.Text})
		testenv.Must(t, err)
		for i, x := range found[0].Values {
			if math.Abs(float64(x-row.Vector[i])) > 5e-6 {
				t.Fatalf("%.40q: component %d is %v, want %v", row.Text, i, x, row.Vector[i])
			}
		}
	}
	if compared < 50 {
		t.Fatalf("%d vectors compared", compared)
	}
}

func TestImportUnverified_Refused(t *testing.T) {
	remove := func(name string) func(t *testing.T, folder string) {
		return func(t *testing.T, folder string) { testenv.Must(t, os.Remove(filepath.Join(folder, name))) }
	}
	put := func(name, text string) func(t *testing.T, folder string) {
		return func(t *testing.T, folder string) { write(t, filepath.Join(folder, name), []byte(text)) }
	}
	set := func(name, member string, value any) func(t *testing.T, folder string) {
		return func(t *testing.T, folder string) {
			var file map[string]any
			data, err := os.ReadFile(filepath.Join(folder, name))
			testenv.Must(t, err)
			testenv.Must(t, json.Unmarshal(data, &file))
			file[member] = value
			data, err = json.Marshal(file)
			testenv.Must(t, err)
			write(t, filepath.Join(folder, name), data)
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, folder string)
		says  string
	}{
		{"no config", remove("config.json"), "config.json is missing"},
		{"no weights", remove("model.safetensors"), "model.safetensors is missing"},
		{"no tokenizer", remove("tokenizer.json"), "tokenizer.json is missing"},
		{"no modules", remove("modules.json"), "modules.json is missing"},
		{"no pooling", remove("1_Pooling/config.json"), "1_Pooling/config.json is missing"},
		{"damaged modules", put("modules.json", "{"), "modules.json: unexpected end"},
		{"another module", put("modules.json", `[{"type":"m.Transformer"},{"type":"m.Pooling"},{"type":"m.Dense"}]`), `modules.json: the modules "Transformer, Pooling, Dense" are not supported`},
		{"a transformer elsewhere", put("modules.json", `[{"type":"m.Transformer","path":"0_T"},{"type":"m.Pooling","path":"1"}]`), `in the folder "0_T"`},
		{"a pooling elsewhere", put("modules.json", `[{"type":"m.Transformer","path":""},{"type":"m.Pooling","path":"../.."}]`), `"../.." of the pooling is not in the model's`},
		{"another pooling", put("1_Pooling/config.json", `{"pooling_mode_max_tokens":true}`), `1_Pooling/config.json: the pooling "max_tokens" is not supported`},
		{"two poolings", put("1_Pooling/config.json", `{"pooling_mode_mean_tokens":true,"pooling_mode":"cls"}`), `the pooling "mean_tokens, cls" is not supported`},
		{"a pooling without the prefix", put("1_Pooling/config.json", `{"pooling_mode":"mean","include_prompt":false}`), "include_prompt"},
		{"lower case", put("sentence_bert_config.json", `{"do_lower_case":true}`), "do_lower_case is not supported"},
		{"a short window", put("sentence_bert_config.json", `{"max_seq_length":2}`), "a window of 2 tokens has no place for a text"},
		{"another similarity", put("config_sentence_transformers.json", `{"similarity_fn_name":"euclidean"}`), `compared by "euclidean" are not supported`},
		{"another shape", set("config.json", "hidden_size", 32), "tensor embeddings.word_embeddings.weight has shape [867 24], not [867 32]"},
		{"another kind", set("config.json", "model_type", "mpnet"), `model type "mpnet" is not supported`},
		{"another activation", set("config.json", "hidden_act", "gelu_new"), `activation "gelu_new" is not supported`},
		{"relative positions", set("config.json", "position_embedding_type", "relative_key"), `position embedding "relative_key" is not supported`},
		{"another tokenizer", set("tokenizer.json", "model", map[string]any{"type": "BPE"}), `tokenizer.json: model "BPE" is not supported`},
		{"weights that are no numbers", func(t *testing.T, folder string) {
			path := filepath.Join(folder, "model.safetensors")
			data, err := os.ReadFile(path)
			testenv.Must(t, err)
			head := 8 + int(binary.LittleEndian.Uint64(data))
			for at := head; at < len(data); at += 4 {
				binary.LittleEndian.PutUint32(data[at:], math.Float32bits(float32(math.NaN())))
			}
			write(t, path, data)
		}, "its weights give no vector"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, from := Folder(t.TempDir()), tinyEncoder(t, "bert")
			c.spoil(t, from)
			_, err := f.ImportUnverified(t.Context(), from, "", nil)
			if errs.CodeOf(err) != errs.Invalid || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
			onlyThe(t, f)
		})
	}
}

// A model without the module that normalizes is refused only if the length of its vectors has a meaning.
func TestImportUnverified_WithoutNormalize(t *testing.T) {
	from := tinyEncoder(t, "bert")
	write(t, filepath.Join(from, "modules.json"), []byte(`[{"type":"m.Transformer","path":""},{"type":"m.Pooling","path":"1_Pooling"}]`))
	for similarity, ok := range map[string]bool{`null`: true, `"cosine"`: true, `"dot"`: false} {
		write(t, filepath.Join(from, "config_sentence_transformers.json"), []byte(`{"similarity_fn_name":`+similarity+`}`))
		if _, err := Folder(t.TempDir()).ImportUnverified(t.Context(), from, "", nil); (err == nil) != ok {
			t.Errorf("%s: %v", similarity, err)
		}
	}
}

func TestOpen_ChangedModel(t *testing.T) {
	f, from := Folder(t.TempDir()), tinyEncoder(t, "xlm-roberta")
	m, err := f.ImportUnverified(t.Context(), from, "", nil)
	testenv.Must(t, err)
	for _, file := range encoderFiles {
		path := filepath.Join(f.Path(m.Name), file)
		data, err := os.ReadFile(path)
		testenv.Must(t, err)

		write(t, path, data) // the same again
		opened, err := f.Open(m.Name)
		testenv.Must(t, err)
		opened.Close()

		changed := bytes.Clone(data)
		changed[len(changed)/2] ^= 1
		write(t, path, changed)
		says := "has changed since it was imported: models: verify: the checksum of " + file + " differs from that of the import"
		if _, err := f.Open(m.Name); errs.CodeOf(err) != errs.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%s changed: %v", file, err)
		}
		if err := f.Verify(context.Background(), m); errs.CodeOf(err) != errs.Invalid {
			t.Errorf("%s changed: %v", file, err)
		}
		testenv.Must(t, os.Remove(path))
		if _, err := f.Open(m.Name); err == nil || !strings.Contains(err.Error(), file+" is missing") {
			t.Errorf("%s removed: %v", file, err)
		}
		_, err = f.ImportUnverified(t.Context(), from, "", nil) // repairs it
		testenv.Must(t, err)
	}
}

func TestImportUnverified_Names(t *testing.T) {
	f, bert, roberta := Folder(t.TempDir()), tinyEncoder(t, "bert"), tinyEncoder(t, "xlm-roberta")
	for _, name := range []string{"..", ".hidden", "a/b", `a\b`, "a b", strings.Repeat("a", 101)} {
		if _, err := f.ImportUnverified(t.Context(), bert, name, nil); err == nil || !strings.Contains(err.Error(), "cannot be the name") {
			t.Errorf("%q: %v", name, err)
		}
	}
	_, err := f.ImportUnverified(t.Context(), bert, "use-lite", nil)
	if err == nil || !strings.Contains(err.Error(), "use-lite is a built-in model, whose files differ from these") {
		t.Errorf("error %v", err)
	}
	_, err = f.ImportUnverified(t.Context(), bert, "mine", nil)
	testenv.Must(t, err)
	_, err = f.ImportUnverified(t.Context(), roberta, "mine", nil)
	if err == nil || !strings.Contains(err.Error(), "mine stands for other files, which were imported on 20") {
		t.Errorf("error %v", err)
	}
	onlyThe(t, f, "mine")
}

// A built-in model is itself, however it is imported.
func TestImportUnverified_BuiltinModel(t *testing.T) {
	from := tinyEncoder(t, "bert")
	m := Model{Spec: local.Spec{Name: "trusted"}, Origin: Origin{Repository: "a/trusted", Revision: "1"}}
	for _, name := range encoderFiles {
		data, err := os.ReadFile(filepath.Join(from, name))
		testenv.Must(t, err)
		m.Files = append(m.Files, File{name, checksum(data), int64(len(data))})
	}
	before := known
	known = append(slices.Clone(known), m)
	t.Cleanup(func() { known = before })
	f := Folder(t.TempDir())
	got, err := f.ImportUnverified(t.Context(), from, "mine", nil)
	if err != nil || got.Name != "trusted" || got.Unverified {
		t.Fatalf("%+v, %v", got, err)
	}
	onlyThe(t, f, "trusted")
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"dim":24,"files":[{"name":"config.json"},{"name":"tokenizer.json"},{"name":"model.safetensors"}]}`))
	f.Add([]byte(`{"dim":1,"files":[{"name":"../a"},{},{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		folder := Folder(t.TempDir())
		write(t, filepath.Join(folder.Path("m"), recordFile), data)
		if m, ok := folder.Find("m"); ok {
			if m.Dim < 1 || len(m.Files) != len(encoderFiles) {
				t.Fatalf("%+v", m)
			}
			if _, err := folder.Open("m"); err == nil {
				t.Fatal("a model without files is opened")
			}
		}
	})
}
