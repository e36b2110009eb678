package turn

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Code is highlighted by a scanner that knows families of languages: comments, texts, numbers, keywords and calls. A
// lexer of each language takes longer, and its tables are read at the start of the program.

// family is what languages have in common.
type family struct {
	line     []string    // what begins a comment up to the end of the line
	block    [][2]string // what begins and ends other comments
	quotes   string      // around texts on one line
	long     []string    // around texts of several lines
	lifetime bool        // ' is around one character, and otherwise no quote
	markup   bool        // words after < are the names of elements
	fold     bool        // keywords have any case
	keywords string      // separated by blanks
}

var slashes = [][2]string{{"/*", "*/"}}

// familyOf returns the family of a language, false for one that has none.
func familyOf(language string) (f family, ok bool) {
	language, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(language)), " ")
	switch language {
	case "go", "golang":
		f = family{long: []string{"`"}, keywords: goWords}
	case "rust", "rs":
		f = family{lifetime: true, keywords: rustWords}
	case "js", "javascript", "jsx", "ts", "typescript", "tsx", "mjs", "node", "svelte":
		f = family{long: []string{"`"}, keywords: scriptWords}
	case "c", "h", "cpp", "c++", "cc", "hpp", "java", "kotlin", "kt", "scala", "swift", "csharp", "cs", "c#",
		"dart", "php", "groovy", "gradle", "proto", "protobuf", "zig", "objective-c", "objc", "glsl", "solidity", "arduino",
		"cuda", "v", "verilog", "systemverilog":
		f = family{keywords: classWords}
	case "css", "scss", "sass", "less":
		return family{block: slashes, line: []string{"//"}, quotes: `"'`}, true
	case "python", "py", "python3", "ipython", "starlark":
		return family{line: []string{"#"}, quotes: `"'`, long: []string{`"""`, "'''"}, keywords: pythonWords}, true
	case "ruby", "rb", "elixir", "ex", "julia", "jl", "crystal", "r", "perl", "pl", "nim":
		return family{line: []string{"#"}, quotes: `"'`, long: []string{`"""`}, keywords: rubyWords}, true
	case "sh", "bash", "zsh", "shell", "console", "fish", "shell-session", "dockerfile", "docker", "make", "makefile",
		"powershell", "ps1", "pwsh", "awk", "cmake", "nix":
		return family{line: []string{"#"}, quotes: `"'`, keywords: shellWords}, true
	case "yaml", "yml", "toml", "ini", "conf", "cfg", "properties", "nginx", "hcl", "terraform", "tf", "env", "systemd":
		return family{line: []string{"#", ";;"}, quotes: `"'`, keywords: "true false null yes no on off"}, true
	case "json", "json5", "jsonc", "jsonl":
		return family{line: []string{"//"}, quotes: `"`, keywords: "true false null"}, true
	case "sql", "postgresql", "postgres", "mysql", "sqlite", "plsql", "tsql":
		return family{line: []string{"--"}, block: slashes, quotes: `'"`, fold: true, keywords: queryWords}, true
	case "lua", "haskell", "hs", "elm", "ada", "vhdl":
		return family{line: []string{"--"}, block: [][2]string{{"{-", "-}"}}, quotes: `"`, keywords: functionalWords}, true
	case "ocaml", "ml", "fsharp", "f#", "sml":
		return family{line: []string{"//"}, block: [][2]string{{"(*", "*)"}}, quotes: `"`, keywords: functionalWords}, true
	case "lisp", "clojure", "clj", "scheme", "elisp", "racket", "asm", "nasm", "assembly":
		return family{line: []string{";"}, quotes: `"`, keywords: "def defn defun defmacro fn let if cond lambda loop"}, true
	case "tex", "latex", "matlab", "octave", "erlang", "prolog", "bibtex":
		return family{line: []string{"%"}, quotes: `"`, keywords: "function end if else for while return case"}, true
	case "html", "xml", "svg", "vue", "xhtml", "xsl":
		return family{block: [][2]string{{"<!--", "-->"}}, quotes: `"`, markup: true}, true
	default:
		return family{}, false
	}
	f.line, f.block, f.quotes = []string{"//"}, slashes, `"'`
	if f.lifetime {
		f.quotes = `"`
	}
	return f, true
}

