package errs_test

import (
	"fmt"

	"lens/internal/errs"
)

// A front end maps the code and shows the rest to the user.
func ExampleError() {
	err := fmt.Errorf("summarize: %w", &errs.Error{
		Code:    errs.Unavailable,
		Op:      "sqlite: update",
		Message: "lens import is writing to this archive",
		Hint:    "try again when it is done",
	})
	fmt.Println(errs.CodeOf(err))
	for _, failure := range errs.Describe(err) {
		fmt.Println(failure.Message)
		fmt.Println(failure.Hint)
	}
	// Output:
	// unavailable
	// lens import is writing to this archive
	// try again when it is done
}
