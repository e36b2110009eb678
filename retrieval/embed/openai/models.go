package openai

// The limits of OpenAI's API reference, "Create embeddings": inputs and tokens per request, tokens per text. (The
// reference says 8192 per text; the model itself rejects the last one.)
const (
	maxInputs        = 2048
	maxRequestTokens = 300_000
	maxTextTokens    = 8191
)

// model is what is known about a model in advance.
type model struct {
	inputs          int     // texts per request: far below the API's limit, so answers stay small and retries cheap
	textTokens      int     // tokens per text
	usd             float64 // list price of a million tokens; 0: unknown
	tokensPerMinute int     // rate limit of the lowest paid tier; 0: unknown
	exact           bool    // cl100k_base is its own tokenizer
	base64          bool    // its server sends vectors as base64, a third of the size
}

// knownModels lists OpenAI's models. Prices: OpenAI, "New embedding models and API updates", 2024-01-25 (3-large
// $0.00013 and 3-small $0.00002 per thousand tokens), and "Function calling and other API updates", 2023-06-13
// (ada-002 $0.0001). Rate limits: tier 1 of the models' pages.
var knownModels = map[string]model{
	"text-embedding-3-large": openAI(0.13),
	"text-embedding-3-small": openAI(0.02),
	"text-embedding-ada-002": openAI(0.10),
}

func openAI(usd float64) model {
	return model{inputs: 256, textTokens: maxTextTokens, usd: usd, tokensPerMinute: 1_000_000, exact: true, base64: true}
}

// modelNamed returns what is known about a model. For other vendors' models nothing is known: their tokens are
// estimated with cl100k_base, which for English and code is within about a fifth of most vocabularies, and their
// requests are kept small, because they often run on this machine. A text that turns out too long is cut further
// when the server says so.
func modelNamed(name string) model {
	if m, ok := knownModels[name]; ok {
		return m
	}
	return model{inputs: 32, textTokens: maxTextTokens}
}
