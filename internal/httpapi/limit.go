package httpapi

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// buckets are the token buckets of whoever has asked of late, by name.
type buckets struct {
	rate  rate.Limit
	burst int

	mu            sync.Mutex
	young, former map[string]*rate.Limiter
}

// maxBuckets is how many names are remembered before the older half is forgotten: memory is bounded, whoever asks.
const maxBuckets = 10_000

func newBuckets(perSecond float64) *buckets {
	return &buckets{rate: rate.Limit(perSecond), burst: max(1, int(2*perSecond)), young: map[string]*rate.Limiter{}}
}

// take takes a token from the bucket of name, or says how long until there is one.
func (b *buckets) take(name string) (wait time.Duration, ok bool) {
	turn := b.of(name).Reserve()
	if wait = turn.Delay(); wait > 0 {
		turn.Cancel()
		return wait, false
	}
	return 0, true
}

func (b *buckets) of(name string) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one, ok := b.young[name]; ok {
		return one
	}
	one, ok := b.former[name]
	if !ok {
		one = rate.NewLimiter(b.rate, b.burst)
	}
	if len(b.young) >= maxBuckets/2 {
		b.former, b.young = b.young, map[string]*rate.Limiter{}
	}
	b.young[name] = one
	return one
}

func tooOften(wait time.Duration) error {
	return &problem{Code: codeRateLimited, Message: "Too many requests. Wait a moment.", RetryAfter: max(wait, time.Second)}
}
