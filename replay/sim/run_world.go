package sim

// The RNIC and its resources, as the Plan says.

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A world is an RNIC with one connection.
type world struct {
	plan    *Plan
	rnic    *rnicsim.RNIC
	pd      *rnicsim.PD
	cq      *rnicsim.CQ
	qp      *rnicsim.QP
	stream  *rnicsim.Stream
	emss    int
	regions []registered
	byName  map[uint32]int  // index of a region by its recorded STag
	heap    registered      // memory for sent and received octets
	used    int             // octets of heap in use
	values  scenario.Values // of all variables
	reports []string
}

// A registered is a Memory Region of the RNIC.
type registered struct {
	stag   rnicsim.STag
	to     uint64
	octets []byte
}

// defaultDepth is IRD and ORD if they are not negotiated.
const defaultDepth = 128

func newWorld(plan *Plan, o *Options) (*world, error) {
	w := &world{plan: plan, emss: plan.EMSS, byName: make(map[uint32]int)}
	limits := rnicsim.DefaultLimits
	work := plan.work()
	limits.WRs, limits.CQEs = max(limits.WRs, work), max(limits.CQEs, work)
	limits.MRs = max(limits.MRs, len(plan.Regions)+1)
	limits.IRD, limits.ORD = mpa.NotNegotiated, mpa.NotNegotiated
	w.rnic = rnicsim.New(rnicsim.Config{Limits: limits, Profile: o.Profile, Quirks: quirks(plan, o), Seed: o.Seed})
	w.rnic.SetAsyncEventHandler(func(e rnicsim.Event) { w.report("event: %v", e.Type) })
	var err error
	if w.pd, err = w.rnic.AllocatePD(); err != nil {
		return nil, err
	}
	if w.cq, err = w.rnic.CreateCQ(work, 0); err != nil {
		return nil, err
	}
	if err = w.register(o); err != nil {
		return nil, err
	}
	w.begin()
	return w, w.create(work)
}

// quirks returns the deviations of the RNIC: those of the Profile's peer, and the rules that the peer breaks, if an
// RNIC can break them.
func quirks(plan *Plan, o *Options) []quirk.Quirk {
	all := append([]quirk.Quirk(nil), o.Quirks...)
	if o.Profile == nil || o.Profile.RNIC == nil {
		return all
	}
	deviations := quirk.Quirk{Name: "deviations", Text: "breaks the rules that the peer breaks"}
	for s := range quirk.Suppressible() {
		if s.Rule == nil {
			continue
		}
		if _, excused := o.Profile.Excuses(s.Rule); excused {
			deviations.Suppress = append(deviations.Suppress, s)
		}
	}
	if reserved := plan.Startup.Reserved & o.Profile.RNIC.MPAReserved; reserved != 0 {
		for _, frame := range [...]quirk.Frame{quirk.InRequest, quirk.InReply} {
			deviations.Rewrite = append(deviations.Rewrite, quirk.Rewrite{Frame: frame, Field: "iwarp_mpa.res", Value: uint64(reserved)})
		}
	}
	return append(all, quirk.Deviations(o.Profile.RNIC), deviations)
}

func (p *Plan) work() int {
	n := len(p.Receives) + 1
	for _, a := range p.Acts {
		if _, ok := a.Do.(*Post); ok {
			n++
		}
	}
	return n
}

func (w *world) register(o *Options) error {
	n := 1
	for _, r := range w.plan.Receives {
		n += r.Length
	}
	for _, a := range w.plan.Acts {
		if d, ok := a.Do.(*Post); ok {
			n += d.Octets.Len()
		}
	}
	var err error
	w.heap.octets = make([]byte, n)
	if w.heap.stag, err = w.rnic.RegisterOctets(w.pd, w.heap.octets, 0, local, 0); err != nil {
		return err
	}
	for i, r := range w.plan.Regions {
		g := registered{to: r.TO, octets: make([]byte, r.Length)}
		if o.FreshTO {
			const page = 4096
			g.to = uint64(i+1)<<32 + r.TO%page
		}
		if g.stag, err = w.rnic.RegisterOctets(w.pd, g.octets, g.to, r.Rights, 0); err != nil {
			return err
		}
		w.byName[r.STag] = len(w.regions)
		w.regions = append(w.regions, g)
	}
	w.name()
	for i, r := range w.plan.Regions {
		for _, c := range r.Contents {
			w.place(i, &c)
		}
	}
	return nil
}

