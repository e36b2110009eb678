package retrieval

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
)

// Peek is the result of a search: what comes near a query, and when. Times in JSON are RFC 3339 UTC.
type Peek struct {
	Query     string     `json:"query"`            // the ranked words; "" where matches are listed by time
	Like      uuid.UUID  `json:"like,omitzero"`    // the turn of a Like request, instead of a query
	Mode      query.Mode `json:"mode"`             // as ranked: never query.Auto
	Dates     *Dates     `json:"dates,omitempty"`  // near which turns rank higher; absent if the query names none
	Notice    string     `json:"notice,omitempty"` // on the dates, on each thing not done as asked, and HardlySpeaks
	Histogram Histogram  `json:"histogram"`
	Peaks     []Peak     `json:"peaks"` // in order of time

	// Occurrences counts the turns with all words of the query, in the bins of Histogram; null where there are no words to
	// look for.
	Occurrences *Occurrences `json:"occurrences"`

	Mentions Mentions     `json:"mentions"`
	Matches  []Match      `json:"matches"`
	Titles   []TitleMatch `json:"titles"` // up to five conversations with the words in their title, best first

	// TitleWord is the only word of the query that Titles have, the rarest known, where no title has all; "" if they do.
	TitleWord string `json:"title_word,omitempty"`

	Coverage Coverage `json:"coverage"`
	Timing   Timing   `json:"timing_ms"`

	// Times holds the times of the dated ones of the top_k matches, ascending, in UTC seconds: Rebin counts them.
	Times []int64 `json:"-"`

	// Words find the words of the query in texts. Those of a turn that is not Worded only look like them.
	Words *Words `json:"-"`

	// LeftOut is the part of Notice, at its end, that is not about the mode: the dates, what the filter did not look at,
	// and that the archive hardly speaks of the query.
	LeftOut string `json:"-"`

	// Language is the part of Notice that says what the language of the query leaves out: all turns in others, or meaning.
	// It is followed by nothing but HardlySpeaks.
	Language string `json:"-"`

	// TitleCount is how many conversations there are of which Titles has the first.
	TitleCount int `json:"-"`

	// Partial says that a quick search left texts unread which decide: the same query without Quick reads them.
	Partial bool `json:"-"`

	allBranches bool
	filtered    bool // not all of the archive was searched, for more than a window
	windowed    bool // a window was searched
	held        string
}

// Dates are the dates that a query names.
type Dates struct {
	Text    string       `json:"text"`    // as the query has them
	From    *time.Time   `json:"from"`    // the start of the first window, null if it is open
	To      *time.Time   `json:"to"`      // the end of the last window, null if it is open
	Windows []DateWindow `json:"windows"` // in the order of the text; a month without a year has one in each year
}

// DateWindow is the half-open span [From, To) in which turns are near a date. Null is open.
type DateWindow struct {
	From *time.Time `json:"from"`
	To   *time.Time `json:"to"`
}

// Histogram counts turns over time. Bins are contiguous, empty ones included. Those of a Peek cover its matches and
// occurrences.
type Histogram struct {
	Bin     string         `json:"bin"`
	Bins    []HistogramBin `json:"buckets"`
	Total   int            `json:"total"`   // dated and undated
	Undated int            `json:"undated"` // in no bin
}

// Occurrences counts all turns that pass the filter and hold all words of the query, beyond top_k too: without common
// words, in any form that the index takes for the same, without synonyms, and phrases as they stand.
type Occurrences struct {
	Histogram
	Peaks []Peak `json:"peaks"` // in order of time

	Times []int64 `json:"-"` // of the dated ones, ascending, in UTC seconds
}

// HistogramBin is the half-open span [Start, End).
type HistogramBin struct {
	Start    time.Time `json:"start"`
	End      time.Time `json:"end"`
	Count    int       `json:"count"`
	Baseline int       `json:"baseline"` // all turns in it; off the active path only if all branches are searched
	Share    float64   `json:"share"`    // count / baseline; 0 without turns
}

