package zed

import (
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"go.uber.org/goleak"

	"lens/internal/testenv"
	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const table = "CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB, parent_id TEXT, created_at TEXT)"

// row returns the statement that adds a thread.
func row(id, parent, kind, data string) string {
	return fmt.Sprintf("INSERT INTO threads VALUES ('%s', 'Sails', '2026-04-01T08:00:09Z', '%s', x'%x', nullif('%s', ''), '2026-04-01T08:00:00Z')",
		id, kind, data, parent)
}

func packed(tb testing.TB, data string) string {
	tb.Helper()
	z, err := zstd.NewWriter(nil)
	testenv.Must(tb, err)
	defer z.Close()
	return string(z.EncodeAll([]byte(data), nil))
}

const current = `{"version":"0.3.0","model":{"provider":"zed.dev","model":"claude-x"},"messages":[
{"User":{"id":"u1","content":[{"Text":"Which sail?"},{"Mention":{"uri":"file:///boat.md","content":"the file"}}]}},
{"Agent":{"content":[{"Thinking":{"text":"wind"}},{"Text":"The jib."},{"ToolUse":{"id":"t","name":"grep"}}],"tool_results":{"t":{"output":"secret"}}}},
"Resume",{"Agent":{"content":[{"Text":"Or the genoa."}]}},{"User":{"id":"u2","content":[{"Text":"Thanks"}]}}]}`

const older = `{"version":"0.2.0","summary":"Old","messages":[{"id":0,"role":"user","segments":[{"type":"text","text":"Who?"}]},
{"id":1,"role":"assistant","segments":[{"type":"thinking","text":""},{"type":"text","text":"Me."}]},{"Robot":{}}]}`

func database(tb testing.TB) string {
	tb.Helper()
	return sourcetest.Database(tb, table, row("a", "", "zstd", packed(tb, current)), row("b", "", "json", older),
		row("c", "a", "json", current), row("d", "", "zstd", "no zstd"), row("e", "", "json", "{"), row("f", "", "json", "{}"))
}

func TestFormat_Threads(t *testing.T) {
	all, skipped := sourcetest.Parse(t, &Format, "threads.db", database(t))
	if !sourcetest.Matches(t, &Format, "threads.db", database(t)) {
		t.Error("the database does not match")
	}
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Sails",
		`2026-04-01T08:00:00Z "Which sail?" -> "The jib.\n\nOr the genoa." by claude-x`,
		`2026-04-01T08:00:00Z "Thanks" -> "" by claude-x`,
		"Sails",
		`2026-04-01T08:00:00Z "Who?" -> "Me."`,
		"Sails",
		`2026-04-01T08:00:00Z "" -> "The jib.\n\nOr the genoa." by claude-x`,
	})
	sourcetest.Equal(t, skipped, []string{"damaged", "unreadable", "no messages"})
}

func TestFormat_Grown(t *testing.T) {
	grown := strings.Replace(current, `"Resume",`, `"Resume",{"User":{"id":"u3","content":[{"Text":"And in a storm?"}]}},`, 1)
	sourcetest.Grown(t, &Format, "threads.db", sourcetest.Database(t, table, row("a", "", "json", current)),
		sourcetest.Database(t, table, row("a", "", "json", grown)))
}

func TestFormat_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Format, "zed_db") }

func TestFormat_MatchesNothingElse(t *testing.T) {
	sourcetest.NoOther(t, &Format, "zed_db")
	if sourcetest.Matches(t, &Format, "a.db", sourcetest.Database(t, "CREATE TABLE threads (id, title)")) {
		t.Error("another table of threads matches")
	}
}

func FuzzFormat(f *testing.F) {
	sourcetest.FuzzValue(f, &Format, func(tb testing.TB, value string) string {
		return sourcetest.Database(tb, table, row("a", "", "json", value), row("b", "", "zstd", value))
	}, current, older, packed(f, current))
}

func ExampleFormat() {
	fmt.Println(Format.Name, Format.Source)
	// Output: Zed zed
}