// The keywords of families, of several languages together.
const (
	goWords = "break case chan const continue default defer else fallthrough for func go goto if import " +
		"interface map package range return select struct switch type var nil true false"
	rustWords = "as async await break const continue crate dyn else enum extern fn for if impl in let loop " +
		"match mod move mut pub ref return self Self static struct super trait type unsafe use where " +
		"while true false"
	scriptWords = "abstract as async await break case catch class const continue debugger default delete do " +
		"else enum export extends false finally for from function get if implements import in " +
		"instanceof interface let new null of private protected public readonly return set static " +
		"super switch this throw true try type typeof undefined var void while yield"
	classWords = "abstract and as assert auto base bool boolean break byte case catch char class companion " +
		"const constexpr continue data def default defer delegate delete do double echo else enum " +
		"explicit export extends extension extern false final finally fixed float fn for foreach fun " +
		"func function goto guard if implements import in init inline int interface internal is " +
		"lambda late let lock long match module mutable namespace new nil null nullptr object open " +
		"operator or out override package params private protected protocol public readonly record " +
		"ref register return sealed self short signed sizeof static struct super switch synchronized " +
		"template this throw throws trait true try typealias typedef typename union unsigned use " +
		"using val var virtual void volatile when where while with yield"
	pythonWords = "and as assert async await break case class continue def del elif else except finally for " +
		"from global if import in is lambda match None nonlocal not or pass raise return self True " +
		"False try while with yield"
	rubyWords = "alias and begin break case class def defmodule defp do else elsif end ensure for function if " +
		"in include let local macro module my next nil not or quote redo rescue return self sub super " +
		"then true false unless until use using when while yield TRUE FALSE NULL"
	shellWords = "if then else elif fi for in do done while until case esac function return export local set " +
		"source sudo echo cd exit alias FROM RUN COPY CMD ENTRYPOINT ENV WORKDIR EXPOSE ARG param " +
		"foreach"
	queryWords = "add all alter and as asc begin between by case check column commit constraint create cross " +
		"default delete desc distinct drop else end exists explain foreign from full group having if " +
		"in index inner insert into is join key left like limit not null on or order outer over " +
		"partition primary references returning right rollback select set table then union unique " +
		"update using values view when where with"
	functionalWords = "and begin case class data deriving do done else elseif end exception false for fun function " +
		"if import in instance let local match module mutable newtype nil not of open or rec repeat " +
		"return then true type until val when where while with"
)

// highlight divides code into the pieces of its lines.
func highlight(source, language string) [][]piece {
	if language == "diff" || language == "patch" {
		return changed(source)
	}
	s := scanner{source: source, rest: source, lines: [][]piece{nil}}
	if f, ok := familyOf(language); ok {
		s.family, s.keywords = f, map[string]bool{}
		for word := range strings.FieldsSeq(f.keywords) {
			s.keywords[word] = true
		}
		s.scan()
	} else {
		s.put(len(source), 0)
	}
	return s.lines
}

// changed highlights the lines of a patch.
func changed(source string) (lines [][]piece) {
	for line := range strings.SplitSeq(source, "\n") {
		as := map[string]look{"+": literal, "-": number, "@": call}[line[:min(1, len(line))]]
		lines = append(lines, []piece{{line, block | as}})
	}
	return lines
}

// scanner divides code into pieces.
type scanner struct {
	family
	keywords map[string]bool
	source   string
	rest     string // of source
	last     byte   // the last character but blanks
	lines    [][]piece
}

