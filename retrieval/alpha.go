package retrieval

// alphas holds the weight of a model's vectors against words in hybrid mode, 0 to 1. It is a property of the model: the
// better its cosines separate answers from texts on the same topic, the higher it is. The values were found with
// `make quality`; package rank has the figures.
var alphas = map[string]float64{
	"use-lite": 0.2,
}

// defaultAlpha is for models that were not measured. It is a guess: they rank higher than use-lite on public
// benchmarks.
const defaultAlpha = 0.4

func alphaOf(model string) float64 {
	if alpha, measured := alphas[model]; measured {
		return alpha
	}
	return defaultAlpha
}
