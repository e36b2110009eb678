package openai

import (
	"fmt"
	"math"
	"strings"
	"time"

	"lens/agent"
	"lens/internal/errs"
	"lens/internal/provider"
	"lens/internal/retry"
)

// waitClock says how long a first token has been waited for: soon, then at longer intervals, so that a wait of minutes
// does not fill a screen.
type waitClock struct {
	timer *time.Timer
	asked time.Time
	said  int // notices
}

// noticesAfter are the times after which a wait is mentioned; further ones follow every minute.
var noticesAfter = []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute}

// noticeAfter returns how long a wait has lasted when it is mentioned, n times before.
func noticeAfter(n int) time.Duration {
	last := len(noticesAfter) - 1
	return noticesAfter[min(n, last)] + time.Duration(max(0, n-last))*time.Minute
}

func newWaitClock() *waitClock {
	w := &waitClock{timer: time.NewTimer(time.Hour)}
	w.stop()
	return w
}

// start begins a wait.
func (w *waitClock) start() {
	w.asked, w.said = time.Now(), 0
	w.timer.Reset(noticeAfter(0))
}

func (w *waitClock) stop() { w.timer.Stop() }

// notice returns the notice that is due, and sets the time of the next one.
func (w *waitClock) notice() agent.Notice {
	w.said++
	waited := time.Since(w.asked)
	w.timer.Reset(noticeAfter(w.said) - waited)
	return agent.Notice{
		Code: agent.NoticeWaiting, Message: fmt.Sprintf("Waiting for the first token, %.0f s.", waited.Seconds()),
	}
}

// retryNotice says why a request is sent again, and when. Clients on other machines read it, too.
func retryNotice(host string, f *attemptError, w retry.Wait) agent.Notice {
	why, _ := strings.CutSuffix(errs.FirstForAnyone(f.err).Message, ".")
	if !strings.HasPrefix(why, host) {
		why = strings.ToUpper(why[:1]) + why[1:] // our own words
	}
	code, asks := agent.NoticeRetrying, ""
	if f.kind == provider.RateLimited {
		code = agent.NoticeRateLimited
	}
	in, asked := wholeSeconds(w.For), wholeSeconds(f.after)
	switch {
	case asked > 0 && in > 2*asked: // it has asked for too little before
		asks = fmt.Sprintf(", though it asks for %s", provider.Delay(asked))
	case asked > 0:
		asks = ", as it asks"
	}
	return agent.Notice{
		Code: code, Message: fmt.Sprintf("%s. Retrying in %s%s (%d of %d).", why, provider.Delay(in), asks, w.N, w.Of),
	}
}

func wholeSeconds(d time.Duration) time.Duration {
	return time.Duration(math.Ceil(d.Seconds())) * time.Second
}
