package scenario

import "iter"

// Uses yields the names of the variables in a step, in order.
func (s *Step) Uses() iter.Seq[string] {
	return func(yield func(string) bool) { uses(s.Do, yield) }
}

// uses yields the variables of an action. It returns false when no more are wanted.
func uses(a Action, yield func(string) bool) bool {
	switch a := a.(type) {
	case *Frame:
		return a.PrivateData.uses(yield)
	case *Message:
		return a.Fields.uses(yield) && a.Payload.uses(yield)
	case *Segment:
		return a.Fields.uses(yield) && a.Payload.uses(yield)
	case *FPDU:
		return a.Fields.uses(yield) && a.Payload.uses(yield)
	case *Octets:
		return a.Payload.uses(yield)
	case *OneOf:
		for _, each := range Alternatives(a) {
			if !uses(each, yield) {
				return false
			}
		}
	}
	return true
}

func (f Fields) uses(yield func(string) bool) bool {
	for i := range f {
		if name := f[i].Value.Var; name != "" && !yield(name) {
			return false
		}
	}
	return true
}

func (p Payload) uses(yield func(string) bool) bool {
	for i := range p {
		if name := p[i].Ref.Var; name != "" && !yield(name) {
			return false
		}
	}
	return true
}
