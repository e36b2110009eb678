package store

import (
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Ord is the storage ordinal of a turn: small, dense enough to index arrays by, never reused. No turn
// has Ord 0.
type Ord uint32

// Source is the kind of file that a conversation was imported from.
type Source string

// The sources that Lens reads.
const (
	ChatGPT    Source = "chatgpt"
	Claude     Source = "claude"
	Gemini     Source = "gemini"
	AIStudio   Source = "aistudio"
	Copilot    Source = "copilot" // Microsoft's
	DeepSeek   Source = "deepseek"
	Grok       Source = "grok"
	LeChat     Source = "lechat"
	LibreChat  Source = "librechat"
	OpenWebUI  Source = "openwebui"
	Perplexity Source = "perplexity"
	Aider      Source = "aider"
	Amp        Source = "amp"
	ClaudeCode Source = "claude-code"
	Cline      Source = "cline" // also Roo Code and Kilo Code, which are made of it
	Codex      Source = "codex"
	CopilotCLI Source = "copilot-cli"
	Cursor     Source = "cursor"
	GeminiCLI  Source = "gemini-cli"
	Goose      Source = "goose"
	OpenCode   Source = "opencode"
	Pi         Source = "pi"
	VSCode     Source = "vscode" // GitHub Copilot's chats in Visual Studio Code
	Zed        Source = "zed"
	Other      Source = "other"     // chats in a layout that many programs write
	Documents  Source = "documents" // files of a folder; each file is a conversation, each of its chunks a turn
	Chunks     Source = "chunks"    // records of chunk JSONL; each is a conversation of one turn
)

// Chunked reports whether the turns of s are chunks of text rather than turns of a chat. Such turns
// have a Chunk.
func (s Source) Chunked() bool { return s == Documents || s == Chunks || s.Derived() }

// Role is the author of a message.
type Role string

// The roles that Lens distinguishes. The role "function" of older exports, and every role not listed here, is
// Tool; Raw keeps the original.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	System    Role = "system"
	Tool      Role = "tool"
)

// Hash is the first 16 bytes of a SHA-256. Comparing hashes shows whether something changed.
type Hash [16]byte

// Hashes is a list of hashes, concatenated.
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

// Conversation is one chat with its messages and turns. Times are UTC with microseconds; the zero time
// is unknown.
type Conversation struct {
	ID       uuid.UUID // as exported, or the UUIDv5 of an exported id that is not a UUID
	SourceID string    // as exported
	Source   Source
	Title    string // the first line of the first user message if the export has none
	Created  time.Time
	Updated  time.Time
	Model    string // default model of the conversation, if known
	Hash     Hash   // over everything imported

	// Superseded are the hashes of the other versions that were imported.
	Superseded Hashes

	Document *Document // the file that it was made from; nil unless Source is chunked

	Messages []Message // every branch, parents before children
	Turns    []Turn    // in conversation order: the active path first, then the branches
}

// Message is one node with a message in the conversation's tree.
type Message struct {
	ID          uuid.UUID
	SourceID    string
	Parent      uuid.UUID // nearest ancestor with a message; uuid.Nil for a root
	Seq         int       // order in the conversation, parents before children
	Role        Role
	ContentType string // as exported: text, code, thoughts …
	Text        string // the readable text; markers resolved
	Summary     string // turn_summary of the message's metadata, usually empty
	Model       string
	Time        time.Time
	Visible     bool      // shown as prose, unlike tool calls, hidden notes and context
	OnPath      bool      // on the active path
	Turn        uuid.UUID // the turn that its text belongs to; uuid.Nil for none
	Raw         []byte    // the exported JSON, cleaned to valid UTF-8
	Hash        Hash      // over all fields above except Seq
}

// CodeType is the content type of a message that is code as a whole.
const CodeType = "code"

// TimeSource is the origin of a turn's time.
type TimeSource uint8

// The origins from best to worst. An Undated turn has a zero time.
const (
	FromMessage TimeSource = iota
	FromConversation
	FromAncestor
	Undated
)

// Turn is one user message with every visible assistant message up to the next user message. A
// conversation that an assistant opens begins with a turn without user text, whose UserMessage is its
// first reply. An answer that was not chosen is a turn of its own, off the path and not embeddable, with the same
// UserMessage: that message belongs to the turn with the answer that was.
type Turn struct {
	ID           uuid.UUID // TurnID of the user message when it was first imported; of an answer not chosen, AnswerID
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
	Embeddable   bool // has user and assistant text, and was chosen; a chunk: has text
	Hash         Hash // over texts, time, path and position

	Chunk *Chunk // the additional fields of a chunk; nil for a turn of a chat

	// Filled on reading, ignored on writing. From the messages: the user message's text; the nonempty texts of
	// the visible assistant messages in Seq order, separated by an empty line; the last nonempty summary.
	UserText      string
	AssistantText string
	Summary       string

	// When this version was stored; zero on writing: now. The digest of a published shard has the fields in this order.
	Created time.Time

	// CodeType reports that a message whose text is among these has the content type CodeType.
	CodeType bool `json:"-"`
}

// turnSpace is the UUIDv5 namespace of turn ids.
var turnSpace = uuid.MustParse("6c656e73-0000-5000-8000-7475726e6964") // "lens", "turnid" in ASCII

