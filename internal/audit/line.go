package audit

import (
	"bytes"
	"crypto/hmac"
	"encoding/json"
	"time"
)

// maxLine is the greatest length of a line in bytes, including its line feed.
const maxLine = 2048

// timeLayout has a fixed width, so that a line has only one spelling.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// line is a recorded decision. Its fields are written in this order without white space; parseLine accepts nothing
// else.
type line struct {
	Seq       uint64 `json:"seq"` // from 1
	TS        string `json:"ts"`
	Act       Act    `json:"act"`
	Reason    string `json:"reason"`
	QID       string `json:"qid"`
	Mode      string `json:"mode"`
	Mechanism string `json:"mechanism"`
	Probes    int    `json:"probes"`
	K         int    `json:"k"`
	Hits      int    `json:"n_hits"`
	Prev      string `json:"prev"`          // MAC of the previous line, "" for the first
	MAC       string `json:"mac,omitempty"` // of the line without this field
}

func newLine(prev head, d Decision, now time.Time) line {
	return line{
		Seq: prev.Seq + 1, TS: now.UTC().Format(timeLayout), Act: d.Act, Reason: d.Reason,
		QID: d.QID, Mode: d.Mode, Mechanism: d.Mechanism,
		Probes: d.Probes, K: d.K, Hits: d.Hits, Prev: prev.MAC,
	}
}

// text returns the only spelling of a line.
func (l line) text() []byte {
	text, err := json.Marshal(l)
	if err != nil {
		panic("audit: " + err.Error()) // strings and numbers can always be encoded
	}
	return text
}

// mac computes the line's MAC.
func (l line) mac(key []byte) string {
	l.MAC = ""
	return seal(key, l.text())
}

// seal sets the MAC and returns the line's text.
func (l *line) seal(key []byte) []byte {
	l.MAC = l.mac(key)
	return l.text()
}

func (l line) isSealed(key []byte) bool { return hmac.Equal([]byte(l.MAC), []byte(l.mac(key))) }

// parseLine parses a line without its line feed. It returns false for anything that Append would not write.
func parseLine(text []byte) (line, bool) {
	var l line
	if len(text) >= maxLine || json.Unmarshal(text, &l) != nil || l.Seq == 0 || l.MAC == "" {
		return line{}, false
	}
	return l, bytes.Equal(l.text(), text)
}

// lastLine returns the last line that ends in a line feed, without it, and its offset; nil if there is none.
func lastLine(text []byte) (whole []byte, begin int) {
	end := bytes.LastIndexByte(text, '\n')
	if end < 0 {
		return nil, 0
	}
	begin = bytes.LastIndexByte(text[:end], '\n') + 1
	return text[begin:end], begin
}

// head identifies the last line of a chain.
type head struct {
	Seq uint64 `json:"seq"`
	MAC string `json:"mac"`
}

// sealedHead is a head with a MAC, so that a head for an earlier line cannot be made without the key.
type sealedHead struct {
	head
	Seal string `json:"seal"`
}

func sealHead(key []byte, h head) []byte {
	text, err := json.Marshal(h)
	if err != nil {
		panic("audit: " + err.Error())
	}
	text, err = json.Marshal(sealedHead{h, seal(key, append([]byte("head "), text...))})
	if err != nil {
		panic("audit: " + err.Error())
	}
	return text
}

func openHead(key, text []byte) (head, bool) {
	var h sealedHead
	if json.Unmarshal(text, &h) != nil {
		return head{}, false
	}
	return h.head, hmac.Equal(bytes.TrimSpace(text), sealHead(key, h.head))
}
