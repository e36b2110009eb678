// Package vectest makes up vectors that lie as those of real turns do: about topics, of which few are frequent, in
// conversations of a few turns each that stay close to one another, all of them on one side of the space, and near when they
// share what they are about, not by chance alone. The same seed makes the same vectors on every machine.
package vectest

import (
	"math"
	"math/rand/v2"
)

// How long each part of a vector is before the whole is scaled to one. Two turns of one conversation then have a cosine of about
// 0.7, of one topic 0.45, of none 0.15.
const (
	sharedLength       = 0.35
	topicLength        = 0.55
	conversationLength = 0.50
	turnLength         = 0.45
	noiseLength        = 0.25
)

const (
	turnsEach = 8    // turns of a conversation
	topics    = 1000 // of which topic i is about 1/(i+1) as frequent as the first
	facets    = 2000 // what conversations and turns are about, likewise
	facetsOf  = 4    // of each
)

// Generator makes vectors one after another, as a person's turns come in time. It is used by one goroutine.
type Generator struct {
	dim    int
	rand   *rand.Rand
	shared []float32
	topics [][]float32
	facets [][]float32

	left         int       // turns that the present conversation still has
	conversation []float32 // all that its turns have in common
}

// New returns the source of a seed.
func New(seed uint64, dim int) *Generator {
	s := &Generator{dim: dim, rand: rand.New(rand.NewPCG(seed, uint64(dim))), conversation: make([]float32, dim)}
	s.shared = s.direction()
	for range topics {
		s.topics = append(s.topics, s.direction())
	}
	for range facets {
		s.facets = append(s.facets, s.direction())
	}
	return s
}

// Next returns the next vector, of unit length, in v's memory where that is large enough.
func (s *Generator) Next(v []float32) []float32 {
	if s.left == 0 {
		s.left = turnsEach
		s.begin(s.conversation)
	}
	s.left--
	return s.turn(v, s.conversation)
}

// Query returns a unit vector about one of the topics, of no conversation that there is.
func (s *Generator) Query() []float32 {
	conversation := make([]float32, s.dim)
	s.begin(conversation)
	return s.turn(nil, conversation)
}

// begin sets conversation to what the turns of a new one have in common.
func (s *Generator) begin(conversation []float32) {
	clear(conversation)
	add(conversation, s.shared, sharedLength)
	add(conversation, s.pick(s.topics), topicLength)
	s.addFacets(conversation, conversationLength)
}

func (s *Generator) turn(v, conversation []float32) []float32 {
	v = append(v[:0], conversation...)
	s.addFacets(v, turnLength)
	noise := noiseLength * math.Sqrt(12/float64(s.dim))
	var sum float64
	for i := range v {
		v[i] += float32(noise * (s.rand.Float64() - 0.5))
		sum += float64(v[i]) * float64(v[i])
	}
	scale(v, sum)
	return v
}

func (s *Generator) addFacets(v []float32, length float32) {
	for range facetsOf {
		add(v, s.pick(s.facets), length/float32(math.Sqrt(facetsOf)))
	}
}

// pick takes one of several, the first ones more often.
func (s *Generator) pick(from [][]float32) []float32 {
	return from[int(math.Exp(s.rand.Float64()*math.Log(float64(len(from)))))-1]
}

// add adds so many times what to v.
func add(v, what []float32, times float32) {
	for i, x := range what {
		v[i] += times * x
	}
}

// direction is a unit vector that points anywhere.
func (s *Generator) direction() []float32 {
	v := make([]float32, s.dim)
	var sum float64
	for i := range v {
		x := s.rand.NormFloat64()
		v[i] = float32(x)
		sum += x * x
	}
	scale(v, sum)
	return v
}

func scale(v []float32, squared float64) {
	factor := float32(1 / math.Sqrt(squared))
	for i := range v {
		v[i] *= factor
	}
}
