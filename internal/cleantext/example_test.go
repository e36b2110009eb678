package cleantext_test

import (
	"fmt"

	"lens/internal/cleantext"
)

func Example() {
	fmt.Println(cleantext.Line("a title\nthat \x1b]0;sets yours\a"))
	fmt.Println(cleantext.Text("see invoice_\u202egpj.exe"))
	// Output:
	// a title that ␛]0;sets yours␇
	// see invoice_\u202egpj.exe
}
