package chart

// Style is what is written before and after a text, such as escape sequences. The zero Style leaves text as it is.
type Style struct{ Before, After string }

// Render styles a piece of a line.
func (s Style) Render(text string) string {
	if text == "" {
		return ""
	}
	return s.Before + text + s.After
}
