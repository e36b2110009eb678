package terms_test

import (
	"fmt"

	"lens/store/terms"
)

func Example() {
	var a terms.Analyzer
	fmt.Println(a.Document("SendMessageW fails", "It failed with ERR_42."))
	fmt.Println(terms.Query("Why does SendMessageW fail?"))
	// Output:
	// [{sendmessagew 1} {send 1} {messag 1} {w 1} {fail 2} {err_42 1} {err 1} {42 1}]
	// [sendmessagew send messag w fail]
}
