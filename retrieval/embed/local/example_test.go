package local_test

import (
	"context"
	"errors"
	"fmt"

	"lens/internal/errs"
	"lens/retrieval/embed/local"
)

// The folder holds the model's files as they are published.
func Example() {
	model, err := local.Open("models/bge-small-en-v1.5", local.Spec{
		Name: "bge-small-en-v1.5", Pooling: local.FirstToken, QueryPrefix: "Represent this sentence for searching relevant passages: ",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()

	vectors, err := model.Embed(context.Background(), []string{"How warm should sourdough rise?", "Why is the sky blue?"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range vectors {
		fmt.Println(len(v.Values) == model.Dim(), v.Tokens, v.Err)
	}
}

// A model that is not there is an error with a next step.
func ExampleOpen() {
	_, err := local.Open("nowhere", local.Spec{Name: "use-lite"})
	var failure *errs.Error
	if errors.As(err, &failure) {
		fmt.Println(failure.Message)
		fmt.Println(failure.Hint)
	}
	// Output:
	// the built-in model use-lite is not installed
	// run lens model pull use-lite
}
