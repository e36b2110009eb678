package embedtest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// Model returns the files of a BERT with one layer and random weights, by name: dim values per vector and a
// tokenizer that knows letters. It serves tests that need a model to run, not to understand.
func Model(dim int, seed uint64) map[string][]byte {
	const positions, heads = 32, 2
	vocabulary := map[string]int{"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}
	for letter := 'a'; letter <= 'z'; letter++ {
		vocabulary[string(letter)] = len(vocabulary)
		vocabulary["##"+string(letter)] = len(vocabulary)
	}
	return map[string][]byte{
		"model.safetensors": safetensors(shapes(dim, positions, len(vocabulary)), seed),
		"config.json": encoded(map[string]any{
			"model_type": "bert", "hidden_act": "gelu", "hidden_size": dim, "intermediate_size": 2 * dim,
			"layer_norm_eps":          1e-12,
			"max_position_embeddings": positions, "num_attention_heads": heads, "num_hidden_layers": 1,
			"vocab_size": len(vocabulary), "type_vocab_size": 2,
		}),
		"tokenizer.json": encoded(map[string]any{
			"normalizer":     map[string]any{"type": "BertNormalizer"},
			"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
			"post_processor": map[string]any{"type": "BertProcessing", "cls": []any{"[CLS]", 1}, "sep": []any{"[SEP]", 2}},
			"model": map[string]any{
				"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocabulary,
			},
		}),
	}
}

// shapes returns the tensors of such a model.
func shapes(dim, positions, words int) map[string][]int {
	const layer = "encoder.layer.0."
	all := map[string][]int{
		"embeddings.word_embeddings.weight": {words, dim}, "embeddings.position_embeddings.weight": {positions, dim},
		"embeddings.token_type_embeddings.weight": {2, dim},
		layer + "intermediate.dense.weight":       {2 * dim, dim}, layer + "intermediate.dense.bias": {2 * dim},
		layer + "output.dense.weight": {dim, 2 * dim}, layer + "output.dense.bias": {dim},
	}
	for _, part := range []string{"query", "key", "value"} {
		all[layer+"attention.self."+part+".weight"], all[layer+"attention.self."+part+".bias"] = []int{dim, dim}, []int{dim}
	}
	all[layer+"attention.output.dense.weight"], all[layer+"attention.output.dense.bias"] = []int{dim, dim}, []int{dim}
	for _, norm := range []string{"embeddings", layer + "attention.output", layer + "output"} {
		all[norm+".LayerNorm.weight"], all[norm+".LayerNorm.bias"] = []int{dim}, []int{dim}
	}
	return all
}

// safetensors writes random tensors in the format of that name: the length of a JSON header, the header, the values.
func safetensors(shapes map[string][]int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	header, values := map[string]any{}, []byte(nil)
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		size, begin := 1, len(values)
		for _, n := range shapes[name] {
			size *= n
		}
		for range size {
			values = binary.LittleEndian.AppendUint32(values, math.Float32bits(float32(random.NormFloat64())))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shapes[name], "data_offsets": [2]int{begin, len(values)}}
	}
	head := encoded(header)
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), values...)
}

func encoded(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("embedtest: %v", err))
	}
	return data
}