// put moves n bytes to the lines.
func (s *scanner) put(n int, as look) {
	at := len(s.source) - len(s.rest)
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	if trimmed := strings.TrimRight(taken, " \n"); trimmed != "" {
		s.last = trimmed[len(trimmed)-1]
	}
	for i := 0; ; i++ {
		text, rest, more := strings.Cut(taken, "\n")
		if i > 0 {
			s.lines = append(s.lines, nil)
		}
		line := &s.lines[len(s.lines)-1]
		if last := len(*line) - 1; text != "" && last >= 0 && (*line)[last].look == block|as {
			(*line)[last].text = s.source[at-len((*line)[last].text) : at+len(text)]
		} else if text != "" {
			*line = append(*line, piece{text, block | as})
		}
		if !more {
			return
		}
		at += len(text) + len("\n")
		taken = rest
	}
}

func (s *scanner) scan() {
	for s.rest != "" {
		if n, as := s.next(); n > 0 {
			s.put(n, as)
		}
	}
}

// next returns the length of the next token, and what it is.
func (s *scanner) next() (n int, as look) {
	if n := s.commentLen(); n > 0 {
		return n, comment
	}
	if n := s.textLen(); n > 0 {
		return n, literal
	}
	r, size := utf8.DecodeRuneInString(s.rest)
	switch {
	case unicode.IsDigit(r):
		return wordLen(s.rest, "."), number
	case r == '_' || unicode.IsLetter(r):
		return s.word()
	}
	return size, 0
}

func (s *scanner) commentLen() int {
	for _, begin := range s.line {
		if strings.HasPrefix(s.rest, begin) && (begin != "#" || s.last == 0 || s.isApart()) {
			if end := strings.IndexByte(s.rest, '\n'); end >= 0 {
				return end
			}
			return len(s.rest)
		}
	}
	for _, pair := range s.block {
		if strings.HasPrefix(s.rest, pair[0]) {
			return upTo(s.rest, pair[0], pair[1])
		}
	}
	return 0
}

// isApart reports whether a blank, or nothing, is before the rest: in a shell, # begins a comment only there.
func (s *scanner) isApart() bool {
	line := s.lines[len(s.lines)-1]
	return len(line) == 0 || strings.HasSuffix(line[len(line)-1].text, " ") || strings.ContainsRune("([{,;", rune(s.last))
}

// upTo returns the length of a text up to its end mark, or of all of it.
func upTo(text, begin, end string) int {
	if at := strings.Index(text[len(begin):], end); at >= 0 {
		return len(begin) + at + len(end)
	}
	return len(text)
}

func (s *scanner) textLen() int {
	for _, quote := range s.long {
		if strings.HasPrefix(s.rest, quote) {
			return upTo(s.rest, quote, quote)
		}
	}
	quote := s.rest[0]
	if s.lifetime && quote == '\'' {
		if n := quotedLen(s.rest); n > 0 && n <= len(`'\u{1F600}'`) && (n <= 3+utf8.UTFMax-1 || s.rest[1] == '\\') {
			return n
		}
		return 0
	}
	if strings.IndexByte(s.quotes, quote) < 0 {
		return 0
	}
	return quotedLen(s.rest)
}

// quotedLen returns the length of a text in the quotes that it begins with, on one line; 0 if it does not end.
func quotedLen(text string) int {
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 0
}

// word returns the length of the next word, and whether it is a keyword or is called.
func (s *scanner) word() (n int, as look) {
	n = wordLen(s.rest, "")
	name := s.rest[:n]
	if s.fold {
		name = strings.ToLower(name)
	}
	switch {
	case s.markup && (s.last == '<' || s.last == '/'), s.keywords[name] && s.last != '.':
		return n, keyword
	case strings.HasPrefix(s.rest[n:], "("), strings.HasPrefix(s.rest[n:], "!("), strings.HasPrefix(s.rest[n:], "! {"):
		return n, call
	}
	return n, 0
}

// wordLen returns the length of the word at the start of a text, which may hold other characters, too.
func wordLen(text, others string) int {
	n := strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(others, r)
	})
	if n < 0 {
		return len(text)
	}
	return n
}
