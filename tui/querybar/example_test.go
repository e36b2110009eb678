package querybar_test

import (
	"fmt"

	"lens/tui/querybar"
)

func Example() {
	b := querybar.New("rust asink")
	b.DeleteWord()
	b.Insert("async")
	fmt.Println(b.Text())
	// Output: rust async
}
