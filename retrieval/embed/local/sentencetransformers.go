package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ReadSpec returns what a folder of the library sentence-transformers says of its model: how it pools, and how many
// tokens it reads. The error names the file that is missing, or what Lens does not do.
func ReadSpec(dir string) (Spec, error) {
	var spec Spec
	modules, err := readFile(dir, "modules.json", readModules)
	if err != nil {
		return spec, err
	}
	if spec.Pooling, err = readFile(dir, filepath.Join(modules.pooling, "config.json"), readPooling); err != nil {
		return spec, err
	}
	for name, read := range map[string]func([]byte) (int, error){
		"sentence_bert_config.json":         readLimit,
		"config_sentence_transformers.json": modules.readSimilarity,
	} {
		limit, err := readFile(dir, name, read)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return spec, err
		}
		spec.MaxTokens = max(spec.MaxTokens, limit)
	}
	return spec, nil
}

// readFile reads a file in dir. The error names the file.
func readFile[T any](dir, name string, read func(data []byte) (T, error)) (T, error) {
	var none T
	data, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return none, missingFile(filepath.ToSlash(name))
	}
	if err != nil {
		return none, err
	}
	v, err := read(data)
	if err != nil {
		return none, fmt.Errorf("%s: %w", filepath.ToSlash(name), err)
	}
	return v, nil
}

// missingFile is the name of a file that is not there.
type missingFile string

func (name missingFile) Error() string { return string(name) + " is missing" }

// Is makes it an os.ErrNotExist.
func (missingFile) Is(target error) bool { return target == os.ErrNotExist }

// modules are the steps from a text to its vector.
type modules struct {
	pooling    string // the folder of its settings
	normalizes bool
}

func readModules(data []byte) (m modules, err error) {
	var steps []struct {
		Type string `json:"type"`
		Path string `json:"path"`
	}
	if err := json.Unmarshal(data, &steps); err != nil {
		return m, err
	}
	var kinds []string
	for _, s := range steps {
		kinds = append(kinds, s.Type[strings.LastIndexByte(s.Type, '.')+1:])
	}
	switch order := strings.Join(kinds, ", "); order {
	case "Transformer, Pooling, Normalize":
		m.normalizes = true
	case "Transformer, Pooling":
	default:
		return m, fmt.Errorf("the modules %q are not supported, only Transformer, Pooling and Normalize", order)
	}
	if steps[0].Path != "" {
		return m, fmt.Errorf("the transformer is in the folder %q, not beside this file", steps[0].Path)
	}
	if m.pooling = filepath.FromSlash(steps[1].Path); !filepath.IsLocal(m.pooling) {
		return m, fmt.Errorf("the folder %q of the pooling is not in the model's", steps[1].Path)
	}
	return m, nil
}

// The settings of a pooling are a name in newer files, a flag for each way in older ones.
func readPooling(data []byte) (Pooling, error) {
	var settings map[string]json.RawMessage
	if err := json.Unmarshal(data, &settings); err != nil {
		return 0, err
	}
	var ways []string
	for name, value := range settings {
		if way, ok := strings.CutPrefix(name, "pooling_mode_"); ok && string(value) == "true" {
			ways = append(ways, way)
		}
	}
	var mode string
	if json.Unmarshal(settings["pooling_mode"], &mode) == nil {
		ways = append(ways, mode)
	}
	if string(settings["include_prompt"]) == "false" {
		return 0, errors.New("a pooling without the prefix (include_prompt) is not supported")
	}
	switch way := strings.Join(ways, ", "); way {
	case "cls_token", "cls":
		return FirstToken, nil
	case "mean_tokens", "mean":
		return MeanToken, nil
	default:
		return 0, fmt.Errorf("the pooling %q is not supported, only the first token (cls) and the mean", way)
	}
}

// readLimit returns how many tokens the model reads, 0 if the file does not say.
func readLimit(data []byte) (int, error) {
	var f struct {
		Limit int  `json:"max_seq_length"`
		Lower bool `json:"do_lower_case"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return 0, err
	}
	if f.Lower {
		return 0, errors.New("do_lower_case is not supported")
	}
	if f.Limit < 0 {
		return 0, fmt.Errorf("max_seq_length is %d", f.Limit)
	}
	return f.Limit, nil
}

// readSimilarity refuses vectors whose length has a meaning: Lens compares them by their cosine.
func (m modules) readSimilarity(data []byte) (int, error) {
	var f struct {
		Similarity string `json:"similarity_fn_name"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return 0, err
	}
	if f.Similarity == "" || f.Similarity == "cosine" || f.Similarity == "dot" && m.normalizes {
		return 0, nil
	}
	return 0, fmt.Errorf("vectors to be compared by %q are not supported, only by their cosine", f.Similarity)
}
