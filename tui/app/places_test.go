package app

import (
	"context"
	"strings"
	"testing"

	"lens/internal/errs"
)

// u from a topic comes back to its row.
func TestHome_BackFromATopic(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 30}} {
		d := atHome(newFake(1200), size[0], size[1])
		d.keys("j j")
		before := strings.Join(d.home.View(), "\n")
		if d.keys("enter"); d.atHome {
			t.Fatal("enter does not look into a topic")
		}
		d.mustShow(t, "topic:")
		if after := strings.Join(d.keys("u").home.View(), "\n"); after != before {
			t.Errorf("u leads to\n%s\nnot to\n%s", after, before)
		}
	}
}

// What is proposed as a bookmark's name is replaced by what is typed.
func TestBookmark_TypingReplacesTheProposedName(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("lentils").keys("2 b").typed("my stew").keys("enter B")
	if all := d.bookmarks.All(); len(all) != 1 || all[0].Name != "my stew" {
		t.Errorf("the bookmarks are %v", all)
	}
}

// One that unpins queries is not done with the list.
func TestPinned_ListStaysWhileQueriesAreLeft(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("lentils").keys("1 p enter").search("apple").keys("1 p enter").search("lemon")
	d.keys("1 P ctrl+x").mustShow(t, "─ Pinned queries", "apple")
	d.mustNotShow(t, "› lentils")
	if d.keys("esc"); d.bar.Search().Text != "lemon" || len(d.finder.Pins().All()) != 1 {
		t.Errorf("%q is searched, %d are pinned", d.bar.Search().Text, len(d.finder.Pins().All()))
	}
	if d.keys("P ctrl+x"); d.dialogs.IsOpen() || len(d.finder.Pins().All()) != 0 {
		t.Errorf("the empty list is open:\n%s", d.screen())
	}
}

// A filter that makes a search fail is part of the text that the next query replaces.
func TestQuery_FilterThatFailsIsReplaced(t *testing.T) {
	e := newFake(300)
	d := explore(e, 120, 40).search("source:chatgpt")
	e.before = func(context.Context, string) error {
		return &errs.Error{Code: errs.Invalid, Message: "no topic is called none"}
	}
	d.search("topic:none").mustShow(t, "error: no topic is called none", "topic:none")
	e.before = nil
	if d.keys("/ esc"); len(d.bar.Search().Chips()) != 2 {
		t.Errorf("without another query, the filters are %q", d.bar.Search().Chips())
	}
	if d.keys("/").typed("lentils").keys("enter"); d.bar.Search().Text != "lentils" {
		t.Errorf("searched is %q", d.bar.Search().Text)
	}
	d.mustShow(t, "best first")
}

// A failure that passes is not due to the filters, which the next query keeps.
func TestQuery_FiltersStayWhereNothingIsWrongWithThem(t *testing.T) {
	for _, code := range []errs.Code{errs.RateLimited, errs.Unavailable, errs.Internal} {
		e := newFake(300)
		d := explore(e, 120, 40).search("source:chatgpt")
		e.before = func(context.Context, string) error { return &errs.Error{Code: code, Message: "come back later"} }
		d.search("pie").mustShow(t, "error: come back later")
		e.before = nil
		if d.keys("/").typed("lentils").keys("enter"); d.bar.Search().Text != "lentils source:chatgpt" {
			t.Errorf("%s: searched is %q", code, d.bar.Search().Text)
		}
	}
}
