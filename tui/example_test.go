package tui_test

import (
	"context"
	"fmt"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/tui"
)

// archive is one that opens with an engine.
type archive struct{ engine *retrieval.Engine }

func (a archive) Open(context.Context) (tui.Engine, error)         { return a.engine, nil }
func (a archive) Opening() string                                  { return "" }
func (a archive) Limit(context.Context) (badge string, why string) { return "", "" }

func Example() {
	err := tui.Run(context.Background(), tui.Options{
		Archive:  archive{},
		Terminal: tui.Terminal{Environ: []string{"TERM=dumb"}},
	})
	f := errs.Describe(err)[0]
	fmt.Printf("%s; %s\n", f.Message, f.Hint)
	// Output: this terminal cannot show the explorer; use lens --plain
}
