package gemini

import (
	"bytes"

	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/source"
)

// Format is the layout of Takeout's activity logs, as JSON and as HTML.
var Format = source.Format{
	Source: store.Gemini, Name: "Gemini", Matches: matches, Read: source.Reads(Conversations),
	Get:      "takeout.google.com, My Activity, Gemini Apps; a zip",
	Download: lazyregexp.New(`(?i)^takeout-\d{8}t\d{6}z.*\.(?:zip|tgz)$`),
}

// matches goes by members that the entries of all Google products have. The entries of other products in a log of
// Gemini are left out one by one.
func matches(s *source.Sample) bool {
	if len(s.Values) == 0 {
		return isActivity(s.Head)
	}
	return s.Any(func(e source.Value) bool {
		return (e.Has("safeHtmlItem") || e.Has("activityControls") || e.Has("title", "time")) && isOfGemini(e)
	})
}

func isOfGemini(e source.Value) bool {
	if !e.Has("header") && !e.Has("products") {
		return e.Has("safeHtmlItem") || e.Has("activityControls")
	}
	ofGemini := func(product source.Value) bool { return isGemini(product.Text()) }
	return ofGemini(e.Get("header")) || e.Get("products").Any(ofGemini)
}

// isActivity reports whether HTML that begins with head is an activity log of Gemini or Bard.
func isActivity(head []byte) bool {
	lower := bytes.ToLower(head)
	product := bytes.Contains(lower, []byte("gemini")) || bytes.Contains(lower, []byte("bard"))
	return product && bytes.Contains(lower, []byte("outer-cell"))
}
