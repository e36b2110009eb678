package lechat

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/store/ingest/chat"
	"lens/store/ingest/source/sourcetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const name = "chat-7c1e0000-aaaa-4bbb-8ccc-0000000000b1.json"

func TestConversations(t *testing.T) {
	all, skipped := sourcetest.Parse(t, &Format, name, sourcetest.File(t, "testdata/"+name))
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Where does thyme grow?",
		`2025-09-19T16:18:00Z "Where does thyme grow?" -> "In the south."`,
		`2025-09-19T16:18:30Z "[file: hill.jpg]" -> "On the hills.\n\nMostly."`,
	})
	sourcetest.Equal(t, skipped, []string{"message without a chat", "message without a chat"})
	if c := all[0]; c.Count.UnknownContent["smell"] != 1 || c.SourceID != c.ID.String() || c.Updated.Minute() != 19 {
		t.Errorf("got %+v, updated %v", c.Count, c.Updated)
	}
}

func TestConversations_TwoChatsAndADamagedOne(t *testing.T) {
	var got []string
	for p, err := range Conversations(strings.NewReader(`[{"id":"1","chatId":"a","role":"user","content":"A?"},{"chatId":"b","role":"user","content":"B?"},{"chatId":"a","role":"assistant","content":"A."},{"cha`)) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, sourcetest.Turns([]*chat.Parsed{p}))
	}
	sourcetest.Equal(t, got, []string{"A? -> A.", "B? -> ", "lechat: read: the file is incomplete, its JSON ends early"})
}

func TestConversations_BehindDamage(t *testing.T) {
	var got []string
	for p, err := range Conversations(strings.NewReader(`[{"chatId":"a","role":"user","content":"A?"},{"chatId":x},{"chatId":"a","role":"assistant","content":"A."}]`)) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, sourcetest.Turns([]*chat.Parsed{p}))
	}
	sourcetest.Equal(t, got, []string{"A? -> A.", "lechat: read: invalid JSON after byte 44; 14 bytes were skipped, and the rest was read"})
}

func TestConversations_Regenerated(t *testing.T) {
	const a = `{"chatId":"a","role":`
	all, _ := sourcetest.Parse(t, &Format, "chat-a.json", `[`+a+`"user","id":"1","content":"A?","createdAt":"2025-09-19T16:18:00Z","contentChunks":null,"version":0},`+
		a+`"assistant","id":"2","content":"A.","createdAt":"2025-09-19T16:18:01Z","version":0},`+
		a+`"assistant","id":"3","content":"B.","createdAt":"2025-09-19T16:18:02Z","version":1},`+
		a+`"assistant","id":"4","content":"C.","createdAt":"2025-09-19T16:18:03Z","version":2},`+
		a+`"user","id":"5","content":"D?","createdAt":"2025-09-19T16:18:04Z","version":0}]`)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"A?", `2025-09-19T16:18:00Z "A?" -> "C."`, `2025-09-19T16:18:04Z "D?" -> ""`,
		`off 2025-09-19T16:18:00Z "A?" -> "A."`, `off 2025-09-19T16:18:00Z "A?" -> "B."`,
	})
}

func TestConversations_Limit(t *testing.T) {
	const message = `{"id":"1","chatId":"c","role":"user","content":"q","contentChunks":[]},`
	var last error
	turns := 0
	for p, err := range conversations(strings.NewReader("["+strings.Repeat(message, 1000)), 10_000) {
		if last = err; err == nil {
			turns += len(p.Turns)
		}
	}
	if errs.CodeOf(last) != errs.TooLarge || turns == 0 {
		t.Errorf("%d turns, %v", turns, last)
	}
}

func TestConversations_Grown(t *testing.T) {
	before := sourcetest.File(t, "testdata/"+name)
	after := strings.Replace(before, "[\n", `[{"chatId":"7c1e0000-aaaa-4bbb-8ccc-0000000000b1","role":"user","content":"Thanks","createdAt":"2025-09-20T16:19:00.100Z"},`, 1)
	sourcetest.Grown(t, &Format, name, before, after)
}

func TestConversations_SharedFixture(t *testing.T) { sourcetest.Fixture(t, &Format, "lechat") }

func FuzzConversations(f *testing.F) {
	sourcetest.Fuzz(f, &Format, name, sourcetest.File(f, "testdata/"+name))
}
