package opencode

import (
	"encoding/json"
	"errors"
	"io"
	"path"
	"strings"
	"time"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Storage is the layout of the folder storage in ~/.local/share/opencode, of releases before 2026:
// session/PROJECT/SESSION.json, message/SESSION/MESSAGE.json and part/MESSAGE/PART.json.
var Storage = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.OpenCode, Name: "OpenCode", Matches: isSession, Companion: isCompanion, Read: readStorage,
}

// companions matches the names of messages and parts.
var companions = lazyregexp.New(`(?:^|/)(?:message/ses_[^/]+|part/msg_[^/]+)/[^/]+\.json$`)

func isCompanion(name string) bool { return companions().MatchString(name) }

func isSession(s *source.Sample) bool {
	return len(s.Values) == 1 && strings.HasPrefix(s.Values[0].Get("id").Text(), "ses_") &&
		s.Values[0].Get("directory").IsString() && s.Values[0].Get("time").IsObject()
}

// maxFile bounds a file, in bytes.
const maxFile = 64 << 20

func readStorage(f *source.File) source.Conversations {
	return func(yield func(*chat.Parsed, error) bool) {
		raw, err := readFile(f)
		if err != nil {
			yield(nil, err)
			return
		}
		if !json.Valid(raw) {
			yield(nil, &chat.Skip{Reason: "unreadable"})
			return
		}
		s := new(session)
		if s.read(raw); f.Folder == nil {
			yield(nil, &errs.Error{
				Code: errs.Invalid, Op: "opencode: read", Message: "a session without its messages",
				Hint: "import the folder storage, which has them in its folders message and part",
			})
			return
		}
		root := path.Join(path.Dir(f.Name), "../..")
		for _, name := range f.Folder.List(path.Join(root, "message", s.ID)) {
			message, err := s.object(f.Folder, name)
			if err != nil {
				yield(nil, err)
				return
			}
			var parts []object
			for _, name := range f.Folder.List(path.Join(root, "part", message.id)) {
				part, err := s.object(f.Folder, name)
				if err != nil {
					yield(nil, err)
					return
				}
				if part.raw != nil {
					parts = append(parts, part)
				}
			}
			if message.raw == nil {
				s.Drop("unreadable message")
				continue
			}
			s.add(message, time.Time{}, parts)
		}
		if p, skip := s.parsed(); skip != nil {
			yield(nil, skip)
		} else {
			yield(p, nil)
		}
	}
}

// object reads a file of a folder. One that is not JSON has no raw. Its name is its id.
func (s *session) object(folder source.Folder, name string) (object, error) {
	o := object{id: strings.TrimSuffix(path.Base(name), ".json")}
	in, err := folder.Open(name)
	if err != nil {
		return o, err
	}
	defer in.Close()
	o.raw, err = readFile(in)
	if !json.Valid(o.raw) {
		o.raw = nil
	}
	return o, err
}

func readFile(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	var known *errs.Error
	switch {
	case errors.As(err, &known):
		return nil, err
	case err != nil:
		return nil, &errs.Error{
			Code: errs.Unavailable, Op: "opencode: read", Message: "reading failed", Err: err,
			Hint: "check that the disk is connected and that you can read the folder, then import it again",
		}
	case len(data) > maxFile:
		return nil, &errs.Error{
			Code: errs.TooLarge, Op: "opencode: read", Message: "a message is larger than 64 MiB",
			Hint: "check where the folder came from; no chat grows that large",
		}
	}
	return data, nil
}