// Peak is a span [Start, End) of bins in which the matches stand out against all turns; timebin.Peaks says how.
// Turns outside the searched window are not counted.
type Peak struct {
	Start    time.Time `json:"start"`
	End      time.Time `json:"end"`
	Count    int       `json:"count"`
	Baseline int       `json:"baseline"`
	Share    float64   `json:"share"`
	Expected float64   `json:"expected"` // of the count, were the matches spread over the window like all turns
	P        float64   `json:"p"`        // the probability of any such bin by chance

	// What sets it apart from the other matches of a search; absent from peaks of topics.
	Words []string `json:"words,omitempty"` // up to three, the most telling first
	Title string   `json:"title,omitempty"` // of the conversation with more than half of its matches
}

// Mentions says when the query comes up at all: in the matches, and in every other eligible turn that holds all of
// its words, also beyond top_k.
type Mentions struct {
	Count   int      `json:"count"` // the undated too
	First   *Mention `json:"first"` // null when nothing is dated
	Last    *Mention `json:"last"`
	Silence *Silence `json:"longest_silence"` // null if none lasts a day
}

// Mention is a turn in which the query comes up.
type Mention struct {
	TurnID uuid.UUID `json:"turn_id"`
	Time   time.Time `json:"create_time"`
}

// Silence is the time from one mention to the next. Turns counts the other turns meanwhile; 0 means that there were
// none.
type Silence struct {
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	Turns int       `json:"turns"`
}

// Match is a turn near the query.
type Match struct {
	TurnID           uuid.UUID  `json:"turn_id"`
	Score            *float64   `json:"score"`      // what the list is ordered by; null by time
	Similarity       *float64   `json:"similarity"` // cosine; null in keyword mode or without a vector
	UserMessage      uuid.UUID  `json:"user_message_id"`
	AssistantMessage *uuid.UUID `json:"assistant_message_id"`
	Conversation     uuid.UUID  `json:"conversation_id"`
	Title            string     `json:"title"`
	Time             *time.Time `json:"create_time"` // null when undated
	UserSnippet      string     `json:"user_snippet"`
	AssistantSnippet string     `json:"assistant_snippet"`
	SnippetIsSummary bool       `json:"assistant_snippet_is_summary"`
	OnPath           bool       `json:"on_active_path"`
	Chunk            *Chunk     `json:"chunk,omitempty"` // of a document or a record; absent for an exchange

	// Source is the service that the turn is from, as query.Filter names it.
	Source string `json:"-"`

	// Worded says that the turn has a word of the query, in any form of the language that it is in; else it is only near
	// in meaning. A title alone does not count.
	Worded bool `json:"-"`

	// Features are what the score is the sum of, each times its weight; only where a query asks for them, and not in
	// dense mode or by time. Without their look-up, far down a long list, some are 0.
	Features Features `json:"explain,omitempty"`
}

// Features are the parts of a score, in the order of package rank. In JSON they are an object with a member for each.
type Features []Feature

