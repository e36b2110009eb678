package input_test

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lens/store/ingest/input"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "export.zip")
	if err := writeExport(path); err != nil {
		fmt.Println(err)
		return
	}

	ctx := context.Background()
	found, err := input.Open(ctx, path, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer found.Close()
	for _, file := range found.Files {
		json, err := file.Open(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		n, err := io.Copy(io.Discard, json)
		json.Close()
		fmt.Println(file.Name, file.Format.Source, n, err)
	}
	fmt.Println("missing:", found.MissingParts)
	// Output:
	// export.zip/conversations-000.json chatgpt 25 <nil>
	// export.zip/conversations-002.json chatgpt 25 <nil>
	// missing: [export.zip/conversations-001.json]
}

func writeExport(path string) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	z := zip.NewWriter(out)
	for _, name := range []string{"conversations-000.json", "chat.html", "conversations-002.json"} {
		member, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(member, `[{"id":"a","mapping":{}}]`)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}
