package rnicsim

// Busy tells that there is work in the SQ or IRRQ that is not done yet, whether its completion was polled or not: to go to
// Closing would end in a Bad Close (Verbs, section 6.2.5).
func (q *QP) Busy() bool { return q.exists() && q.busy() }
