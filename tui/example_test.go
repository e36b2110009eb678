package tui_test

import (
	"context"
	"fmt"

	"lens/internal/errs"
	"lens/tui"
)

func Example() {
	err := tui.Run(context.Background(), tui.Options{
		Open:    func(context.Context) (tui.Engine, error) { return nil, nil }, // returns a *retrieval.Engine
		Environ: []string{"TERM=dumb"},
	})
	f := errs.Describe(err)[0]
	fmt.Printf("%s; %s\n", f.Message, f.Hint)
	// Output: this terminal cannot show the explorer; use lens --plain
}
