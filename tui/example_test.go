package tui_test

import (
	"context"
	"fmt"

	"lens/tui"
)

func Example() {
	err := tui.Run(context.Background(), tui.Options{
		Open:    func(context.Context) (tui.Engine, error) { return nil, nil }, // returns a *retrieval.Engine
		Environ: []string{"TERM=dumb"},
	})
	fmt.Println(err)
	// Output: terminal type "dumb" cannot show the explorer; use lens --plain
}
