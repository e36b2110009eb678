package audit

import (
	"bytes"
	"crypto/hmac"
	"encoding/json"
	"time"
)

// maxLine bounds a line, its line feed included.
const maxLine = 2048

// stamp is how times are written: of one length, so that a line has one spelling.
const stamp = "2006-01-02T15:04:05.000000Z"

// line is a decision as it is recorded. Its fields stand in this order, with nothing between them: parseLine takes no other spelling.
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
	Prev      string `json:"prev"`          // MAC of the line before, "" for the first
	MAC       string `json:"mac,omitempty"` // over the line without it
}

func newLine(prev head, d Decision, now time.Time) line {
	return line{
		Seq: prev.Seq + 1, TS: now.UTC().Format(stamp), Act: d.Act, Reason: d.Reason, QID: d.QID, Mode: d.Mode, Mechanism: d.Mechanism,
		Probes: d.Probes, K: d.K, Hits: d.Hits, Prev: prev.MAC,
	}
}

// text returns the one spelling of a line.
func (l line) text() []byte {
	text, err := json.Marshal(l)
	if err != nil {
		panic("audit: " + err.Error()) // strings and numbers always can be
	}
	return text
}

// mac returns what the line's MAC must be.
func (l line) mac(key []byte) string {
	l.MAC = ""
	return seal(key, l.text())
}

// seal fills in the MAC and returns the line's text.
func (l *line) seal(key []byte) []byte {
	l.MAC = l.mac(key)
	return l.text()
}

func (l line) isSealed(key []byte) bool { return hmac.Equal([]byte(l.MAC), []byte(l.mac(key))) }

// parseLine reads one line without its line feed; false for what no Append wrote.
func parseLine(text []byte) (line, bool) {
	var l line
	if len(text) >= maxLine || json.Unmarshal(text, &l) != nil || l.Seq == 0 || l.MAC == "" {
		return line{}, false
	}
	return l, bytes.Equal(l.text(), text)
}

// lastLine returns the last line that has its line feed, without it, and where it begins; nil when there is none.
func lastLine(text []byte) (whole []byte, begin int) {
	end := bytes.LastIndexByte(text, '\n')
	if end < 0 {
		return nil, 0
	}
	begin = bytes.LastIndexByte(text[:end], '\n') + 1
	return text[begin:end], begin
}

// head is where a chain ends.
type head struct {
	Seq uint64 `json:"seq"`
	MAC string `json:"mac"`
}

// sealedHead binds a head to the key: one that names an earlier line cannot be made without it.
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
