package input

import (
	"archive/zip"
	"strings"
	"testing"

	"lens/internal/errs"
)

// opened returns what Open finds at path: the names of the files, then those of what is broken with its reason.
func opened(t *testing.T, path string, lim limits) string {
	t.Helper()
	a, err := open(t.Context(), path, "", lim)
	if err != nil {
		return "error: " + errs.First(err).Message
	}
	defer a.Close()
	var all []string
	for _, f := range a.Files {
		all = append(all, f.Name)
	}
	for _, b := range a.Broken {
		all = append(all, b.Name+": "+errs.First(b.Err).Message)
	}
	return strings.Join(all, ", ")
}

// corrupt returns a zip in which the file called name, which is stored, does not have its checksum.
func corrupt(t *testing.T, archive, name string) string {
	t.Helper()
	at := strings.Index(archive, name) + len(name)
	if at < len(name) {
		t.Fatalf("no %s in the zip", name)
	}
	return archive[:at] + strings.Replace(archive[at:], " ", "\t", 1)
}

func TestOpen_DamageCostsItself(t *testing.T) {
	small := limits{ratio: 200, floor: 1 << 20, total: 8 << 20}
	export := zipped(t, file{name: "conversations.json", data: gpt})
	good := file{name: "b.zip", data: export}
	bomb := zipped(t, file{name: "conversations.json", data: "[" + strings.Repeat(" ", 4<<20) + "]"})
	chats := file{name: "conversations.json", data: gpt}
	manifest := file{name: "export_manifest.json", data: `{"logical_files": {}}`, change: stored}
	notes := file{name: "notes.json", data: `[1, 2]`, change: stored}
	claude := file{name: "kept.json", data: claudeExport + " ", change: stored}
	damaged := zipped(t, file{name: "a.zip", data: export}, good)
	at := strings.Index(damaged, "a.zip") + len("a.zip") // no block begins so
	lock := func(h *zip.FileHeader) { h.Flags |= encrypted }
	for name, c := range map[string]struct{ path, want string }{
		"a cut zip in a zip": {
			writeFile(t, "e.zip", zipped(t, file{name: "a.zip", data: export[:40]}, good)),
			"e.zip/b.zip/conversations.json, e.zip/a.zip: the zip is incomplete or damaged",
		},
		"a damaged zip in a zip": {
			writeFile(t, "e.zip", damaged[:at]+"\xff"+damaged[at+1:]),
			"e.zip/b.zip/conversations.json, e.zip/a.zip: a file in the zip is damaged",
		},
		"an encrypted zip in a zip": {
			writeFile(t, "e.zip", zipped(t, file{name: "a.zip", data: export, change: lock}, good)),
			"e.zip/b.zip/conversations.json, e.zip/a.zip: a.zip in the zip is encrypted",
		},
		"a bomb in a zip": {
			writeFile(t, "e.zip", zipped(t, file{name: "a.zip", data: bomb}, good)),
			"e.zip/b.zip/conversations.json, e.zip/a.zip: " + errs.First(errBomb).Message,
		},
		"a cut zip in a tar": {
			writeFile(t, "e.tar", tarred(t, file{name: "a.zip", data: export[:40]}, good)),
			"e.tar/b.zip/conversations.json, e.tar/a.zip: the zip is incomplete or damaged",
		},
		"only a cut zip in a tar": {
			writeFile(t, "e.tar", tarred(t, file{name: "a.zip", data: export[:40]})),
			"error: e.tar/a.zip: the zip is incomplete or damaged",
		},
		"two in zips, in a folder": {
			writeFiles(t, file{name: "1.zip", data: zipped(t, file{name: "a.zip", data: export[:40]}, good)}, file{name: "2.zip", data: export}),
			"1.zip/b.zip/conversations.json, 2.zip/conversations.json, 1.zip/a.zip: the zip is incomplete or damaged",
		},
		"a manifest": {
			writeFile(t, "e.zip", corrupt(t, zipped(t, chats, manifest), manifest.name)),
			"e.zip/conversations.json, e.zip/export_manifest.json: a file in the zip is damaged",
		},
		"a manifest that is a bomb": {
			writeFile(t, "e.zip", zipped(t, chats, file{name: "export_manifest.json", data: strings.Repeat(" ", 4<<20)})),
			"e.zip/conversations.json, e.zip/export_manifest.json: " + errs.First(errBomb).Message,
		},
		"a file of another kind": {
			writeFile(t, "e.zip", corrupt(t, zipped(t, chats, notes), notes.name)),
			"e.zip/conversations.json, e.zip/notes.json: a file in the zip is damaged",
		},
		"chats by another name": { // which are read up to the damage
			writeFile(t, "e.zip", corrupt(t, zipped(t, chats, claude), claude.name)), "e.zip/conversations.json, e.zip/kept.json",
		},
		"two files of one name that are no chats": {
			writeFile(t, "e.zip", zipped(t, chats, file{name: "package.json", data: "{}"}, file{name: "x/../package.json", data: "{}"})),
			"e.zip/conversations.json",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := opened(t, c.path, small); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
