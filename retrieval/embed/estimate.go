package embed

import "time"

// Estimate says what embedding some texts would cost, before anything is sent.
type Estimate struct {
	Texts     int
	Tokens    int // after cutting; what a provider would charge for
	Truncated int // texts that would be cut
	Requests  int // at least

	Exact  bool          // the tokens are counted with the model's own tokenizer
	USD    float64       // at the list price
	Priced bool          // the price is known; otherwise USD is 0 and means nothing
	Time   time.Duration // at the provider's lowest paid rate limit; 0: unknown
}
