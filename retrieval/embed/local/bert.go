package local

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"lens/internal/simd"
)

// bert is the encoder of Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers", with post-norm
// layers and GELU by erf. XLM-RoBERTa differs only in where the positions of a text begin.
type bert struct {
	config        bertConfig
	pooling       Pooling
	limit         int // tokens of a window, with those around it
	weights       *safetensors
	tokens        table
	positions     []float32 // positions × hidden
	tokenType     []float32 // token type 0
	embeddingNorm layerNorm
	layers        []bertLayer
	first, last   int32 // the tokens around a window
}

type bertLayer struct {
	qkv, output, up, down     linear
	attentionNorm, outputNorm layerNorm
}

type bertConfig struct {
	Type         string  `json:"model_type"`
	Activation   string  `json:"hidden_act"`
	Position     string  `json:"position_embedding_type"`
	Hidden       int     `json:"hidden_size"`
	Intermediate int     `json:"intermediate_size"`
	Epsilon      float64 `json:"layer_norm_eps"`
	Positions    int     `json:"max_position_embeddings"`
	Heads        int     `json:"num_attention_heads"`
	Layers       int     `json:"num_hidden_layers"`
	Vocabulary   int     `json:"vocab_size"`
	Types        int     `json:"type_vocab_size"`
	Padding      int     `json:"pad_token_id"`
	Decoder      bool    `json:"is_decoder"`
}

// The values of model_type that Lens reads. XLM-RoBERTa counts positions from the one after that of padding, and a
// token for padding in a text does not count.
const (
	typeBert       = "bert"
	typeXLMRoberta = "xlm-roberta"
)

// firstPosition is the position of a window's first token.
func (c *bertConfig) firstPosition() int {
	if c.Type == typeXLMRoberta {
		return c.Padding + 1
	}
	return 0
}

func readBertConfig(path string) (bertConfig, error) {
	var c bertConfig
	data, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return c, c.check()
}

// check rejects unsupported configurations and unreasonable sizes.
func (c *bertConfig) check() error {
	switch {
	case c.Type != typeBert && c.Type != typeXLMRoberta:
		return fmt.Errorf("config.json: model type %q is not supported, only %s and %s", c.Type, typeBert, typeXLMRoberta)
	case c.Decoder:
		return fmt.Errorf("config.json: a decoder (is_decoder) is not supported")
	case c.Activation != "gelu":
		return fmt.Errorf("config.json: activation %q is not supported, only gelu", c.Activation)
	case c.Position != "" && c.Position != "absolute":
		return fmt.Errorf("config.json: position embedding %q is not supported, only absolute", c.Position)
	case c.Hidden < 1 || c.Hidden > 4096 || c.Intermediate < 1 || c.Intermediate > 16384 || c.Layers < 1 || c.Layers > 48:
		return fmt.Errorf("config.json: %d layers of %d by %d are out of bounds", c.Layers, c.Hidden, c.Intermediate)
	case c.Heads < 1 || c.Hidden%c.Heads != 0:
		return fmt.Errorf("config.json: hidden size %d is not divisible by %d heads", c.Hidden, c.Heads)
	case c.Padding < 0 || c.Padding >= c.Vocabulary:
		return fmt.Errorf("config.json: token %d for padding exceeds the vocabulary of %d", c.Padding, c.Vocabulary)
	case c.Positions < c.firstPosition()+3 || c.Positions > 8194 ||
		c.Vocabulary < 1 || c.Vocabulary > 1<<20 || c.Types < 1 || c.Types > 16:
		return fmt.Errorf("config.json: %d positions, %d words or %d types are out of bounds",
			c.Positions, c.Vocabulary, c.Types)
	case c.Epsilon <= 0 || c.Epsilon > 1e-3:
		return fmt.Errorf("config.json: epsilon %g is out of bounds", c.Epsilon)
	}
	return nil
}

func openBert(dir string, spec Spec, tokens *pipeline) (*bert, error) {
	config, err := readBertConfig(filepath.Join(dir, "config.json"))
	if err != nil {
		return nil, err
	}
	if tokens.top >= int32(config.Vocabulary) {
		return nil, fmt.Errorf("tokenizer.json: token %d exceeds the vocabulary of %d", tokens.top, config.Vocabulary)
	}
	limit := config.Positions - config.firstPosition()
	if spec.MaxTokens > 0 {
		limit = min(limit, spec.MaxTokens)
	}
	if limit < 3 {
		return nil, fmt.Errorf("a window of %d tokens has no place for a text", limit)
	}
	weights, err := openSafetensors(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		return nil, err
	}
	b := &bert{
		config: config, pooling: spec.Pooling, limit: limit, weights: weights, first: tokens.first, last: tokens.last,
	}
	if err := b.load(); err != nil {
		weights.close()
		return nil, err
	}
	return b, nil
}

