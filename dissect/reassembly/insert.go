package reassembly

// How a segment enters the queue: what is new of it, where it goes, what has to be copied.

import "bytes"

// insert takes the octets of s from the offset begin to end.
func (h *Half) insert(s *Segment, begin, end int64) {
	captured := min(int64(len(s.Data)), end-begin)
	waited := captured > 0 && h.place(s, begin, s.Data[:captured], captured)
	if begin += captured; begin < end {
		waited = h.place(s, begin, nil, end-begin) || waited
	}
	if waited {
		h.counters.OutOfOrder++
	}
}

// place puts what is new of s into the queue: octets from an offset on, data, or if they were not captured, nil. What lies
// before h.ready is old; what begins there can be passed on at once and is not copied; of the rest a copy is made. It returns
// whether something new has to wait.
func (h *Half) place(s *Segment, offset int64, data []byte, length int64) (waits bool) {
	end := offset + length
	if offset < h.ready {
		h.counters.Retransmitted += uint64(max(0, min(end, h.ready)-max(offset, 0)))
		if end <= h.ready {
			return false
		}
		if data != nil {
			data = data[h.ready-offset:]
		}
		offset = h.ready
	}
	q := &h.queue
	if offset == h.next && q.count() == 0 {
		h.append(s, data, end)
		return false
	}
	f := &fragment{offset: offset, length: uint32(end - offset), data: data, frame: s.Frame, time: s.Time}
	at, n, fresh := q.find(f.offset), 1, true
	again, overtaken := h.counters.Retransmitted, q.overtook(at, f)
	if at == len(q.list) || f.end() <= q.list[at].offset {
		at = q.insert(at, f, &h.budget.lists)
	} else {
		n, fresh = h.merge(at, f)
	}
	if overtaken {
		h.counters.LostBefore += uint64(f.length) - (h.counters.Retransmitted - again)
	}
	if f.offset == h.ready {
		q.borrowed = min(q.borrowed, at)
		h.advance()
		return false
	}
	for i := at; i < at+n; i++ {
		if !q.list[i].held {
			h.hold(&q.list[i])
		}
	}
	return fresh
}

// cutReach is how many waiting fragments a missing tail is spread around. A stated length costs an attacker nothing, so
// it must not cost us a walk through the whole queue; what lies further ahead stays a gap.
const cutReach = 64

// merge puts f into the queue where it overlaps waiting fragments, the first of which is at index at. What they hold
// already stays, but captured octets take the place of those that the snaplen cut off. The n fragments from index at
// on are the outcome.
func (h *Half) merge(at int, f *fragment) (n int, fresh bool) {
	q, b := &h.queue, h.budget
	merged := b.merged[:0]
	from, to := f.offset, at
	for ; to < len(q.list) && q.list[to].offset < f.end(); to++ {
		old := &q.list[to]
		if f.data == nil && to-at == cutReach {
			f.shorten(old.offset)
			break
		}
		if from < old.offset {
			merged, fresh = append(merged, f.part(from, old.offset)), true
			from = old.offset
		}
		until := min(old.end(), f.end())
		h.counters.Retransmitted += uint64(until - from)
		if old.data == nil && f.data != nil {
			merged, fresh = h.fill(merged, old, f.part(from, until)), true
		} else {
			h.compare(old, f, from, until)
			merged = append(merged, *old)
		}
		from = until
	}
	if from < f.end() {
		merged, fresh = append(merged, f.part(from, f.end())), true
	}
	if fresh {
		q.replace(at, to, merged, &b.lists)
	}
	n = len(merged)
	clear(merged)
	b.merged = merged
	return n, fresh
}

// fill appends to merged the fragment old, which the snaplen cut off, with data in the place of a part of it.
func (h *Half) fill(merged []fragment, old *fragment, data fragment) []fragment {
	if old.offset < data.offset {
		merged = append(merged, old.part(old.offset, data.offset))
	}
	merged = append(merged, data)
	if data.end() < old.end() {
		merged = append(merged, old.part(data.end(), old.end()))
	}
	if old.held {
		h.release(old)
	}
	return merged
}

// compare counts the octets between two offsets in which old and f differ.
func (h *Half) compare(old, f *fragment, from, to int64) {
	if old.data == nil || f.data == nil {
		return
	}
	first, second := old.data[from-old.offset:to-old.offset], f.data[from-f.offset:to-f.offset]
	if bytes.Equal(first, second) {
		return
	}
	for i := range first {
		if first[i] != second[i] {
			h.counters.Conflicting++
		}
	}
}

// advance moves h.ready over the fragments that follow on it without a gap.
func (h *Half) advance() {
	q := &h.queue
	for q.ready < len(q.list) && q.list[q.ready].offset <= h.ready {
		h.ready = q.list[q.ready].end()
		q.ready++
	}
}

// settle prepares the queue for another Push: pulled fragments are recycled, and what was ready but not pulled is
// copied.
func (h *Half) settle() {
	q := &h.queue
	if h.direct.length > 0 {
		q.borrowed = q.insert(q.head, &h.direct, &h.budget.lists)
		q.ready++
		h.direct = fragment{}
	}
	h.recycle()
	for i := max(q.head, q.borrowed); i < q.ready; i++ {
		if !q.list[i].held {
			h.hold(&q.list[i])
		}
	}
	q.compact(&h.budget.lists)
}

// recycle gives the buffers of pulled fragments back.
func (h *Half) recycle() {
	q := &h.queue
	for ; q.clean < q.head; q.clean++ {
		f := &q.list[q.clean]
		if f.held {
			h.budget.putBuffer(f.data)
		}
		*f = fragment{}
	}
}

// hold makes f independent of the packet, at the expense of the budget.
func (h *Half) hold(f *fragment) {
	if f.data != nil {
		f.data = append(h.budget.getBuffer(len(f.data))[:0], f.data...)
	}
	f.held = true
	h.budget.charge(h, cost(f))
}

// release takes f out of the budget.
func (h *Half) release(f *fragment) { h.budget.discharge(h, cost(f)) }

// removeLast takes the fragment furthest ahead out of the queue. If it could have been pulled already, the stream is
// known less far then.
func (h *Half) removeLast() {
	q := &h.queue
	f := q.last()
	if f.held {
		h.release(f)
		h.budget.putBuffer(f.data)
	}
	wasReady := q.waiting() == 0
	q.dropLast()
	if !wasReady {
		return
	}
	h.ready = h.next
	if before := q.last(); before != nil {
		h.ready = before.end()
	}
}
