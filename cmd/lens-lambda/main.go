// Command lens-lambda answers GET /retrieve from an index that lens shard publish made, as a function of AWS Lambda behind an API
// Gateway, as lens serve --shards does behind nothing. template.yaml sets up all that it needs.
//
// The rules are:
//
//   - It is told everything by its environment: see settings.go.
//   - Who asks was let in by the gateway (an API key, an authorizer) or has a key of LENS_API_KEYS. Anybody may ask for /healthz and /readyz.
//   - What one invocation has opened, the next ones find open: the model, and shards. What is published meanwhile is noticed.
//   - A request is given up, and answered so, before the function's time is up.
//   - No query, text or key is logged, and no error of a program is ever an answer.
package main

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"lens/internal/boot"
)

// version is set by the linker.
var version = "dev"

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	slog.SetDefault(log) // of the AWS library too
	if err := run(log); err != nil {
		for _, f := range boot.Explain(err) {
			log.Error("cannot start", slog.String("error", cmp.Or(f.Message, err.Error())), slog.String("hint", f.Hint))
		}
		os.Exit(1)
	}
}

// grace is how long invocations may take to end when the function is to: Lambda kills it soon after.
const grace = 300 * time.Millisecond

// run answers invocations until the process is told to end.
func run(log *slog.Logger) error {
	begun := time.Now()
	s, err := load()
	if err != nil {
		return err
	}
	l := boot.New(s.Config, "lens-lambda")
	shelf, err := l.Shelf(context.Background(), s.shards)
	if err != nil {
		return err
	}
	stopping, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	f, err := newFunction(stopping, l, shelf)
	if err != nil {
		return err
	}
	go shelf.Prepare(stopping)
	go func() {
		<-stopping.Done()
		f.wait(grace)
		os.Exit(0) // what is open is only read
	}()
	log.Info("ready", slog.String("version", version), slog.Float64("ms", milliseconds(time.Since(begun))))
	lambda.StartWithOptions(f) // does not return
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
