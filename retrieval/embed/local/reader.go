package local

import "lens/internal/simd"

// tensors is a file of named weights. floats returns the values of one and refuses another shape or type.
type tensors interface {
	floats(name string, shape ...int) ([]float32, error)
}

// reader reads the parts of a model and keeps the first error, so that a model's layout reads as a list.
type reader struct {
	tensors tensors
	err     error
}

func (r *reader) floats(name string, shape ...int) []float32 {
	size := 1
	for _, n := range shape {
		size *= n
	}
	if r.err != nil {
		return make([]float32, size)
	}
	v, err := r.tensors.floats(name, shape...)
	if err != nil {
		r.err = err
		return make([]float32, size)
	}
	return v
}

// stacked reads linear layers with the same input as one, their outputs side by side. Weights are stored per
// output.
func (r *reader) stacked(in, out int, names ...string) linear {
	weights := make([]float32, 0, in*out*len(names))
	bias := make([]float32, 0, out*len(names))
	for _, name := range names {
		weights = append(weights, r.floats(name+".weight", out, in)...)
		bias = append(bias, r.floats(name+".bias", out)...)
	}
	return linear{simd.NewTransposed(weights, in, len(bias)), bias}
}

// dense reads a linear layer whose weights are stored per input.
func (r *reader) dense(weights, bias string, in, out int) linear {
	return linear{simd.NewMatrix(r.floats(weights, in, out), in, out), r.floats(bias, out)}
}

func (r *reader) norm(name string, width int, epsilon float64) layerNorm {
	return layerNorm{r.floats(name+".weight", width), r.floats(name+".bias", width), epsilon}
}

func (r *reader) tfNorm(prefix, suffix string, width int, epsilon float64) layerNorm {
	return layerNorm{r.floats(prefix+"scale"+suffix, width), r.floats(prefix+"bias"+suffix, width), epsilon}
}
