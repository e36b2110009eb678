package retrieval

// alphas says how much the vectors of a model weigh against words in hybrid mode, 0 to 1. It is a property of the model: the better
// its cosines tell what answers from what is merely about the same, the more they may say. Found with `make quality`; see
// retrieval/rank for the figures.
var alphas = map[string]float64{
	"use-lite": 0.2,
}

// defaultAlpha is for models that were not measured. It is a guess: they rank higher than use-lite on public benchmarks.
const defaultAlpha = 0.4

func alphaOf(model string) float64 {
	if alpha, measured := alphas[model]; measured {
		return alpha
	}
	return defaultAlpha
}
