package local

import (
	"fmt"
	"math"
)

// useLite is the transformer of Cer et al., "Universal Sentence Encoder", in its Lite variant: two pre-norm layers,
// the first 256 wide, the second 512; the mean of the tokens goes through one tanh layer.
type useLite struct {
	weights *tfjs
	words   shardTable // 8002 × 256
	timing  []float32  // inverse time scales, 128
	layers  [2]useLayer
	project linear // the residual of layer 0, 256 → 512
	final   linear
}

type useLayer struct {
	width            int
	before, between  layerNorm
	qkv, output      linear
	expand, contract linear
}

const (
	useWords  = 8002
	useWidth  = 256
	useDim    = 512
	useInner  = 1536
	useHeads  = 4
	useWindow = 128
	useNorm   = 1e-6
)

func openUseLite(dir string) (*useLite, error) {
	weights, err := openTFJS(dir)
	if err != nil {
		return nil, err
	}
	const (
		module  = "module/Encoder_en/KonaTransformer/Encode/"
		applied = "module_apply_default/Encoder_en/KonaTransformer/Encode/"
		part    = "/ConcatPartitions/concat"
		first   = applied + "Layer_0/TransformerLayer/dense/"
		tanh    = "module/Encoder_en/hidden_layers/tanh_layer_0/"
	)
	r := &reader{tensors: weights}
	u := &useLite{
		weights: weights,
		timing:  r.floats(applied+"TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1", 1, useWidth/2),
		project: r.dense(first+"kernel"+part, first+"bias"+part, useWidth, useDim),
		final:   r.dense(tanh+"weights", tanh+"bias", useDim, useDim),
	}
	for i := range u.layers {
		width := useWidth << i
		at := fmt.Sprintf("Layer_%d/TransformerLayer/", i)
		attention, feed := at+"MultiheadAttention/", at+"FFN/"
		qkv, output := attention+"qkv_transform_single/", attention+"output_transform_single/"
		u.layers[i] = useLayer{
			width:   width,
			before:  r.tfNorm(applied+at+"layer_prepostprocess/layer_norm/layer_norm_", part, width, useNorm),
			qkv:     r.dense(module+qkv+"kernel/part_0", applied+qkv+"bias"+part, width, 3*width),
			output:  r.dense(module+output+"kernel/part_0", applied+output+"bias"+part, width, useDim),
			between: r.tfNorm(applied+feed+"layer_prepostprocess/layer_norm/layer_norm_", part, useDim, useNorm),
			expand: r.dense(applied+"TransformerStack/"+feed+"conv1/Tensordot/Reshape_1",
				applied+feed+"conv1/bias"+part, useDim, useInner),
			contract: r.dense(applied+"TransformerStack/"+feed+"conv2/Tensordot/Reshape_1",
				applied+feed+"conv2/bias"+part, useInner, useDim),
		}
	}
	if r.err == nil {
		u.words, r.err = weights.table("module/Embeddings_en", useWords, useWidth)
	}
	if r.err != nil {
		weights.close()
		return nil, r.err
	}
	return u, nil
}

func (u *useLite) dim() int       { return useDim }
func (u *useLite) maxTokens() int { return useWindow }
func (u *useLite) close() error   { return u.weights.close() }

func (u *useLite) encode(out [][]float32, windows [][]int32, w *workspace) {
	rows := w.layOut(windows, 0)
	if rows > 0 {
		u.run(windows, rows, w)
	}
	for i := range windows {
		w.normed = grow(w.normed, useDim)
		mean(w.normed, w.hidden[w.starts[i]*useDim:w.starts[i+1]*useDim])
		u.final.into(out[i], w.normed, 1, &w.scratch)
		for j, x := range out[i] {
			out[i][j] = float32(math.Tanh(float64(x)))
		}
		normalize(out[i])
	}
}

// run leaves the second layer's output in w.hidden.
func (u *useLite) run(windows [][]int32, rows int, w *workspace) {
	w.context = grow(w.context, rows*useDim)
	w.hidden = grow(w.hidden, rows*useDim)
	input := w.context[:rows*useWidth]
	u.embed(input, windows, w.starts)
	w.inner = grow(w.inner, rows*useInner)
	u.project.into(w.hidden, input, rows, &w.scratch)
	u.layers[0].apply(w.hidden, input, rows, w)
	w.inner = grow(w.inner, rows*useInner)
	u.layers[1].apply(w.hidden, w.hidden, rows, w)
}

// embed sets x to twice the word's vector plus sines and cosines of the position.
func (u *useLite) embed(x []float32, windows [][]int32, starts []int) {
	for i, ids := range windows {
		for p, id := range ids {
			row := x[(starts[i]+p)*useWidth:][:useWidth]
			u.words.row(row, int(id))
			for j := range row {
				row[j] *= 2
			}
			for j, inverse := range u.timing {
				sin, cos := math.Sincos(float64(float32(p) * inverse))
				row[j] += float32(sin)
				row[useWidth/2+j] += float32(cos)
			}
		}
	}
}

// apply adds the layer's output for x to y, which holds the residual. y may be x.
func (l *useLayer) apply(y, x []float32, rows int, w *workspace) {
	w.normed = grow(w.normed, rows*useDim)
	w.qkv = grow(w.qkv, rows*3*l.width)
	normed := w.normed[:rows*l.width]
	l.before.into(normed, x, rows)
	l.qkv.into(w.qkv, normed, rows, &w.scratch)
	attend(normed, w.qkv, l.width, useHeads, w.starts, w)
	l.output.onto(y, normed, rows, &w.scratch)

	normed = w.normed[:rows*useDim]
	inner := w.inner[:rows*useInner]
	l.between.into(normed, y, rows)
	l.expand.into(inner, normed, rows, &w.scratch)
	for i, v := range inner {
		inner[i] = max(v, 0)
	}
	l.contract.onto(y, inner, rows, &w.scratch)
}
