package ingest

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/klauspost/compress/s2"

	"lens/store"
	"lens/store/ingest/chat"
)

// The versions of a conversation are stored as
//
//	0 format S2(gob of []keptVersion)
//
// where format is versionsFormat. Gob finds fields by name, so the kept types have their own: they change only with the
// format. Before it had a number, the value was S2(gob of []store.Conversation), whose fields had the same names then.
// It never begins with 0, because the size of its content does not.
const versionsFormat = 1

// keptVersion is a version of a conversation of a chat; its messages tell its turns.
type keptVersion struct {
	ID       uuid.UUID
	SourceID string
	Source   string
	Title    string
	Created  time.Time
	Updated  time.Time
	Model    string
	Hash     [16]byte
	Messages []keptMessage
}

type keptMessage struct {
	ID          uuid.UUID
	SourceID    string
	Parent      uuid.UUID
	Seq         int
	Role        string
	ContentType string
	Text        string
	Summary     string
	Model       string
	Time        time.Time
	Visible     bool
	OnPath      bool
	Turn        uuid.UUID
	Raw         []byte
	Hash        [16]byte
}

func keepVersion(v *store.Conversation) keptVersion {
	kept := keptVersion{
		ID: v.ID, SourceID: v.SourceID, Source: string(v.Source), Title: v.Title, Created: v.Created, Updated: v.Updated,
		Model: v.Model, Hash: v.Hash, Messages: make([]keptMessage, len(v.Messages)),
	}
	for i := range v.Messages {
		m := &v.Messages[i]
		kept.Messages[i] = keptMessage{
			ID: m.ID, SourceID: m.SourceID, Parent: m.Parent, Seq: m.Seq, Role: string(m.Role), ContentType: m.ContentType,
			Text: m.Text, Summary: m.Summary, Model: m.Model, Time: m.Time, Visible: m.Visible, OnPath: m.OnPath,
			Turn: m.Turn, Raw: m.Raw, Hash: m.Hash,
		}
	}
	return kept
}

func (k *keptVersion) conversation() *store.Conversation {
	v := &store.Conversation{
		ID: k.ID, SourceID: k.SourceID, Source: store.Source(k.Source), Title: k.Title, Created: k.Created,
		Updated: k.Updated, Model: k.Model, Hash: k.Hash, Messages: make([]store.Message, len(k.Messages)),
	}
	for i := range k.Messages {
		m := &k.Messages[i]
		v.Messages[i] = store.Message{
			ID: m.ID, SourceID: m.SourceID, Parent: m.Parent, Seq: m.Seq, Role: store.Role(m.Role),
			ContentType: m.ContentType, Text: m.Text, Summary: m.Summary, Model: m.Model, Time: m.Time,
			Visible: m.Visible, OnPath: m.OnPath, Turn: m.Turn, Raw: m.Raw, Hash: m.Hash,
		}
	}
	return v
}

func encodeVersions(versions []*store.Conversation) ([]byte, error) {
	kept := make([]keptVersion, len(versions))
	for i, v := range versions {
		kept[i] = keepVersion(v)
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(kept); err != nil {
		return nil, fmt.Errorf("ingest: cannot encode versions: %w", err)
	}
	return append([]byte{0, versionsFormat}, s2.Encode(nil, b.Bytes())...), nil
}

var errNewerVersions = errors.New("a newer Lens wrote them")

func decodeVersions(body []byte) (versions []*store.Conversation, err error) {
	if len(body) > 1 && body[0] == 0 {
		if body[1] != versionsFormat {
			return nil, fmt.Errorf("ingest: cannot read versions of a conversation: %w", errNewerVersions)
		}
		body = body[2:]
	}
	var kept []keptVersion
	plain, err := s2.Decode(nil, body)
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(plain)).Decode(&kept)
	}
	if err != nil {
		return nil, fmt.Errorf("ingest: damaged versions of a conversation: %w", err)
	}
	for i := range kept {
		v := kept[i].conversation()
		chat.MakeTurns(v)
		versions = append(versions, v)
	}
	return versions, nil
}