func (b *bert) load() error {
	c, r := b.config, &reader{tensors: b.weights}
	b.tokens, r.err = b.weights.table("embeddings.word_embeddings.weight", c.Vocabulary, c.Hidden)
	b.positions = r.floats("embeddings.position_embeddings.weight", c.Positions, c.Hidden)
	b.tokenType = r.floats("embeddings.token_type_embeddings.weight", c.Types, c.Hidden)[:c.Hidden]
	b.embeddingNorm = r.norm("embeddings.LayerNorm", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		prefix := fmt.Sprintf("encoder.layer.%d.", i)
		attention := prefix + "attention.self."
		b.layers = append(b.layers, bertLayer{
			qkv:           r.stacked(c.Hidden, c.Hidden, attention+"query", attention+"key", attention+"value"),
			output:        r.stacked(c.Hidden, c.Hidden, prefix+"attention.output.dense"),
			attentionNorm: r.norm(prefix+"attention.output.LayerNorm", c.Hidden, c.Epsilon),
			up:            r.stacked(c.Hidden, c.Intermediate, prefix+"intermediate.dense"),
			down:          r.stacked(c.Intermediate, c.Hidden, prefix+"output.dense"),
			outputNorm:    r.norm(prefix+"output.LayerNorm", c.Hidden, c.Epsilon),
		})
		if r.err != nil {
			return r.err
		}
	}
	return r.err
}

func (b *bert) dim() int       { return b.config.Hidden }
func (b *bert) maxTokens() int { return b.limit - 2 }
func (b *bert) close() error   { return b.weights.close() }

func (b *bert) encode(out [][]float32, windows [][]int32, w *workspace) {
	rows, hidden := w.layOut(windows, 2), b.config.Hidden
	w.hidden = grow(w.hidden, rows*hidden)
	b.embed(w.hidden, windows, w.starts)
	for i := range b.layers {
		b.layer(&b.layers[i], rows, w)
	}
	for i := range windows {
		x := w.hidden[w.starts[i]*hidden : w.starts[i+1]*hidden]
		if b.pooling == FirstToken {
			copy(out[i], x[:hidden])
		} else {
			mean(out[i], x)
		}
		normalize(out[i])
	}
}

// embed sets x to the normalized sum of the word, position and type embeddings of every token.
func (b *bert) embed(x []float32, windows [][]int32, starts []int) {
	for i, ids := range windows {
		at, position := starts[i], b.config.firstPosition()
		b.embedToken(x, at, position, b.first)
		for p, id := range ids {
			if b.config.Type == typeXLMRoberta && int(id) == b.config.Padding {
				b.embedToken(x, at+p+1, b.config.Padding, id)
				continue
			}
			position++
			b.embedToken(x, at+p+1, position, id)
		}
		b.embedToken(x, at+len(ids)+1, position+1, b.last)
	}
	b.embeddingNorm.into(x, x, starts[len(starts)-1])
}

func (b *bert) embedToken(x []float32, row, position int, id int32) {
	n := b.config.Hidden
	y, pos := x[row*n:(row+1)*n], b.positions[position*n:(position+1)*n]
	b.tokens.row(y, int(id))
	for j := range y {
		y[j] += pos[j]
		y[j] += b.tokenType[j]
	}
}

func (b *bert) layer(l *bertLayer, rows int, w *workspace) {
	hidden, inner := b.config.Hidden, b.config.Intermediate
	w.qkv = grow(w.qkv, rows*3*hidden)
	w.context = grow(w.context, rows*hidden)
	w.inner = grow(w.inner, rows*inner)
	l.qkv.into(w.qkv, w.hidden, rows, &w.scratch)
	attend(w.context, w.qkv, hidden, b.config.Heads, w.starts, w)
	l.output.onto(w.hidden, w.context, rows, &w.scratch)
	l.attentionNorm.into(w.hidden, w.hidden, rows)
	l.up.into(w.inner, w.hidden, rows, &w.scratch)
	simd.GELU(w.inner)
	l.down.onto(w.hidden, w.inner, rows, &w.scratch)
	l.outputNorm.into(w.hidden, w.hidden, rows)
}
