package config

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/joho/godotenv"
)

// maxFileSize is far beyond any settings file: a larger file is something else.
const maxFileSize = 1 << 20

// readDotenv reads the .env at path if it names a setting of Lens. Other programs have a .env too, in any form.
func readDotenv(path string) (layer, error) {
	content, readableByOthers, err := readSettings(path)
	if err != nil || !mentionsLens(content) {
		return layer{}, err
	}
	if readableByOthers {
		return layer{}, readableByOthersError(path)
	}
	variables, err := godotenv.UnmarshalBytes(content)
	if err != nil {
		// without the cause: it quotes the file
		return layer{}, wrong(path+" has a line that is not NAME=value", "correct the line, or remove the file", nil)
	}
	l := fromEnvironment(func(name string) (string, bool) { v, ok := variables[name]; return v, ok })
	l.place = path
	return l, nil
}

func mentionsLens(content []byte) bool {
	for _, s := range settings {
		if s.env != "" && bytes.Contains(content, []byte(s.env)) {
			return true
		}
	}
	return false
}

// readSettings returns the content of a file, nil if it does not exist, and whether other users can read it.
func readSettings(path string) (content []byte, readableByOthers bool, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, readError(path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, false, readError(path, err)
	}
	if info.IsDir() {
		return nil, false, nil // Python programs often call a virtual environment .env
	}
	content, err = io.ReadAll(io.LimitReader(file, maxFileSize+1))
	if err != nil {
		return nil, false, readError(path, err)
	}
	if len(content) > maxFileSize {
		return nil, false, wrong(path+" is too large for a settings file", "check what the file is", nil)
	}
	return content, othersCanRead(info), nil
}

func readableByOthersError(path string) error {
	return wrong(path+" is readable by other users, so Lens does not use it", "run chmod 600 "+path, nil)
}

func readError(path string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	return wrong("cannot read "+path+": "+err.Error(), "check its permissions", err)
}
