package grok

import (
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Files that a person uploaded are beside the conversations, as prod-mc-asset-server/ID/content: without a name or
// type. Most are text. It goes into the JSON of the question, so that the archive has it.
const (
	assetFolder = "prod-mc-asset-server"
	assetFile   = "content"
)

// assetName matches the names of such files.
var assetName = lazyregexp.New(`(?:^|/)` + assetFolder + `/[^/]+/` + assetFile + `$`)

func isAsset(name string) bool { return assetName().MatchString(name) }

// assets are the files that were uploaded to the conversations of an export.
type assets struct {
	folder source.Folder // nil: none are there
	of     string        // the folder of the export
}

// maxUploaded bounds the bytes of the texts of a conversation: its JSON may name one file again and again.
const maxUploaded = 4 * chat.MaxRaw

// addTo adds the texts of files to the JSON of a message, until that or the conversation has no room for more. left is
// what the conversation has room for.
func (a *assets) addTo(raw []byte, ids []string, left *int, count *chat.Count) []byte {
	var texts []chat.Beside
	size := 0
	for i, id := range ids {
		if size > chat.MaxRaw || *left <= 0 {
			count.Truncated += len(ids) - i
			break
		}
		text, err := a.text(id, count)
		switch {
		case errs.CodeOf(err) == errs.NotFound:
		case err != nil:
			count.Unknown("attachment that cannot be read")
		case text == "":
			count.Unknown("attachment that is not text")
		default:
			texts = append(texts, chat.Beside{ID: id, Text: text})
			size += len(text)
			*left -= len(text)
		}
	}
	if len(texts) == 0 {
		return raw
	}
	raw, without := chat.AddBeside(raw, texts)
	count.Truncated += without
	return raw
}

// text returns the text of a file, "" if it is none.
func (a *assets) text(id string, count *chat.Count) (string, error) {
	if a.folder == nil || id == "" || strings.Contains(id, "/") {
		return "", &errs.Error{Code: errs.NotFound, Op: "grok: read"}
	}
	in, err := a.folder.Open(path.Join(a.of, assetFolder, id, assetFile))
	if err != nil {
		return "", err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, chat.MaxText+1))
	if err != nil {
		return "", err
	}
	if len(data) > chat.MaxText {
		count.Truncated++
		for data = data[:chat.MaxText]; len(data) > chat.MaxText-utf8.UTFMax && !utf8.Valid(data); {
			data = data[:len(data)-1]
		}
	}
	text := string(data)
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return "", nil
	}
	return text, nil
}

// derive returns the files that were uploaded to a conversation, or the text that Grok keeps beside the chats.
func derive(c *store.Conversation) (all []chat.Derived) {
	var turns map[uuid.UUID]uuid.UUID
	for i := range c.Messages {
		m := &c.Messages[i]
		if d, ok := besideChats(c, m); ok {
			all = append(all, d)
			continue
		}
		texts := chat.BesideIn(m.Raw)
		if turns == nil && len(texts) > 0 {
			turns = chat.FollowedTurns(c.Messages)
		}
		for n, t := range texts {
			all = append(all, chat.Derived{
				Kind: store.Attachment, Key: m.SourceID + "/" + strconv.Itoa(n), Title: t.ID,
				Turn: turns[m.ID], From: m.ID, Text: t.Text,
			})
		}
	}
	return all
}
