package vecindex

// kth returns the k-th greatest of scores, 1 ≤ k ≤ len(scores), and shuffles them: Hoare's selection, the pivot a median of three.
// O(n) on average.
func kth(scores []float32, k int) float32 {
	lo, hi := 0, len(scores)-1
	for lo < hi {
		pivot := median(scores[lo], scores[(lo+hi)/2], scores[hi])
		i, j := lo, hi
		for i <= j {
			for scores[i] > pivot {
				i++
			}
			for scores[j] < pivot {
				j--
			}
			if i <= j {
				scores[i], scores[j] = scores[j], scores[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			hi = j
		case k-1 >= i:
			lo = i
		default:
			return scores[k-1]
		}
	}
	return scores[k-1]
}

func median(a, b, c float32) float32 {
	return max(min(a, b), min(max(a, b), c))
}
