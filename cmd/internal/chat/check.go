package chat

import (
	"context"

	"lens/cmd/internal/doctor"
	"lens/internal/errs"
)

// Checks is a probe of the configured chat model. It asks nothing of its server.
func (m *Model) Checks(context.Context) []doctor.Check {
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
		return []doctor.Check{{Name: name, Status: doctor.OK, Message: model.Name() + ", on this machine"}}
	default:
		return []doctor.Check{{
			Name: name, Status: doctor.OK,
			Message: model.Name() + " at " + host + "; questions and the turns that it reads are sent there",
		}}
	}
}
