package input

import (
	"slices"

	"lens/store"
)

// Kind is what Lens reads of one service or program.
type Kind struct {
	Source  store.Source `json:"source"`
	Name    string       `json:"name"` // as people know it: "DeepSeek"
	Get     string       `json:"get"`  // how people get such files
	Generic bool         `json:"-"`    // only read in a file that the user names
}

// Kinds returns all kinds of files with conversations that Lens reads.
func Kinds() []Kind {
	var all []Kind
	for _, f := range formats {
		i := slices.IndexFunc(all, func(k Kind) bool { return k.Name == f.Name })
		if i < 0 {
			all = append(all, Kind{Source: f.Source, Name: f.Name, Get: f.Get, Generic: f.Generic})
		} else if all[i].Get == "" {
			all[i].Get = f.Get
		}
	}
	return all
}
