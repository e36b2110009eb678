package config

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/joho/godotenv"
)

// maxFile is far beyond any file of settings: what is longer is something else.
const maxFile = 1 << 20

// readDotenv reads the .env at path, if there is one that means Lens: other programs have a .env too, and theirs may look as they like.
func readDotenv(path string) (layer, error) {
	content, exposed, err := readSettings(path)
	if err != nil || !mentionsLens(content) {
		return layer{}, err
	}
	if exposed {
		return layer{}, exposedFile(path)
	}
	variables, err := godotenv.UnmarshalBytes(content)
	if err != nil {
		return layer{}, &Error{ // without the cause, which quotes the file
			Message: path + " has a line that is not NAME=value",
			Hint:    "correct the line, or remove the file",
		}
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

// readSettings returns the content of a file, nil when there is none, and whether others can read it.
func readSettings(path string) (content []byte, exposed bool, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, unreadable(path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, false, unreadable(path, err)
	}
	if info.IsDir() {
		return nil, false, nil // Python's virtual environments like this name
	}
	content, err = io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, false, unreadable(path, err)
	}
	if len(content) > maxFile {
		return nil, false, &Error{Message: path + " is too long for a file of settings", Hint: "check what the file is"}
	}
	return content, othersCanRead(info), nil
}

func exposedFile(path string) error {
	return &Error{
		Message: path + " can be read by other people on this machine, so Lens does not use it",
		Hint:    "chmod 600 " + path,
	}
}

func unreadable(path string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	return &Error{Message: path + " cannot be read", Hint: "check its permissions", Err: err}
}
