package httpapi

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limiters holds a token bucket for each recent client, by name.
type limiters struct {
	rate  rate.Limit
	burst int

	mu                sync.Mutex
	current, previous map[string]*rate.Limiter
}

// maxLimiters bounds the number of limiters. The older half is dropped when it is reached.
const maxLimiters = 10_000

func newLimiters(perSecond float64) *limiters {
	return &limiters{rate: rate.Limit(perSecond), burst: max(1, int(2*perSecond)), current: map[string]*rate.Limiter{}}
}

// take takes a token from the bucket of name, or returns how long until there is one.
func (l *limiters) take(name string) (wait time.Duration, ok bool) {
	reservation := l.limiter(name).Reserve()
	if wait = reservation.Delay(); wait > 0 {
		reservation.Cancel()
		return wait, false
	}
	return 0, true
}

func (l *limiters) limiter(name string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one, ok := l.current[name]; ok {
		return one
	}
	one, ok := l.previous[name]
	if !ok {
		one = rate.NewLimiter(l.rate, l.burst)
	}
	if len(l.current) >= maxLimiters/2 {
		l.previous, l.current = l.current, map[string]*rate.Limiter{}
	}
	l.current[name] = one
	return one
}

func rateLimited(wait time.Duration) error {
	return &problem{
		Code: codeRateLimited, Message: "Too many requests. Wait a moment.", RetryAfter: max(wait, time.Second),
	}
}