// Feature is a named part of a score. Package rank says what each is.
type Feature struct {
	Name   string  `json:"-"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
}

// MarshalJSON implements json.Marshaler.
func (f Features) MarshalJSON() ([]byte, error) {
	named := make(map[string]Feature, len(f))
	for _, feature := range f {
		named[feature.Name] = feature
	}
	return json.Marshal(named)
}

// Coverage describes what the search covered.
type Coverage struct {
	Candidates int     `json:"candidates"`          // turns that pass the filter
	Embedded   float64 `json:"embedded_share"`      // of the archive's embeddable turns, 0..1
	Matching   int     `json:"matching"`            // candidates with a word of it or a near vector; all in dense mode
	Faint      bool    `json:"faint,omitempty"`     // only the nearest: no word matches and no vector stands out
	Uncounted  bool    `json:"uncounted,omitempty"` // more may match than Matching: it counts only the nearest vectors
	Truncated  bool    `json:"truncated"`           // more than top_k turns stand above the last score

	// Confidence is the probability, 0 to 1, that the candidates speak of the query, not that they answer it. It compares
	// between queries, as scores do not. Absent for similar turns, without words that count, and without candidates.
	Confidence *float64 `json:"confidence,omitempty"`
}

// Timing is in milliseconds.
type Timing struct {
	Embed  float64 `json:"embed"`
	Search float64 `json:"search"`
	Total  float64 `json:"total"`
}

// TimeSource is where the time of a turn comes from.
type TimeSource string

// The sources of times.
const (
	FromMessage      TimeSource = "message"
	FromConversation TimeSource = "conversation"
	FromAncestor     TimeSource = "ancestor" // the nearest dated message before it
	Undated          TimeSource = "undated"
)

// TimeSources are all sources of times, in the order of store.TimeSource.
var TimeSources = []TimeSource{FromMessage, FromConversation, FromAncestor, Undated}

// Turn is one exchange with its full text.
type Turn struct {
	TurnID           uuid.UUID  `json:"turn_id"`
	Conversation     uuid.UUID  `json:"conversation_id"`
	Title            string     `json:"title"`
	UserMessage      uuid.UUID  `json:"user_message_id"`
	AssistantMessage *uuid.UUID `json:"assistant_message_id"`
	Time             *time.Time `json:"create_time"`
	TimeSource       TimeSource `json:"create_time_source"`
	Created          *time.Time `json:"created_at"` // when it was imported in this form; null if unknown
	User             string     `json:"user"`
	Assistant        string     `json:"assistant"`
	Summary          string     `json:"summary,omitempty"`
	UsedSummary      bool       `json:"used_turn_summary"`
	Model            string     `json:"model_slug"`
	Source           string     `json:"source"`
	OnPath           bool       `json:"on_active_path"`
	Position         int        `json:"position"`           // in its conversation, from 0: active path, then branches
	Turns            int        `json:"conversation_turns"` // on the active path of its conversation
	AnswerID         *uuid.UUID `json:"answer_id"`          // see Answer; null without a question or without an answer
	Answers          []Answer   `json:"answers,omitempty"`  // to its user message, the chosen one first
	Prev             *uuid.UUID `json:"prev_turn_id"`       // in its conversation, on the active path
	Next             *uuid.UUID `json:"next_turn_id"`
	EmbeddingModel   string     `json:"embedding_model"` // of the active generation; "" for none
	Chunk            *Chunk     `json:"chunk,omitempty"` // of a document or a record; absent for an exchange

	// ContentUsed is the exact text that was embedded, and Embedding how. Only EmbeddedTurn sets them. ContentUsed is
	// absent where the text is unknown, both where the active generation has no vector of the turn.
	ContentUsed *string    `json:"content_used,omitempty"`
	Embedding   *Embedding `json:"embedding,omitempty"`
}

// Answer is one of several answers to a user message. One that was not chosen is a turn of its own, whose id is the
// answer's; the chosen one is the turn of the message.
type Answer struct {
	TurnID uuid.UUID `json:"turn_id"`

	// ID finds the answer also after another was chosen, which the turn's own id finds then. Null: the turn has none.
	ID *uuid.UUID `json:"answer_id"`
}

// Answer returns which of its Answers a turn is, from 0, and how many there are; 0, 0 if it is the only one.
func (t *Turn) Answer() (i, of int) {
	i = slices.IndexFunc(t.Answers, func(a Answer) bool { return a.TurnID == t.TurnID })
	return max(0, i), len(t.Answers)
}

// Embedding describes the vector of a turn: its generation, and the text that it was made of.
type Embedding struct {
	Provider    string `json:"provider"`
	Model       string `json:"model"`
	Dim         int    `json:"dim"`
	Recipe      int    `json:"recipe"`
	Prefix      string `json:"document_prefix,omitempty"` // that the model got before the text; not part of content_used
	ContentHash string `json:"content_hash"`              // the first 16 bytes of the text's SHA-256, in hex
	UsedSummary bool   `json:"used_turn_summary"`         // the text has the turn's summary instead of the reply
}

// Turns holds turns in full.
type Turns struct {
	Turns   []*Turn  `json:"turns"`   // in the order in which their ids were given
	Missing []string `json:"missing"` // ids that no turn has
}

// Activity is the histogram of all turns.
type Activity struct {
	Notice    string    `json:"notice,omitempty"` // a sentence for each thing that the filter did not look at
	Histogram Histogram `json:"histogram"`
}

// Comparison holds one Peek per query, in request order, over the same bins.
type Comparison struct {
	Bin    string  `json:"bin"`
	Notice string  `json:"notice,omitempty"` // each sentence of the Peeks' notices once
	Peeks  []*Peek `json:"peeks"`

	// LeftOut is the part of Notice, at its end, that is not about the mode.
	LeftOut string `json:"-"`
}
