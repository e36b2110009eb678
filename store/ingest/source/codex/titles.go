package codex

import (
	"bytes"
	"path"
	"time"

	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// titlesFile has the titles of all sessions, beside the folder sessions. The program appends a line for each new one,
// so that the last holds.
const titlesFile = "session_index.jsonl"

func isTitles(name string) bool { return path.Base(name) == titlesFile }

// title returns the title of a session and since when it has it, "" if it is in no list of titles.
func title(folder source.Folder, file, id string) (title string, since time.Time) {
	for dir := path.Dir(file); folder != nil && id != ""; dir = path.Dir(dir) {
		in, err := folder.Open(path.Join(dir, titlesFile))
		if err == nil {
			defer in.Close()
			for line, err := range chat.Lines("codex: read", in) {
				if err == nil && bytes.Contains(line, []byte(id)) { // few lines are of this session
					if of, name, at := readTitle(line); of == id {
						title, since = name, at
					}
				}
			}
			return title, since
		}
		if dir == "." || dir == "/" {
			break
		}
	}
	return "", time.Time{}
}

func readTitle(line []byte) (id, title string, at time.Time) {
	c := chat.NewCursor(line)
	c.Object(func(name []byte) {
		switch string(name) {
		case "id":
			id = c.String()
		case "thread_name":
			title = c.String()
		case "updated_at":
			at = c.Time()
		}
	})
	return id, title, at
}
