package sqlite

import (
	"errors"

	"lens/store/terms"
)

// The keyword index holds what the rules of terms made of the texts, and is asked what they make of a query: under other rules
// it would find less, without a word. So the archive says by which version of them it was indexed, and is not opened under another.
var (
	errOtherTerms = errors.New("keyword index was made by older rules than this program's")
	errNewerTerms = errors.New("keyword index was made by newer rules than this program's")
)

// checkTerms returns errOtherTerms or errNewerTerms when there is a keyword index and it was not made by this program's rules.
func (c *conn) checkTerms() error {
	return c.each("TermsVersion", nil, func(r row) error {
		switch version := r.ColumnInt64(0); {
		case version > terms.Version:
			return errNewerTerms
		case version < terms.Version:
			return errOtherTerms
		}
		return nil
	})
}
