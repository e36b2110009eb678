package retrieval

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"

	"lens/store"
)

// Topics are kept in a database that another program may have changed: what cannot be read is made again.
func FuzzDecodeTopics(f *testing.F) {
	id := uuid.Max
	kept, err := json.Marshal(keptTopics{Version: topicsVersion, Next: 2, Topics: []keptTopic{
		{ID: 1, Terms: []string{"bread"}, Words: []string{"Bread"}, Title: "Bread", Conversations: id[:], Clear: 1},
	}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(kept)
	f.Add([]byte(`{"version":1,"topics":[{"conversations":"AAAA"}]}`))
	f.Add([]byte(`{"version":1,"topics":[{"clear":-1}]}`))
	f.Add([]byte(`{"version":1,"silence":9,"topics":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		k := decodeTopics(data)
		if k == nil {
			return
		}
		if k.Version != topicsVersion {
			t.Fatalf("version %d is read", k.Version)
		}
		joined := k.join(&snapshot{Catalog: &store.Catalog{Conversations: []uuid.UUID{uuid.Max}}})
		_, _ = joined.notice(), joined.named("bread")
		for i := range k.Topics {
			joined.describe(i)
			k.Topics[i].eachConversation(func(n int, _ uuid.UUID) {
				if n >= k.Topics[i].size() {
					t.Fatalf("conversation %d of %d", n, k.Topics[i].size())
				}
			})
		}
	})
}
