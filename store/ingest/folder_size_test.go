package ingest

import (
	"errors"
	"testing"

	"lens/store/ingest/chat"
	"lens/store/ingest/documents"
	"lens/store/ingest/input"
)

// A document over the limit is not read up to it: this one cannot be.
func TestFolderDocuments_TooLargeIsNotRead(t *testing.T) {
	folder, err := input.OpenFolder(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	f := &folderDocuments{in: new(inputFiles), folder: folder}
	_, err = f.parse(input.FolderFile{Name: "gone.txt", Size: documents.MaxSize + 1}, nil)
	var skip *chat.Skip
	if !errors.As(err, &skip) || skip.Reason != documents.TooLarge || skip.File != folder.PathOf("gone.txt") {
		t.Errorf("got %+v", err)
	}
	if got := f.in.read.Load(); got != documents.MaxSize+1 {
		t.Errorf("%d bytes count as done", got)
	}
}
