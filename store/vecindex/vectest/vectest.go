// Package vectest generates vectors that are distributed like those of real turns: about topics, few
// of which are frequent, in conversations of a few similar turns each, all on one side of the space,
// and near each other because they share a subject rather than by chance. The same seed generates the
// same vectors on every machine.
package vectest

import (
	"math"
	"math/rand/v2"
)

// The lengths of a vector's parts before it is scaled to one. Two turns of one conversation then have a cosine of
// about 0.7, of one topic 0.45, of different topics 0.15.
const (
	sharedLength       = 0.35
	topicLength        = 0.55
	conversationLength = 0.50
	turnLength         = 0.45
	noiseLength        = 0.25
)

const (
	turnsEach = 8    // turns per conversation
	topics    = 1000 // topic i is about 1/(i+1) as frequent as the first
	facets    = 2000 // subjects of conversations and turns, likewise
	facetsOf  = 4    // facets per conversation and per turn
)

// Generator generates vectors one after another, in the order of a person's turns. It must stay on one
// goroutine.
type Generator struct {
	dim    int
	rand   *rand.Rand
	shared []float32
	topics [][]float32
	facets [][]float32

	left         int       // remaining turns of the current conversation
	conversation []float32 // the common part of its turns
}

// New returns a generator with a seed.
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

// Next returns the next unit vector. It reuses v's memory if that is large enough.
func (s *Generator) Next(v []float32) []float32 {
	if s.left == 0 {
		s.left = turnsEach
		s.begin(s.conversation)
	}
	s.left--
	return s.turn(v, s.conversation)
}

// Query returns a unit vector about one of the topics, in a conversation of its own.
func (s *Generator) Query() []float32 {
	conversation := make([]float32, s.dim)
	s.begin(conversation)
	return s.turn(nil, conversation)
}

// begin sets conversation to the common part of a new conversation.
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

// pick returns a random element, the first ones more often.
func (s *Generator) pick(from [][]float32) []float32 {
	return from[int(math.Exp(s.rand.Float64()*math.Log(float64(len(from)))))-1]
}

// add adds factor*what to v.
func add(v, what []float32, factor float32) {
	for i, x := range what {
		v[i] += factor * x
	}
}

// direction returns a random unit vector.
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
