package httpapi

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// buckets holds a token bucket for each recent client, by name.
type buckets struct {
	rate  rate.Limit
	burst int

	mu                sync.Mutex
	current, previous map[string]*rate.Limiter
}

// maxBuckets bounds the number of buckets. The older half is dropped when it is reached.
const maxBuckets = 10_000

func newBuckets(perSecond float64) *buckets {
	return &buckets{rate: rate.Limit(perSecond), burst: max(1, int(2*perSecond)), current: map[string]*rate.Limiter{}}
}

// take takes a token from the bucket of name, or returns how long until there is one.
func (b *buckets) take(name string) (wait time.Duration, ok bool) {
	reservation := b.limiter(name).Reserve()
	if wait = reservation.Delay(); wait > 0 {
		reservation.Cancel()
		return wait, false
	}
	return 0, true
}

func (b *buckets) limiter(name string) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one, ok := b.current[name]; ok {
		return one
	}
	one, ok := b.previous[name]
	if !ok {
		one = rate.NewLimiter(b.rate, b.burst)
	}
	if len(b.current) >= maxBuckets/2 {
		b.previous, b.current = b.current, map[string]*rate.Limiter{}
	}
	b.current[name] = one
	return one
}

func rateLimited(wait time.Duration) error {
	return &problem{
		Code: codeRateLimited, Message: "Too many requests. Wait a moment.", RetryAfter: max(wait, time.Second),
	}
}