// TurnID returns the id of the turn that userMessage opens. It is the same in every archive and after
// every re-import.
func TurnID(userMessage uuid.UUID) uuid.UUID { return turnUUID(userMessage[:]) }

// AnswerID returns the id of an answer to userMessage that begins with the assistant message first. It is the id of the
// turn of an answer that was not chosen; the one that was chosen answers to it, too.
func AnswerID(userMessage, first uuid.UUID) uuid.UUID {
	return turnUUID([]byte(userMessage.String() + "/" + first.String()))
}

// turnUUID is uuid.NewSHA1 in turnSpace without its allocations: an import makes two ids for each turn.
func turnUUID(name []byte) (id uuid.UUID) {
	var text [128]byte
	sum := sha1.Sum(append(append(text[:0], turnSpace[:]...), name...)) //nolint:gosec // UUIDv5 is defined so
	copy(id[:], sum[:])
	id[6] = id[6]&0x0f | 5<<4 // the version
	id[8] = id[8]&0x3f | 0x80 // the variant of RFC 9562
	return id
}

// Answer is one of the answers to a user message.
type Answer struct {
	Turn  uuid.UUID
	First uuid.UUID // its first assistant message; uuid.Nil: the turn has none
}

// LensSummary is the content type of the message that holds a summary made by Lens. It has no text and is part of no
// answer.
const LensSummary = "lens_turn_summary"

// EmbeddedText returns the text of a turn that is embedded, recipe version 1. A chunk has no speakers:
// it is its headings followed by its text.
func (t *Turn) EmbeddedText() string {
	if t.Summary != "" {
		return t.beforeReply() + t.Summary
	}
	return t.beforeReply() + t.AssistantText
}

// EmbeddedReply returns the part of an embedded text that is the reply or its summary. ok is false if the text does not
// reach so far, or is not one of t.
func (t *Turn) EmbeddedReply(text string) (reply string, ok bool) {
	reply, ok = strings.CutPrefix(text, t.beforeReply())
	return reply, ok && reply != ""
}

// beforeReply returns what an embedded text has before the reply.
func (t *Turn) beforeReply() string {
	switch {
	case !t.Source.Chunked():
		return "User: " + t.UserText + "\nAssistant: "
	case t.UserText == "":
		return ""
	}
	return t.UserText + "\n"
}

// Recipe is the version of EmbeddedText. A different recipe makes a different generation.
const Recipe = 1

// TermCount is a term of the keyword index and its number of occurrences in a text.
type TermCount struct {
	Term  string
	Count uint32
}

// Postings lists the turns with a term: Ords in ascending order, Counts[i] occurrences in Ords[i].
type Postings struct {
	Ords   []Ord
	Counts []uint32
}

// Neighbor is a turn found by its vector. Similarity is the cosine, from -1 to 1.
type Neighbor struct {
	Ord        Ord
	Similarity float64
}

// GenerationID identifies a generation within one archive.
type GenerationID int64

// Prefixes are put before the texts of queries and of turns when they are embedded: many models were trained with them.
// The zero value has none.
type Prefixes struct{ Query, Document string }

// Generation is the set of vectors of one model and recipe. Once any is complete, exactly one is
// active; queries use only that one.
type Generation struct {
	ID       GenerationID
	Provider string
	Model    string
	Dim      int
	Recipe   int      // the version of EmbeddedText
	Prefixes Prefixes // part of the recipe: another prefix makes another generation
	Active   bool
	Vectors  int       // number of vectors; filled on reading
	Created  time.Time // zero on writing: now
}

// MadeAt returns created, or now if that is zero.
func MadeAt(created, now time.Time) time.Time {
	if created.IsZero() {
		return now
	}
	return created
}

// Name distinguishes the generations of one model.
func (g Generation) Name() string { return fmt.Sprintf("%s/%d/%s", g.Model, g.Dim, g.RecipeName()) }

// RecipeName names the recipe: its version, then a checksum of the prefixes if there are any.
func (g Generation) RecipeName() string {
	if g.Prefixes == (Prefixes{}) {
		return strconv.Itoa(g.Recipe)
	}
	sum := sha256.Sum256([]byte(g.Prefixes.Query + "\x00" + g.Prefixes.Document)) // stored texts have no NUL
	return fmt.Sprintf("%d-%x", g.Recipe, sum[:4])
}

// Vector is a turn's embedding. Values are stored as IEEE 754 halves.
type Vector struct {
	Turn        uuid.UUID
	Text        string // the exact text that was embedded; "": unknown
	Content     Hash   // its hash, needed only if Text is unknown
	UsedSummary bool
	Values      []float32

	// Of a vector that is copied from another archive.
	Stored  bool      // Values are widened halves: they are stored as they are, and not scaled again
	Created time.Time // when it was first stored; zero: now
}

// ConversationState is what a re-import needs to know of a stored conversation.
type ConversationState struct {
	Hash       Hash
	Created    time.Time
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

// ImportRun is the record of one import.
type ImportRun struct {
	ID       uuid.UUID
	Started  time.Time
	Finished time.Time
	Receipt  []byte // JSON
}
