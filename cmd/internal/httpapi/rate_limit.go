package httpapi

import (
	"time"

	"golang.org/x/time/rate"

	"lens/internal/lru"
)

// limiters holds a token bucket for each recent client, by name.
type limiters struct {
	rate   rate.Limit
	burst  int
	byName lru.Cache[string, *rate.Limiter]
}

// maxLimiters bounds the number of limiters.
const maxLimiters = 10_000

func newLimiters(perSecond float64) *limiters {
	l := &limiters{rate: rate.Limit(perSecond), burst: max(1, int(2*perSecond))}
	l.byName.Limit = maxLimiters
	return l
}

// take takes a token from the bucket of name, or returns how long until there is one.
func (l *limiters) take(name string) (wait time.Duration, ok bool) {
	limiter, ok := l.byName.Get(name)
	if !ok {
		limiter = l.byName.Add(name, rate.NewLimiter(l.rate, l.burst))
	}
	reservation := limiter.Reserve()
	if wait = reservation.Delay(); wait > 0 {
		reservation.Cancel()
		return wait, false
	}
	return 0, true
}

func rateLimited(wait time.Duration) error {
	return &problem{
		Code: codeRateLimited, Message: "Too many requests.", Hint: "Wait a moment.", RetryAfter: max(wait, time.Second),
	}
}
