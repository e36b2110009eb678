package shard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/terms"
)

// collector reads the contents of shards and counts the terms of the corpus.
type collector struct {
	source   store.Reader
	vectors  store.VectorReader
	catalog  *store.Catalog
	model    Model
	analyzer terms.Analyzer
	docFreqs map[string]uint32 // number of records that contain a term
	records  int
	length   int64
}

// batchSize is how many turns or conversations are read at once.
const batchSize = 256

// collect reads the contents of a shard and returns its Part, except the object's key and size.
func (g *collector) collect(ctx context.Context, groups []*group) (*contents, Part, error) {
	c := &contents{dims: g.model.Dims}
	var rows []int
	for batch := range slices.Chunk(groups, batchSize) {
		ids := make([]uuid.UUID, len(batch))
		for i, group := range batch {
			ids[i] = group.id
			rows = append(rows, group.rows...)
		}
		if err := g.addConversations(ctx, c, ids); err != nil {
			return nil, Part{}, err
		}
	}
	slices.Sort(rows)
	for batch := range slices.Chunk(rows, batchSize) {
		if err := g.addTurns(ctx, c, batch); err != nil {
			return nil, Part{}, err
		}
	}
	p := g.describe(c, rows)
	var err error
	p.Content, err = c.digest(g.model)
	return c, p, err
}

func (g *collector) addConversations(ctx context.Context, c *contents, ids []uuid.UUID) error {
	batch, err := g.source.Conversations(ctx, ids)
	if err != nil {
		return err
	}
	for i := range batch {
		if batch[i].Messages, err = g.source.Messages(ctx, ids[i]); err != nil {
			return err
		}
		for j := range batch[i].Messages {
			batch[i].Messages[j].Raw = nil // never published
		}
	}
	c.conversations = append(c.conversations, batch...)
	return nil
}

func (g *collector) addTurns(ctx context.Context, c *contents, rows []int) error {
	ids, ords := make([]uuid.UUID, len(rows)), make([]store.Ord, len(rows))
	for i, row := range rows {
		ids[i], ords[i] = g.catalog.ID[row], g.catalog.Ord[row]
	}
	turns, err := g.source.Turns(ctx, ids)
	if err != nil {
		return err
	}
	vectors, err := g.vectors.Vectors(ctx, ords)
	if err != nil {
		return err
	}
	for i := range turns {
		turns[i].Ord, turns[i].Created = 0, time.Time{} // specific to this archive
		counts := g.analyzer.Chunk(&turns[i])
		for term := range counts.All() {
			if !store.IsFact(term) {
				g.docFreqs[term]++
			}
		}
		c.terms = append(c.terms, counts)
	}
	c.turns, c.vectors = append(c.turns, turns...), append(c.vectors, vectors...)
	return nil
}

// describe returns the Part of c.
func (g *collector) describe(c *contents, rows []int) Part {
	p := Part{Records: len(rows)}
	for i, row := range rows {
		g.length += int64(g.catalog.Length[row])
		if c.vectors[i] != nil {
			p.Vectors++
		}
		if row >= g.catalog.Dated {
			p.Undated++
			continue
		}
		if i == 0 {
			p.First = g.catalog.Time[row]
		}
		p.Last = g.catalog.Time[row]
	}
	g.records += len(rows)
	facts := map[string]struct{}{}
	for _, counts := range c.terms {
		for term := range counts.All() {
			if store.IsFact(term) {
				facts[term] = struct{}{}
			}
		}
	}
	p.Facts = factsOf(facts)
	return p
}

// digest returns the checksum of everything that the bytes of a shard depend on.
func (c *contents) digest(m Model) (string, error) {
	h := sha256.New()
	e := json.NewEncoder(h)
	for _, v := range []any{Format, terms.Version, m, c.conversations, c.turns, c.vectors} {
		if err := e.Encode(v); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// statistics returns the statistics object: one record that holds, per term, the number of records that contain
// it.
func (g *collector) statistics() *contents {
	id := uuid.NewSHA1(uuid.Nil, []byte("statistics"))
	message := store.Message{ID: id, Turn: id, Role: store.Assistant, Visible: true, OnPath: true}
	turn := store.Turn{
		ID: id, Conversation: id, UserMessage: id, Source: store.Chunks, OnPath: true, TimeSource: store.Undated,
	}
	counts := make([]store.TermCount, 0, len(g.docFreqs))
	for term, n := range g.docFreqs {
		counts = append(counts, store.TermCount{Term: term, Count: n})
	}
	slices.SortFunc(counts, func(a, b store.TermCount) int { return strings.Compare(a.Term, b.Term) })
	return &contents{
		conversations: []store.Conversation{{ID: id, Source: store.Chunks, Messages: []store.Message{message}}},
		turns:         []store.Turn{turn}, terms: store.ListTerms(counts), vectors: [][]byte{nil}, dims: g.model.Dims,
	}
}
