package openai

import "iter"

// item is a text to be sent: texts[at], perhaps cut.
type item struct {
	at        int
	text      string
	tokens    int
	truncated bool
}

// prepare cuts a text at limit tokens.
func (e *Embedder) prepare(at int, text string, limit int) item {
	cut, tokens := cutTokens(text, limit)
	return item{at: at, text: cut, tokens: tokens, truncated: len(cut) < len(text)}
}

// prepareQuery is prepare without the tokenizer where a text is surely short enough, because no token is shorter
// than a byte: a query need not wait for the vocabulary.
func (e *Embedder) prepareQuery(text string) item {
	if len(text) <= e.opts.MaxTokens {
		return item{text: text, tokens: len(text)}
	}
	return e.prepare(0, text, e.opts.MaxTokens)
}

// batches yields the texts that are not empty, in order, in batches as large as the limits allow.
func (e *Embedder) batches(texts []string) iter.Seq[[]item] {
	return func(yield func([]item) bool) {
		var b []item
		sum := 0
		for at, text := range texts {
			if isEmpty(text) {
				continue
			}
			it := e.prepare(at, text, e.opts.MaxTokens)
			if len(b) > 0 && (len(b) == e.opts.MaxInputs || sum+it.tokens > maxRequestTokens) {
				if !yield(b) {
					return
				}
				b, sum = nil, 0
			}
			b, sum = append(b, it), sum+it.tokens
		}
		if len(b) > 0 {
			yield(b)
		}
	}
}
