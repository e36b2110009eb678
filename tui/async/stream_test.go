package async

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"
	"time"
)

// counting yields the numbers below n, then an error unless it is nil.
func counting(n int, last error) func(context.Context) iter.Seq2[int, error] {
	return func(context.Context) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			for i := range n {
				if !yield(i, nil) {
					return
				}
			}
			if last != nil {
				yield(0, last)
			}
		}
	}
}

func TestStream_DeliversAllAndHowItEnded(t *testing.T) {
	broken := errors.New("it broke off")
	for _, last := range []error{nil, broken} {
		s := NewStream[int](context.Background())
		s.Run(counting(3, last))
		b, ok := s.Next(0, time.Hour)
		if !ok || !slices.Equal(b.Items, []int{0, 1, 2}) || !b.Over || !errors.Is(b.Err, last) {
			t.Errorf("delivered is %+v, %v", b, ok)
		}
		if b = s.Take(); len(b.Items) > 0 || !b.Over {
			t.Errorf("afterwards it has %+v", b)
		}
	}
}

func TestStream_SilenceIsReported(t *testing.T) {
	s := NewStream[int](context.Background())
	if b, ok := s.Next(0, time.Nanosecond); !ok || b.Over || len(b.Items) > 0 {
		t.Errorf("after a silence: %+v, %v", b, ok)
	}
}

func TestStream_Stopped(t *testing.T) {
	s := NewStream[int](context.Background())
	s.Stop()
	if _, ok := s.Next(0, time.Hour); ok {
		t.Error("a stopped stream delivers")
	}
	s.Run(counting(9, nil))
	if b := s.Take(); len(b.Items) != 1 {
		t.Errorf("a stopped stream ran on: %+v", b)
	}
}
