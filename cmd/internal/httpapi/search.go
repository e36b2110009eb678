package httpapi

import (
	"context"
	"net/http"

	"github.com/google/jsonschema-go/jsonschema"

	"lens/retrieval"
)

// searchRoutes find and read turns of the archive.
type searchRoutes struct {
	engine func(ctx context.Context) (Engine, error)
}

func (s searchRoutes) routes() []route {
	turnID := openAPIParameter{
		"turn_id", "path", true, "The ID of a turn, or a unique prefix.", &jsonschema.Schema{Type: "string"},
	}
	return []route{
		{
			method: http.MethodGet, path: "/retrieval/peek", handle: fromQuery(peekParameters, s.peek),
			summary:    "Find turns, and when they happened",
			parameters: openAPIParameters(peekParameters),
			replies: okReply("The matches. coverage.confidence is the probability, 0 to 1, that the turns which pass the "+
				"filter speak of the query, not that they answer it; it compares between queries. Absent for similar turns and "+
				"without words. Where it is low, notice says so. occurrences counts, in the bins of histogram, all turns that "+
				"pass the filter and hold all words of the query, also beyond top_k; null without words.", retrieval.Peek{}),
			problems: append([]string{codeDimension, codeTooLarge}, archiveProblems...),
		},
		{
			method: http.MethodGet, path: "/retrieval/turn/{turn_id}", handle: fromQuery(turnParameters, s.turn),
			summary:    "Read one turn in full",
			parameters: append([]openAPIParameter{turnID}, openAPIParameters(turnParameters)...),
			replies:    okReply("The turn.", retrieval.Turn{}),
			problems:   archiveProblems,
		},
		{
			method: http.MethodGet, path: "/retrieval/turns", handle: fromQuery(turnsParameters, s.turns),
			summary:    "Read several turns in full",
			parameters: openAPIParameters(turnsParameters),
			replies:    okReply("The turns, in the order of their IDs, and the IDs that no turn has.", retrieval.Turns{}),
			problems:   archiveProblems,
		},
		{
			method: http.MethodGet, path: "/retrieval/compare", handle: fromQuery(compareParameters, s.compare),
			summary:    "Compare queries over time",
			parameters: openAPIParameters(compareParameters),
			replies:    okReply("The peeks of the queries, over the same bins.", retrieval.Comparison{}),
			problems:   append([]string{codeDimension, codeTooLarge}, archiveProblems...),
		},
		{
			method: http.MethodGet, path: "/retrieval/activity", handle: fromQuery(activityParameters, s.activity),
			summary:    "All turns over time",
			parameters: openAPIParameters(activityParameters),
			replies:    okReply("The histogram.", retrieval.ActivityBody{}),
			problems:   archiveProblems,
		},
		{
			method: http.MethodGet, path: "/retrieval/topics", handle: fromQuery(topicsParameters, s.topics),
			summary:    "What the chats are about, over time",
			parameters: openAPIParameters(topicsParameters),
			replies:    okReply("The topics, the largest first.", retrieval.Topics{}),
			problems:   archiveProblems,
		},
		{
			method: http.MethodGet, path: "/retrieval/about", handle: fromQuery(aboutParameters, s.about),
			summary:    "What a time was about",
			parameters: openAPIParameters(aboutParameters),
			replies:    okReply("The topics and the titles of the time.", retrieval.About{}),
			problems:   archiveProblems,
		},
	}
}

// turnRequest says what of a turn is asked for.
type turnRequest struct{ embedded bool }

var turnParameters = []parameter[turnRequest]{
	flag("embedded", "Adds content_used, the exact text that was embedded, and the vector's generation.",
		func(in *turnRequest) *bool { return &in.embedded }),
}

func (s searchRoutes) turn(r *http.Request, in turnRequest) (*retrieval.Turn, error) {
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	if in.embedded {
		return engine.EmbeddedTurn(r.Context(), r.PathValue("turn_id"))
	}
	return engine.Turn(r.Context(), r.PathValue("turn_id"))
}

// turnsRequest holds the parameters of /retrieval/turns.
type turnsRequest struct{ ids []string }

var turnsParameters = []parameter[turnsRequest]{
	requireParameter(atMost(retrieval.MaxTurns, texts("id",
		"The ID of a turn, or a unique prefix. Repeat it for up to 50 turns.",
		func(r *turnsRequest) *[]string { return &r.ids }))),
}

func (s searchRoutes) turns(r *http.Request, in turnsRequest) (*retrieval.Turns, error) {
	engine, err := s.engine(r.Context())
	if err != nil {
		return nil, err
	}
	return engine.Turns(r.Context(), in.ids)
}
