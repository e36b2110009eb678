package librechat

import (
	"strings"
	"testing"

	"lens/store/ingest/source/sourcetest"
)

const kites = "testdata/Kites.csv"

func TestCSV(t *testing.T) {
	data := sourcetest.File(t, kites)
	for _, d := range []string{data, "\uFEFF" + data, strings.ReplaceAll(data, "\n", "\r\n")} {
		if !sourcetest.Matches(t, &CSV, "Kites.csv", d) {
			t.Error("the table does not match")
		}
	}
	all, skipped := sourcetest.Parse(t, &CSV, "chats/Kites.csv", data)
	sourcetest.Equal(t, skipped, nil)
	sourcetest.Equal(t, sourcetest.Outline(all), []string{
		"Kites",
		`2026-05-01T10:00:01Z "Why a tail,\nand how long?" -> "For \"balance\"."`,
		`2026-05-01T10:01:00Z "true" -> ""`,
	})
	if c := all[0].Count; c.Skipped["unreadable message"] != 1 || c.Messages != 4 {
		t.Errorf("got %+v", c)
	}
}

func TestCSV_Others(t *testing.T) {
	for _, other := range []string{"sender,text\na,b\n", "", "Conversation,Time,Author,Message\n"} {
		if sourcetest.Matches(t, &CSV, "x.csv", other) {
			t.Errorf("%q matches", other)
		}
	}
	header, _, _ := strings.Cut(sourcetest.File(t, kites), "\n")
	if _, skipped := sourcetest.Parse(t, &CSV, "x.csv", header+"\n"); len(skipped) != 1 || skipped[0] != "no messages" {
		t.Errorf("skipped %q", skipped)
	}
}

// TestCSV_Rows bounds the memory that many short rows take. A table that is too long is skipped as its JSON is.
func TestCSV_Rows(t *testing.T) {
	const header = "sender,text,isCreatedByUser,messageId,parentMessageId\n"
	all, skipped := sourcetest.Parse(t, &CSV, "x.csv", header+strings.Repeat("User,a,true,m,\n", 1000))
	if len(all) != 1 || len(skipped) != 0 {
		t.Errorf("%d conversations, skipped %q", len(all), skipped)
	}
	skippedWhole(t, &CSV, "x.csv", header+strings.Repeat("User,a,true,m,\n", 200_000)+"short\n", 200_001)
}

func TestCSV_Grown(t *testing.T) {
	after := sourcetest.File(t, kites)
	before := strings.Join(strings.SplitAfter(after, "\n")[:4], "")
	sourcetest.Grown(t, &CSV, "Kites.csv", before, after)
}

func FuzzCSV(f *testing.F) {
	sourcetest.Fuzz(f, &CSV, "Kites.csv", sourcetest.File(f, kites), "sender,text,isCreatedByUser,messageId,parentMessageId\n\xff,\",,,\na,b,true,,\n")
}
