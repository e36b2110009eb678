package sqlite

import (
	"fmt"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lens/store"
)

// messagesAtOnce is how many rows InsertMessages has. One statement for several rows takes a fifth less time than one
// for each, which would begin at the roots of the table and its indexes every time.
const messagesAtOnce = 8

// maxBodyAtOnce limits the bodies of InsertMessages, which SQLite keeps until others are bound.
const maxBodyAtOnce = 64 << 10

// messageRow is a message that is going to be written.
type messageRow struct {
	conversation int64 // number of the conversation
	*store.Message
	body []byte
}

// messageRows are messages that wait for others, to be written with them.
type messageRows struct {
	rows  []messageRow
	bound [messagesAtOnce]boundMessage
	stmt  *sqlite3.Stmt // that has the values of bound
}

// boundMessage is what a statement still has of a row before, and mostly need not get again.
type boundMessage struct{ role, contentType, model, summary boundText }

// boundText is the text of a parameter.
type boundText struct {
	text  string
	known bool
}

func (t *boundText) bind(b *binder, i int, text string) {
	if t.known && t.text == text {
		return
	}
	b.text(i, text)
	*t = boundText{strings.Clone(text), true} // without what text is a part of
}

// bind binds the parameters after the first at of them.
func (r *messageRow) bind(b *binder, at int, before *boundMessage) {
	b.id(at+1, r.ID)
	b.int(at+2, r.conversation)
	b.id(at+3, r.Turn)
	b.int(at+4, int64(r.Seq))
	b.id(at+5, r.Parent)
	before.role.bind(b, at+6, string(r.Role))
	b.bool(at+7, r.Visible)
	b.bool(at+8, r.OnPath)
	b.time(at+9, r.Time)
	b.blob(at+10, r.Hash[:])
	b.text(at+11, r.SourceID)
	before.contentType.bind(b, at+12, r.ContentType)
	before.model.bind(b, at+13, r.Model)
	before.summary.bind(b, at+14, r.Summary)
	b.blob(at+15, r.body)
}

// putMessage writes a message, at the latest when putEach is called.
func (t *tx) putMessage(r messageRow) error {
	if len(r.body) > maxBodyAtOnce {
		if err := t.putEach(); err != nil {
			return err
		}
		return t.putOne(r)
	}
	t.waiting.rows = append(t.waiting.rows, r)
	if len(t.waiting.rows) < messagesAtOnce {
		return nil
	}
	if all, err := t.insertAll(); err != nil || all {
		return err
	}
	return t.putEach()
}

// insertAll inserts the waiting messages at once; false if some are stored already.
func (t *tx) insertAll() (all bool, err error) {
	defer recoverPanic(&err)
	stmt, release, err := t.statement("InsertMessages")
	if err != nil {
		return false, err
	}
	w := &t.waiting
	if w.stmt != stmt {
		w.stmt, w.bound = stmt, [messagesAtOnce]boundMessage{}
	}
	b := binder{stmt: stmt}
	parameters := stmt.BindCount() / messagesAtOnce
	for i := range w.rows {
		w.rows[i].bind(&b, i*parameters, &w.bound[i])
	}
	if err := b.exec(); err != nil {
		_ = release()
		return false, fmt.Errorf("InsertMessages: %w", err)
	}
	if all = t.Changes() == messagesAtOnce; all {
		w.rows = emptied(w.rows)
	}
	return all, release()
}

// putEach writes the waiting messages one by one.
func (t *tx) putEach() error {
	for _, r := range t.waiting.rows {
		if err := t.putOne(r); err != nil {
			return err
		}
	}
	t.waiting.rows = emptied(t.waiting.rows)
	return nil
}

// putOne writes a message that may be stored already.
func (t *tx) putOne(r messageRow) (err error) {
	defer recoverPanic(&err)
	stmt, release, err := t.statement("PutMessage")
	if err != nil {
		return err
	}
	b := binder{stmt: stmt}
	r.bind(&b, 0, &boundMessage{})
	if err := b.exec(); err != nil {
		_ = release()
		return fmt.Errorf("PutMessage: %w", err)
	}
	return release()
}

// emptied returns rows without any, and without what they refer to.
func emptied(rows []messageRow) []messageRow {
	clear(rows)
	return rows[:0]
}
