package models_test

import (
	"fmt"
	"os"

	"lens/retrieval/embed/models"
)

func Example() {
	dir, err := os.MkdirTemp("", "lens-example-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	folder := models.Folder(dir) // Pull and Import bring models here
	for _, m := range models.All() {
		fmt.Printf("%s: %d values, %s, here: %t\n", m.Name, m.Dim, m.License, folder.Has(m))
	}
	// Output:
	// bge-small-en-v1.5: 384 values, MIT, here: false
	// all-MiniLM-L6-v2: 384 values, Apache-2.0, here: false
	// use-lite: 512 values, Apache-2.0, here: false
}
