package ingest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"lens/store"
	"lens/store/ingest"
	"lens/store/ingest/export"
	"lens/store/sqlite"
)

// exampleArchive holds the chat about herons.
func exampleArchive() (store.Store, func()) {
	ctx := context.Background()
	dir, _ := os.MkdirTemp("", "lens")
	path := filepath.Join(dir, "conversations.json")
	export, _ := json.Marshal([]chat{heron()})
	_ = os.WriteFile(path, export, 0o600)
	st, err := sqlite.Open(ctx, sqlite.Options{Dir: dir, Verb: "example"})
	if err != nil {
		panic(err)
	}
	if _, err := ingest.Import(ctx, st, []string{path}, ingest.Options{}); err != nil {
		panic(err)
	}
	return st, func() {
		_ = st.Close()
		_ = os.RemoveAll(dir)
	}
}

func ExampleImport() {
	ctx := context.Background()
	dir, _ := os.MkdirTemp("", "lens")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "conversations.json")
	export, _ := json.Marshal([]chat{heron()})
	_ = os.WriteFile(path, export, 0o600)

	receipt, err := ingest.Import(ctx, nil, []string{path}, ingest.Options{DryRun: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(receipt.Conversations.New, "conversation,", receipt.Turns.Total, "turns")
	if receipt.Check() == nil {
		fmt.Println("adds up")
	}
	// Output:
	// 1 conversation, 2 turns
	// adds up
}

func ExampleExport() {
	st, done := exampleArchive()
	defer done()
	_, _ = ingest.Export(context.Background(), st, os.Stdout, ingest.ExportOptions{Format: export.Markdown})
	// Output:
	// # Tuesday, 14 November 2023
	//
	// ## Herons
	//
	// *22:13 UTC · turn `854a88f5-6104-5230-9776-a88d7f11bee4`*
	//
	// > What is a heron?
	//
	// A wading bird.
	//
	// ## Herons
	//
	// *22:13 UTC · turn `fc89e8a6-f881-5d8d-9c0d-a552b8fa9cc7`*
	//
	// > Where does it nest?
	//
	// In trees, mostly.
}
