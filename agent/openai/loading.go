package openai

import (
	"context"
	"fmt"
	"time"

	"lens/agent"
	"lens/internal/provider"
	"lens/internal/retry"
)

// loading is the wait for a server that is loading the model, which takes minutes for a large one. llama.cpp refuses
// requests in that time. Such a refusal does not count as a failure: only the limit of the first token ends the wait.
type loading struct {
	since time.Time // zero: the server is not loading
	tries int
	said  int // notices
}

func (l *loading) lasted() time.Duration {
	if l.since.IsZero() {
		return 0
	}
	return time.Since(l.since)
}

// awaitLoading waits until the server is to be asked again. It returns false if it is not; the reason is sent.
func (m *Model) awaitLoading(ctx context.Context, l *loading, f *attemptError, send func(report) bool) bool {
	if l.tries++; l.tries == 1 {
		l.since = time.Now()
	}
	lasted := l.lasted()
	wait := retry.Wait{For: max(f.after, retry.Backoff(m.opts.Backoff, min(l.tries, 4)))} // soon after it is loaded
	if lasted+wait.For >= m.opts.FirstToken {
		send(report{err: m.unavailable(
			m.server.Host+" did not load the model in "+provider.Delay(m.opts.FirstToken),
			"wait until it has, then ask again; use a smaller model, or raise LENS_CHAT_FIRST_TOKEN",
		)})
		return false
	}
	heard := report{over: true}
	if l.said == 0 || lasted >= noticeAfter(l.said-1) {
		l.said++
		heard = report{delta: agent.Delta{Notice: m.loadingNotice(lasted)}}
	}
	if !send(heard) {
		return false
	}
	if !wait.Sleep(ctx) {
		send(report{err: preferCancellation(ctx, f.err)})
		return false
	}
	return true
}

func (m *Model) loadingNotice(lasted time.Duration) *agent.Notice {
	message := m.server.Host + " is loading the model"
	if lasted >= time.Second {
		message += fmt.Sprintf(", %.0f s", lasted.Seconds())
	}
	return &agent.Notice{Code: agent.NoticeWaiting, Message: message + "."}
}
