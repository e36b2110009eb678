package chat

import (
	"context"

	"lens/cmd/internal/doctor"
	"lens/internal/errs"
)

// Checks is a probe of the configured chat model. It asks at most what the model can do; see Model.Limits.
func (m *Model) Checks(ctx context.Context) []doctor.Check {
	const name = "chat"
	model, err := m.Open()
	switch host, local := m.Host(); {
	case m.cfg.Provider == "":
		return []doctor.Check{{
			Name: name, Status: doctor.OK, Message: "no chat model: lens ask and the explorer's chat need one",
			Hint: errs.First(err).Hint,
		}}
	case err != nil:
		return []doctor.Check{doctor.Warned(name, err)}
	case local:
		check := doctor.Check{Name: name, Status: doctor.OK, Message: model.Name() + ", on this machine"}
		if limit := m.Limits(ctx).Explain(model.Name()); limit != "" {
			check.Status, check.Message = doctor.Warn, check.Message+"; "+limit
			check.Hint = "use a model that calls tools, with a context of at least 16,000 tokens"
		}
		return []doctor.Check{check}
	default:
		return []doctor.Check{{
			Name: name, Status: doctor.OK,
			Message: model.Name() + " at " + host + "; questions and the turns that it reads are sent there",
		}}
	}
}
