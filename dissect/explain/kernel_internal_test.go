package explain

import "testing"

// TestKernelTable asks for what messages of the kernel refer to, and for the statuses that they have.
func TestKernelTable(t *testing.T) {
	all := kernelMessages()
	for i := range all {
		m := &all[i]
		if m.argument > m.pattern.NumSubexp() {
			t.Errorf("%s: %q has no argument %d", m.driver, m.format, m.argument)
		}
		for _, see := range m.see {
			if Lookup(see) == nil {
				t.Errorf("%s: %q refers to %q", m.driver, m.format, see)
			}
		}
	}
}
