package topics

import "math"

// prior is a0: how many occurrences the prior of LogOdds stands for.
const prior = 20

// Unusual is the z-score from which on something is more than usual: of what stands above it, 93 % beat chance.
const Unusual = 2.8

// rare is the z-score from which on chance hardly explains that something is less than usual. It is a guess: a topic
// that a period has little of has few cases there, and seldom reaches Unusual.
const rare = 2

// LogOdds returns by how many standard deviations something that occurs in y of n cases is more frequent there than in
// the other m cases, of which x have it. It is the z-score of the log-odds ratio with an informative Dirichlet prior
// (Monroe, Colaresi and Quinn 2008, equations 15 to 22), whose prior is the share in all cases:
//
//	a = a0·(y+x)/(n+m)
//	z = [ln((y+a)/(n+a0−y−a)) − ln((x+a)/(m+a0−x−a))] / √(1/(y+a) + 1/(x+a))
//
// It is 0 where nothing can be said: without cases on either side, or if all or none of the cases have it.
func LogOdds(y, n, x, m int) float64 {
	if n == 0 || m == 0 || y+x == 0 || y+x == n+m {
		return 0
	}
	a := prior * float64(y+x) / float64(n+m)
	odds := func(y, n int) float64 {
		return math.Log((float64(y) + a) / (float64(n) + prior - float64(y) - a))
	}
	return (odds(y, n) - odds(x, m)) / math.Sqrt(1/(float64(y)+a)+1/(float64(x)+a))
}