// name gives the variables their values.
func (w *world) name() {
	w.values = make(scenario.Values)
	maps.Copy(w.values, w.plan.Values)
	for _, v := range w.plan.Variables {
		r := &w.regions[v.Region]
		if v.TO {
			w.values[v.Name] = r.to + v.Offset
		} else {
			w.values[v.Name] = uint64(r.stag)
		}
	}
}

// mappings returns the values that the Player must be given, because no message contains them.
func (w *world) mappings() (all []player.Mapping) {
	for i, r := range w.plan.Regions {
		live := &w.regions[i]
		if !r.Advertised {
			all = append(all, player.Mapping{Kind: scenario.STag, Recorded: uint64(r.STag), Live: uint64(live.stag)})
		}
		if !r.AdvertisedTO && live.to != r.TO {
			all = append(all, player.Mapping{Kind: scenario.TO, Recorded: r.TO, Live: live.to, Length: r.Length})
		}
	}
	return all
}

func (w *world) place(region int, p *Placed) {
	w.put(w.regions[region].octets[p.At:], p.Octets)
}

// put writes a payload with known variables.
func (w *world) put(dst []byte, payload scenario.Payload) {
	if _, err := payload.AppendOctets(dst[:0:min(len(dst), payload.Len())], w.values); err != nil {
		w.report("a variable: %v", err)
	}
}

func (w *world) begin() {
	t := &w.plan.Startup
	c := rnicsim.StreamConfig{Rev: t.Rev, Markers: t.Markers, CRC: t.CRC}
	if t.Enhanced {
		c.Enhanced = &mpa.Enhanced{A: t.Ready.Due, B: t.Ready.Send, C: t.Ready.Write, D: t.Ready.Read, IRD: t.IRD, ORD: t.ORD}
	}
	w.stream = w.rnic.NewStream(c)
	w.emss = cmp.Or(w.emss, defaultEMSS)
	w.stream.SetEMSS(w.emss)
}

const defaultEMSS = 1460

// create creates the QP and posts the Receives.
func (w *world) create(work int) (err error) {
	t := &w.plan.Startup
	depth := func(n uint16) int {
		if !t.Enhanced || n == mpa.NotNegotiated {
			return defaultDepth
		}
		return int(n)
	}
	w.qp, err = w.rnic.CreateQP(rnicsim.QPConfig{
		PD: w.pd, SendCQ: w.cq, RecvCQ: w.cq, SQ: work, RQ: work, RemoteRead: true, RemoteWrite: true,
		SendSGEs: 1, WriteSGEs: 1, RecvSGEs: 1, IRD: depth(t.IRD), ORD: depth(t.ORD),
	})
	if err != nil {
		return err
	}
	for i, r := range w.plan.Receives {
		e := w.heapElement(r.Length)
		if r.Broken {
			e.STag = w.nowhere()
		}
		if _, err := w.qp.PostRQ(rnicsim.WorkRequest{ID: uint64(i), SGL: []rnicsim.SGE{e}}); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) heapElement(n int) rnicsim.SGE {
	e := rnicsim.SGE{STag: w.heap.stag, TO: uint64(w.used), Len: uint32(n)}
	w.used += n
	return e
}

// nowhere returns an invalid STag: that of the heap with another key.
func (w *world) nowhere() rnicsim.STag { return w.heap.stag.WithKey(w.heap.stag.Key() + 1) }

// report records what the RNIC reports to its Consumer.
func (w *world) report(format string, args ...any) {
	if len(w.reports) < maxReports {
		w.reports = append(w.reports, fmt.Sprintf(format, args...))
	}
}
