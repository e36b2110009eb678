package export_test

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/export"
)

func records(t testing.TB, table string) [][]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatalf("%v in %q", err, table)
	}
	return all
}

// Cells are only compared with what the reader makes of their line ends: it reads CR LF as LF.
func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

func TestCSV_Columns(t *testing.T) {
	turn := store.Turn{
		ID: uuid.UUID{1}, Conversation: uuid.UUID{2}, Title: "T", Source: store.Claude, Model: "m", UserText: "u",
		AssistantText: "a", OnPath: true, Time: time.Date(2024, 5, 1, 2, 0, 0, 0, time.FixedZone("", 7200)),
	}
	undated := turn
	undated.Time, undated.OnPath = time.Time{}, false
	got := write(t, export.CSV, export.Options{}, turn, undated)
	ids := turn.ID.String() + "," + turn.Conversation.String()
	want := "turn_id,conversation_id,title,source,create_time,model_slug,user,assistant,on_active_path\n" +
		ids + ",T,claude,2024-05-01T00:00:00Z,m,u,a,true\n" +
		ids + ",T,claude,,m,u,a,false\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCSV_NoFormulas(t *testing.T) {
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r\n=1", "＝1", "'text", "''"} {
		turn := store.Turn{Title: text, Model: text, UserText: text, AssistantText: text}
		clean := records(t, write(t, export.CSV, export.Options{}, turn))[1]
		raw := records(t, write(t, export.CSV, export.Options{Raw: true}, turn))[1]
		for _, column := range []int{2, 5, 6, 7} {
			if got, want := clean[column], "'"+unixLines(text); got != want {
				t.Errorf("%q became %q", text, got)
			}
			if got := raw[column]; got != unixLines(text) {
				t.Errorf("raw %q became %q", text, got)
			}
		}
	}
	plain := store.Turn{Title: "1=1", Model: "a-b", UserText: "“–”", AssistantText: ""}
	got := records(t, write(t, export.CSV, export.Options{}, plain))[1]
	if got[2] != "1=1" || got[5] != "a-b" || got[6] != "“–”" || got[7] != "" {
		t.Errorf("got %q", got)
	}
}

func FuzzCSV(f *testing.F) {
	for _, t := range hostileTurns() {
		f.Add(t.UserText, t.AssistantText)
	}
	f.Add("\u2028", "\\.")
	f.Fuzz(func(t *testing.T, user, assistant string) {
		turn := store.Turn{Title: assistant, UserText: user, AssistantText: assistant}
		raw := records(t, write(t, export.CSV, export.Options{Raw: true}, turn, turn))
		clean := records(t, write(t, export.CSV, export.Options{}, turn, turn))
		if len(raw) != 3 || len(clean) != 3 {
			t.Fatalf("%d and %d records", len(raw), len(clean))
		}
		if raw[2][6] != unixLines(user) || raw[2][7] != unixLines(assistant) || raw[2][2] != raw[2][7] {
			t.Errorf("raw cells are %q", raw[2])
		}
		for _, cell := range clean[2] {
			if text := strings.TrimSpace(cell); text != "" && strings.ContainsAny(text[:1], "=+-@\t\r") {
				t.Errorf("a cell is %q", cell)
			}
		}
	})
}
