package export

import (
	"bufio"
	"encoding/csv"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lens/internal/cleantext"
	"lens/store"
)

// CSV is a table after RFC 4180: a header, then a record per turn, whose columns are named as in JSONL. Lines end in
// LF, and there is no byte order mark.
var CSV = Format{
	Name:        "csv",
	Extension:   ".csv",
	Description: "a table for spreadsheets",
	Disarm:      cell,
	Encode:      encodeCSV,
}

var csvHeader = []string{
	"turn_id", "conversation_id", "title", "source", "create_time", "model_slug", "user", "assistant", "on_active_path",
}

func encodeCSV(w *bufio.Writer, turns iter.Seq2[*store.Turn, error]) error {
	table := csv.NewWriter(w)
	_ = table.Write(csvHeader)
	for t, err := range turns {
		if err != nil {
			return err
		}
		at := ""
		if !t.Time.IsZero() {
			at = t.Time.UTC().Format(time.RFC3339Nano)
		}
		_ = table.Write([]string{
			t.ID.String(), t.Conversation.String(), t.Title, string(t.Source), at, t.Model, t.UserText, t.AssistantText,
			strconv.FormatBool(t.OnPath),
		})
	}
	table.Flush()
	return table.Error()
}

// cell returns a text that no spreadsheet takes for a formula when it splits cells at commas: one that begins like a
// formula gets an apostrophe before it. So does one that begins with an apostrophe; dropping the first apostrophe of a
// cell restores the text.
//
// The text is cleaned here because cleaning lines would let U+2028, which needs no quotes in CSV, end a record.
func cell(text string) string {
	text = cleantext.Text(text)
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(text))
	if strings.ContainsRune("=+-@'＝＋－＠", first) {
		return "'" + text
	}
	return text
}
