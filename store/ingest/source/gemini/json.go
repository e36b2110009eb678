package gemini

import (
	"strings"

	"lens/store/ingest/chat"
)

// decode parses one entry of the JSON.
func decode(raw []byte) (*chat.Parsed, *chat.Skip) {
	clean, scrubbed := chat.ScrubJSON(raw)
	e := entry{raw: clean}
	if scrubbed {
		e.count.Scrubbed++
	}
	var products, replies []string
	c := chat.NewCursor(clean)
	c.Object(func(name []byte) {
		switch string(name) {
		case "header":
			e.product = c.String()
		case "products":
			products = c.Strings()
		case "title":
			e.title = c.String()
		case "time":
			e.time = c.Time()
		case "safeHtmlItem":
			item := func() {
				c.Object(func(name []byte) {
					if string(name) == "html" || string(name) == "htmlValue" {
						replies = append(replies, plain(c.String()))
					}
				})
			}
			if c.Is('{') {
				item()
				return
			}
			c.Array(item)
		}
	})
	e.product = strings.TrimSpace(e.product + " " + strings.Join(products, " "))
	e.reply = strings.TrimSpace(strings.Join(replies, "\n\n"))
	return e.parsed()
}
