package app_test

import (
	"context"
	"fmt"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/tui/app"
)

// archive is one that opens with an engine.
type archive struct{ engine *retrieval.Engine }

func (a archive) Open(context.Context) (app.Engine, error)         { return a.engine, nil }
func (a archive) Opening() string                                  { return "" }
func (a archive) Warm(context.Context)                             {}
func (a archive) Limit(context.Context) (badge string, why string) { return "", "" }

func Example() {
	err := app.Run(context.Background(), app.Options{
		Archive:  archive{},
		Terminal: app.Terminal{Environ: []string{"TERM=dumb"}},
	})
	f := errs.Describe(err)[0]
	fmt.Printf("%s; %s\n", f.Message, f.Hint)
	// Output: this terminal cannot show the explorer; use lens --plain
}
