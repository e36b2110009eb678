package store

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Ord is the storage ordinal of a turn: small, dense enough to index arrays by, never reused. 0 is no turn.
type Ord uint32

// Source names the kind of file that a conversation came from.
type Source string

// The sources that Lens reads.
const (
	ChatGPT   Source = "chatgpt"
	Claude    Source = "claude"
	Gemini    Source = "gemini"
	Documents Source = "documents" // files of a folder: each is a conversation, its chunks are the turns
	Chunks    Source = "chunks"    // records of chunk JSONL: each is a conversation of one turn
)

// Chunked reports whether the turns of s are chunks: pieces of text that nobody said, with a Chunk.
func (s Source) Chunked() bool { return s == Documents || s == Chunks }

// Role is who wrote a message.
type Role string

// The roles that are told apart. Older exports' "function" is Tool; any other role is Tool too, and shown as what it was in Raw.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	System    Role = "system"
	Tool      Role = "tool"
)

// Hash is the first 16 bytes of a SHA-256: what decides whether something changed.
type Hash [16]byte

// Hashes is a list of hashes, one behind the other.
type Hashes []byte

// Add returns the list with h at its end.
func (l Hashes) Add(h Hash) Hashes { return append(l[:len(l):len(l)], h[:]...) }

// Has reports whether h is in the list.
func (l Hashes) Has(h Hash) bool {
	for each := range slices.Chunk(l, len(h)) {
		if string(each) == string(h[:]) {
			return true
		}
	}
	return false
}

// Conversation is one chat with everything in it. Times are UTC with microseconds; a zero time is unknown.
type Conversation struct {
	ID       uuid.UUID // as exported, or UUIDv5 of the exported id where that is no UUID
	SourceID string    // as exported
	Source   Source
	Title    string // first line of the first user message where the export has none
	Created  time.Time
	Updated  time.Time
	Model    string // default model of the conversation, where known
	Hash     Hash   // over everything imported of it

	// Superseded are the versions, by their hashes, that gave way to this one though they were updated at the same time.
	Superseded Hashes

	Document *Document // the file that it was made of, where its Source is chunked; else nil

	Messages []Message // every branch, parents before children
	Turns    []Turn    // in conversation order: the active path first, then the branches
}

// Message is one node of the conversation's tree that holds a message.
type Message struct {
	ID          uuid.UUID
	SourceID    string
	Parent      uuid.UUID // nearest ancestor that holds a message; uuid.Nil at a root
	Seq         int       // order in the conversation, parents before children
	Role        Role
	ContentType string // as exported: text, code, thoughts …
	Text        string // what a person would read; markers resolved
	Summary     string // turn_summary of the message's metadata, mostly empty
	Model       string
	Time        time.Time
	Visible     bool      // prose that was shown in the conversation, as opposed to tools, hidden notes and context
	OnPath      bool      // on the active path
	Turn        uuid.UUID // the turn whose text it belongs to; uuid.Nil for none
	Raw         []byte    // the exported JSON, scrubbed to valid UTF-8
	Hash        Hash      // over all fields above but Seq
}

// TimeSource says where a turn's time came from.
type TimeSource uint8

// From the best to the worst; Undated turns have a zero time.
const (
	FromMessage TimeSource = iota
	FromConversation
	FromAncestor
	Undated
)

// Turn is one user message and every visible assistant message up to the next user message. A conversation that an assistant opens
// begins with a turn without user text, whose UserMessage is its first reply.
type Turn struct {
	ID           uuid.UUID // TurnID of the user message, as first imported
	Ord          Ord
	Conversation uuid.UUID
	Title        string // of the conversation; filled on reading, ignored on writing
	Source       Source // likewise
	UserMessage  uuid.UUID
	Assistant    uuid.UUID // the last of its assistant messages; uuid.Nil for none
	Position     int       // in the conversation, from 0: the active path first, then the branches
	OnPath       bool
	Time         time.Time
	TimeSource   TimeSource
	Model        string
	Length       int  // number of index terms in its text
	Embeddable   bool // has user and assistant text; of a chunk: has text
	Hash         Hash // over texts, time, path and position

	Chunk *Chunk // what a chunk has besides; nil for an exchange of a chat

	// Filled on reading, ignored on writing. From the messages: the user message's text, the texts of the visible assistant messages
	// that are not empty in Seq order with an empty line between them, and the last of their summaries that is not empty.
	UserText      string
	AssistantText string
	Summary       string
	Created       time.Time // when it came into the archive as it is; zero where that is not kept
}

// turnSpace is the UUIDv5 namespace of turn ids.
var turnSpace = uuid.MustParse("6c656e73-0000-5000-8000-7475726e6964") // "lens", "turnid" in ASCII

// TurnID returns the id of the turn that userMessage opens: the same in every archive and after every re-import.
func TurnID(userMessage uuid.UUID) uuid.UUID { return uuid.NewSHA1(turnSpace, userMessage[:]) }

// EmbeddedText returns what of a turn is embedded: recipe version 1. Nobody said a chunk: it is the text below its headings.
func (t *Turn) EmbeddedText() string {
	reply := t.AssistantText
	if t.Summary != "" {
		reply = t.Summary
	}
	switch {
	case !t.Source.Chunked():
		return "User: " + t.UserText + "\nAssistant: " + reply
	case t.UserText == "":
		return reply
	}
	return t.UserText + "\n" + reply
}

// Recipe is the version of EmbeddedText: another recipe makes another generation.
const Recipe = 1

// TermCount is a term of the keyword index and how often a text holds it.
type TermCount struct {
	Term  string
	Count uint32
}

// Postings lists where a term occurs: Ords ascending, Counts[i] times in Ords[i].
type Postings struct {
	Ords   []Ord
	Counts []uint32
}

// Neighbor is a turn found by its vector. Similarity is the cosine, -1 to 1.
type Neighbor struct {
	Ord        Ord
	Similarity float64
}

// GenerationID names a generation inside one archive.
type GenerationID int64

// Generation is one way of making vectors. Exactly one is active once any is complete; queries use only that one.
type Generation struct {
	ID       GenerationID
	Provider string
	Model    string
	Dim      int
	Recipe   int
	Active   bool
	Vectors  int       // how many there are; filled on reading
	Created  time.Time // filled on reading
}

// Vector is a turn's embedding. Values are stored as IEEE 754 halves.
type Vector struct {
	Turn        uuid.UUID
	Content     Hash // of the text that was embedded
	UsedSummary bool
	Values      []float32
}

// ConversationState is what a re-import needs to know of a stored conversation.
type ConversationState struct {
	Hash       Hash
	Updated    time.Time
	Superseded Hashes
}

// MessageState is what a re-import needs to know of a stored message.
type MessageState struct {
	Conversation uuid.UUID
	Hash         Hash
}

// TurnState is what a re-import needs to know of a stored turn.
type TurnState struct {
	Conversation uuid.UUID
	Ord          Ord
	Hash         Hash
	OnPath       bool
}

// Run is the record of one import.
type Run struct {
	ID       uuid.UUID
	Started  time.Time
	Finished time.Time
	Receipt  []byte // JSON
}
