package scenario

import "fmt"

// A Value is the value of a header field: a number, or a variable plus a number modulo 2^64.
type Value struct {
	Var    string // the name of the variable; empty for a number
	Number uint64
}

func constant(n uint64) Value { return Value{Number: n} }

// Values are the values of variables, by name. A missing variable is not known yet.
type Values map[string]uint64

// Resolve returns the number that v stands for; ok is false if its variable is not known.
func (v Value) Resolve(values Values) (n uint64, ok bool) {
	if v.Var == "" {
		return v.Number, true
	}
	n, ok = values[v.Var]
	return n + v.Number, ok
}

// Match compares v with n, a number of some bits on the wire. If the variable of v is not known, values learns it from
// n.
func (v Value) Match(n uint64, bits int, values Values) bool {
	mask := ^uint64(0) >> (64 - bits)
	want, known := v.Resolve(values)
	if !known {
		values[v.Var] = (n - v.Number) & mask
		return true
	}
	return want&mask == n
}

// Fields are header fields and their values.
type Fields []Field

// A Field is a header field and its value. Its name is the Label in the field tables of codec/ddp and codec/rdmap, without
// blanks: "SinkSTag", "RequestIdentifier".
type Field struct {
	Name  string
	Value Value
}

// Lookup returns the value of the named field; false if it is not there.
func (f Fields) Lookup(name string) (Value, bool) {
	for i := range f {
		if f[i].Name == name {
			return f[i].Value, true
		}
	}
	return Value{}, false
}

// An Unknown is the error for a variable whose value is not known yet.
type Unknown struct{ Name string }

// Error names the variable.
func (u *Unknown) Error() string { return fmt.Sprintf("$%s is not known yet", u.Name) }
