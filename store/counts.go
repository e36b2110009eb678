package store

// Counts are the numbers of what an archive holds. Vectors are those of all generations.
type Counts struct {
	Conversations int `json:"conversations"`
	Messages      int `json:"messages"`
	Turns         int `json:"turns"`
	Vectors       int `json:"vectors"`
}
