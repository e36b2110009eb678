package agent

import "sync"

// TokenRatio is how many tokens a model counts for each one of Model.Tokens, where that is an estimate: the greatest
// ratio that its server has reported in a session, 1.25 to begin with. It is safe for concurrent use. A nil TokenRatio
// is that of a model for which Model.Tokens is exact.
type TokenRatio struct {
	mu       sync.Mutex
	greatest float64
}

// Bounds of a TokenRatio. A server that reports more counts something else.
const (
	leastRatio    = 1.25
	greatestRatio = 4
)

// of returns how many tokens of Model.Tokens fit within limit tokens of the model.
func (t *TokenRatio) of(limit int) int {
	if t == nil {
		return limit
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return int(float64(limit) / max(t.greatest, leastRatio))
}

// observe notes that a request of counted tokens had used tokens for the model.
func (t *TokenRatio) observe(counted, used int) {
	if t == nil || counted <= 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.greatest = max(t.greatest, min(float64(used)/float64(counted), greatestRatio))
}
