package cli

import (
	"strings"

	"github.com/fatih/color"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/show/tree"
)

// colored reports whether output gets colours. terminal tells whether a person sees it.
func (a *app) colored(terminal bool) bool {
	switch a.color.Value {
	case "always":
		return true
	case "never":
		return false
	}
	return terminal && a.Env("NO_COLOR") == "" && a.Env("TERM") != "dumb"
}

// style is what a terminal needs to show text with the given attributes.
func style(attributes ...color.Attribute) text.Style {
	c := color.New(attributes...)
	c.EnableColor()
	on, off, _ := strings.Cut(c.Sprint("x"), "x")
	return text.Style{On: on, Off: off}
}

// painter returns what colours words by a verdict.
func painter[V comparable](colours map[V][]color.Attribute) func(V, string) string {
	return func(v V, words string) string {
		if colours[v] == nil {
			return words
		}
		s := style(colours[v]...)
		return s.On + words + s.Off
	}
}

func linePalette() text.Palette {
	return text.Palette{
		Time:      style(color.Faint),
		MPA:       style(color.FgMagenta),
		Tagged:    style(color.FgBlue),
		Request:   style(color.FgCyan),
		Send:      style(color.FgGreen),
		Terminate: style(color.FgRed, color.Bold),
		Label:     style(color.Faint),
		Mark:      style(color.FgRed, color.Bold),
		Upper:     style(color.FgYellow),
		Findings:  severityStyles(),
	}
}

func treePalette() tree.Palette {
	return tree.Palette{
		Frame:   style(color.FgCyan, color.Bold),
		Header:  style(color.Bold),
		Message: style(color.FgGreen),
		Mark:    style(color.FgRed, color.Bold),
	}
}

func reportPalette() check.Palette {
	return check.Palette{Conn: style(color.Bold), Severity: severityStyles(), Good: style(color.FgGreen), Source: style(color.Faint)}
}

// severityStyles are the colours of findings.
func severityStyles() [rules.Error + 1]text.Style {
	return [...]text.Style{
		rules.Note:    style(color.FgCyan),
		rules.Warning: style(color.FgYellow),
		rules.Error:   style(color.FgRed, color.Bold),
	}
}
