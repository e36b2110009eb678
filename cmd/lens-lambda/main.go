// Command lens-lambda is an AWS Lambda function behind an API Gateway. It answers GET /retrieve from an index that lens
// shard publish wrote, as lens serve --shards does without a gateway. template.yaml sets up everything that it needs.
//
// The rules are:
//
//   - All settings come from the environment: see settings.go.
//   - The gateway authorizes clients with an API key or an authorizer, or they send a key of LENS_API_KEYS. The health
//     checks /healthz and /readyz need neither.
//   - Invocations share the open model and shards, and notice a newly published index.
//   - A request that takes too long gets an error before Lambda's deadline.
//   - Queries, texts and keys are never logged, and internal errors never reach a client.
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

	"lens/cmd/internal/app"
	"lens/internal/errs"
)

// version is set by the linker.
var version = "dev"

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	slog.SetDefault(log) // the AWS library uses it too
	if err := run(log); err != nil {
		for _, f := range errs.Describe(err) {
			log.Error("cannot start", slog.String("error", cmp.Or(f.Message, err.Error())), slog.String("hint", f.Hint))
		}
		os.Exit(1)
	}
}

// grace is how long running invocations may take after SIGTERM: Lambda kills the process soon after.
const grace = 300 * time.Millisecond

// run answers invocations until SIGTERM.
func run(log *slog.Logger) error {
	begun := time.Now()
	s, err := load()
	if err != nil {
		return err
	}
	a := app.New(s.Config, "lens-lambda")
	index, err := a.Indexes.Open(context.Background(), s.shards)
	if err != nil {
		return err
	}
	stopping, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	f, err := newFunction(stopping, a, index)
	if err != nil {
		return err
	}
	go index.Prepare(stopping)
	go func() {
		<-stopping.Done()
		f.wait(grace)
		os.Exit(0) // everything open is only read
	}()
	log.Info("ready", slog.String("version", version), slog.Float64("ms", milliseconds(time.Since(begun))))
	lambda.StartWithOptions(f) // does not return
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
