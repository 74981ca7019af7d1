package page_test

import (
	"bytes"
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/page"
	"github.com/iwarpkit/iwarp/internal/tools"
)

// A browser has a page open.
type browser struct {
	context.Context
	t      *testing.T
	mu     sync.Mutex
	errors []string // that the page has met
	asked  []string // what it asked for, except for itself
}

// open opens a page in a browser of a given width.
func open(t *testing.T, html []byte, width int64, dark bool) *browser {
	t.Helper()
	tools.Require(t, "chromium")
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, html, 0o666); err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(5*time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // it is over then
	b := &browser{Context: ctx, t: t}
	b.do()
	err := chromedp.Listen(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			b.errors = append(b.errors, string(e.Args[0].Value))
		case *runtime.EventExceptionThrown:
			b.errors = append(b.errors, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
		case *log.EventEntryAdded:
			b.errors = append(b.errors, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if e.Request.URL != "file://"+file && !strings.HasPrefix(e.Request.URL, "data:") {
				b.asked = append(b.asked, e.Request.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	scheme := map[bool]string{false: "light", true: "dark"}[dark]
	b.do(
		chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
			_, err := cdp.Call(ctx, to, network.Enable, network.EnableParams{})
			_, failed := cdp.Call(ctx, to, log.Enable, cdp.Empty{})
			_, measured := cdp.Call(ctx, to, performance.Enable, performance.EnableParams{})
			_, media := cdp.Call(ctx, to, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
			})
			return errors.Join(err, failed, measured, media)
		}),
		chromedp.EmulateViewport(width, 900),
		chromedp.Navigate("file://"+file),
		chromedp.WaitReady(chromedp.CSS("body[data-ready], body.compare")), // two captures are compared without a script
	)
	return b
}

// do does something on the page.
func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b, steps...); err != nil {
		b.t.Fatalf("%v; the page says %q", err, b.errors)
	}
}

// value is what an expression is on the page.
func value[T any](b *browser, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v; the page says %q", expression, err, b.errors)
	}
	return v
}

// quiet fails the test if the page has met errors, or has asked for anything.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.errors)+len(b.asked) > 0 {
		b.t.Errorf("the page says %q and asks for %q", b.errors, b.asked)
	}
}

// TestBrowser uses a page as a person does.
func TestBrowser(t *testing.T) {
	b := open(t, made(t, "nfs-small-v4.1-inl4096-crc1", nil), 1280, false)
	const (
		plots   = `document.querySelectorAll(".plot canvas").length`
		outside = `document.querySelectorAll(".row.outside").length`
		counted = `document.querySelector("[data-list=requests] [role=status]").textContent`
		chosen  = `!document.querySelector("#selection").hidden`
		counts  = `["[data-lengths='0']", "[data-lengths='1']", "[data-latency]", "[data-table]"].map(of =>
			[...document.querySelectorAll(of + " tbody tr")].map(r => Number(r.cells[1].textContent)).reduce((a, b) => a + b, 0))`
	)
	b.do(chromedp.WaitReady(chromedp.CSS("[data-list=messages] tr")), chromedp.ScrollIntoView(chromedp.CSS(".plot")))
	if n := value[int](b, plots); n != 5 {
		t.Errorf("%d plots", n)
	}
	all, distributed := value[string](b, counted), value[[]int](b, counts)

	b.do(chromedp.ScrollIntoView(chromedp.CSS(".plot .u-over")))
	type box struct{ Left, Top, Width, Height float64 }
	over := value[box](b, `(r => ({Left: r.left, Top: r.top, Width: r.width, Height: r.height}))(document.querySelector(".plot .u-over").getBoundingClientRect())`)
	y := over.Top + over.Height/2
	b.do(chromedp.DragAndDropXY(over.Left+over.Width*.2, y, over.Left+over.Width*.5, y, 5))
	if !value[bool](b, chosen) || value[int](b, outside) == 0 || value[string](b, counted) == all {
		t.Errorf("a selection shows %d messages outside, and %s requests", value[int](b, outside), value[string](b, counted))
	}
	for i, n := range value[[]int](b, counts) {
		if n == 0 || n >= distributed[i] {
			t.Errorf("a selection has %d in distribution %d, all have %d", n, i, distributed[i])
		}
	}
	b.do(chromedp.KeyEvent(kb.Escape))
	if value[bool](b, chosen) || value[int](b, outside) != 0 || value[string](b, counted) != all || !slices.Equal(value[[]int](b, counts), distributed) {
		t.Error("Escape does not show all")
	}
	b.do(chromedp.Focus(chromedp.CSS(".plot")), chromedp.KeyEvent("+"), chromedp.KeyEvent(kb.ArrowRight))
	if !value[bool](b, chosen) {
		t.Error("+ does not zoom")
	}
	b.do(chromedp.Click(chromedp.CSS("#selection button")))

	b.do(chromedp.Focus(chromedp.CSS("[data-list=requests] .rows")), chromedp.KeyEvent("/"))
	if !value[bool](b, `document.activeElement.matches("[data-list=requests] input")`) {
		t.Error("/ does not go to the search")
	}
	b.do(chromedp.KeyEvent(kb.Backspace), chromedp.KeyEvent("setattr")) // the key that went there is typed too, unlike by a person
	if found := value[string](b, counted); found != "68 of "+all {
		t.Errorf("the search for %q finds %s", value[string](b, `document.activeElement.value`), found)
	}
	b.do(chromedp.Click(chromedp.CSS("[data-list=requests] th:nth-child(8) button")), chromedp.Click(chromedp.CSS("[data-list=requests] th:nth-child(8) button")))
	if took := value[string](b, `document.querySelector("[data-list=requests] tbody tr:nth-child(2) td:nth-child(8)").textContent`); took != "1.49 ms" {
		t.Errorf("the longest SETATTR took %s", took)
	}
	b.do(chromedp.Click(chromedp.CSS("[data-list=requests] th:nth-child(9) button")))
	if !value[bool](b, `[...document.querySelectorAll("[data-list=requests] td:nth-child(9)")].map(e => parseInt(e.textContent)).every((n, i, all) => i === 0 || all[i - 1] < n)`) {
		t.Error("the requests are not in the order of frames")
	}

	const folded = `document.querySelector(".fold svg").checkVisibility()`
	if value[bool](b, folded) {
		t.Error("a fold is open")
	}
	b.do(chromedp.Click(chromedp.CSS(".fold summary")))
	if !value[bool](b, folded) {
		t.Error("a fold does not open")
	}
	b.do(chromedp.Click(chromedp.CSS(".plot details summary")), chromedp.WaitReady(chromedp.CSS(".plot .values tr")))
	if n := value[int](b, `document.querySelectorAll(".plot .values tr").length`); n < 10 {
		t.Errorf("the table beside a plot has %d rows", n)
	}
	b.quiet()
}

// TestKeys goes from connection to connection.
func TestKeys(t *testing.T) {
	b := open(t, made(t, "multi4", nil), 400, true)
	at := func() int {
		return value[int](b, `[...document.querySelectorAll("section")].findLastIndex(s => s.getBoundingClientRect().top < 80)`)
	}
	b.do(chromedp.KeyEvent("n"), chromedp.KeyEvent("n"))
	if at() != 1 {
		t.Errorf("at section %d", at())
	}
	b.do(chromedp.KeyEvent("p"))
	if at() != 0 {
		t.Errorf("at section %d", at())
	}
	if wide := value[int](b, `document.documentElement.scrollWidth`); wide > 400 {
		t.Errorf("the page is %d wide", wide)
	}
	b.quiet()
}

// TestAlike folds connections that failed alike, until somebody opens them.
func TestAlike(t *testing.T) {
	html := made(t, "multi4", func(r *record.Record) {
		if v := r.Verdict; v != nil {
			v.Cause = &record.Finding{Name: "timeout"}
			v.Conn.Server = netip.MustParseAddrPort("10.0.0.2:20049")
		}
	})
	b := open(t, html, 1280, false)
	const (
		folded = `!document.querySelector(".alike section").checkVisibility()`
		drawn  = `document.querySelectorAll(".alike .rows").length > 0`
	)
	if n := value[int](b, `document.querySelectorAll("main > section, main > .alike").length`); n != 2 || !value[bool](b, folded) {
		t.Errorf("%d sections and folds", n)
	}
	b.do(chromedp.KeyEvent("n"), chromedp.KeyEvent("n"), chromedp.KeyEvent(kb.Enter), chromedp.WaitReady(chromedp.CSS(".alike .rows")))
	if value[bool](b, folded) {
		t.Error("Enter does not open the fold")
	}
	b.quiet()
	b = open(t, html, 1280, false)
	if value[bool](b, `(dispatchEvent(new Event("beforeprint")), `+folded+`)`) || !value[bool](b, drawn) {
		t.Error("printing does not open the fold")
	}
	b.quiet()
}

// TestOthers finds what connections said that have no section of their own, by their cards.
func TestOthers(t *testing.T) {
	b := open(t, many(t, 60, 5), 1280, false)
	const listed = `document.querySelector("#others [data-list=messages] [role=status]").textContent`
	b.do(chromedp.Click(chromedp.CSS(".more summary")), chromedp.Click(chromedp.CSS("[data-of='59']")), chromedp.WaitReady(chromedp.CSS("#others [data-list=messages] tr.spacer")))
	if got := value[string](b, listed); got != "5 of 180" {
		t.Errorf("connection 59 has %s messages", got)
	}
	b.quiet()
}

// TestHostile makes a page of a capture whose every text wants to be more than text.
func TestHostile(t *testing.T) {
	b := open(t, made(t, "term-write-badkey", hostile), 1280, false)
	for what, expression := range map[string]string{
		"a script has run":                  `typeof hacked !== "undefined"`,
		"there is an element":               `document.querySelector("#evil, img, iframe, section script") !== null`,
		"there are characters of control":   `/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(document.documentElement.innerHTML)`,
		"the text is not there":             `!document.body.innerText.includes("<script>hacked=1</script>")`,
		"an attribute was broken out of":    `[...document.querySelectorAll("*")].some(e => e.getAttributeNames().some(n => n.startsWith("on")))`,
		"the policy lets other scripts run": `(() => { const s = document.createElement("script"); s.textContent = "hacked = 1"; document.body.append(s); return typeof hacked !== "undefined" })()`,
	} {
		if value[bool](b, expression) {
			t.Error(what)
		}
	}
	if len(b.asked) > 0 {
		t.Errorf("the page asks for %q", b.asked)
	}
}

// TestLarge opens a page with as many messages as one can have.
func TestLarge(t *testing.T) {
	html := large(t, page.MaxMessages, nil)
	if len(html) > page.MaxOctets || bytes.Contains(html, []byte("The page has")) {
		t.Errorf("%d octets, and not all messages", len(html))
	}
	b := open(t, html, 1280, false)
	b.do(chromedp.WaitReady(chromedp.CSS("[data-list=messages] tr")))
	t.Logf("drawn after %.0f ms", value[float64](b, `performance.getEntriesByName("drawn")[0].startTime`)) // on a machine that does other things
	// Machines differ: the measure is what the same browser takes to write 32 million numbers. In Chromium 156, a page
	// takes about six times as long.
	const most = 9
	drawing := b.worked()
	value[float64](b, `(() => { let n = 0; for (let i = 0; i < 32e6; i++) n += String(i).length; return n })()`)
	if numbers := b.worked() - drawing; drawing > most*numbers {
		t.Errorf("the page works for %.1f s, %.1f times as long as on numbers", drawing, drawing/numbers)
	}
	if n := value[string](b, `document.querySelector("[data-list=messages] [role=status]").textContent`); n != "100,000" {
		t.Errorf("%s messages", n)
	}
	b.quiet()
}

// worked is how many seconds the thread of the page has worked so far.
func (b *browser) worked() (seconds float64) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		result, err := cdp.Call(ctx, to, performance.GetMetrics, cdp.Empty{})
		for _, m := range result.Metrics {
			if m.Name == "ThreadTime" {
				seconds = m.Value
			}
		}
		return err
	}))
	return seconds
}

// TestShots writes pictures of a page into a folder, to be looked at: as it is on screens, on paper, and for those who see fewer colours.
func TestShots(t *testing.T) {
	folder := os.Getenv("IWARP_SHOTS")
	if folder == "" {
		t.Skip("IWARP_SHOTS is not set")
	}
	html, err := os.ReadFile(os.Getenv("IWARP_PAGE"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, octets []byte, err error) {
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), octets, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, shot := range []struct {
		name    string
		width   int64
		dark    bool
		without emulation.SetEmulatedVisionDeficiencyType
	}{
		{"1280-light", 1280, false, ""}, {"1280-dark", 1280, true, ""}, {"400-light", 400, false, ""}, {"400-dark", 400, true, ""},
		{"no-green", 1280, false, emulation.SetEmulatedVisionDeficiencyTypeDeuteranopia}, {"no-colour", 1280, false, emulation.SetEmulatedVisionDeficiencyTypeAchromatopsia},
	} {
		b := open(t, html, shot.width, shot.dark)
		if shot.without != "" {
			b.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
				_, err := cdp.Call(ctx, to, emulation.SetEmulatedVisionDeficiency, emulation.SetEmulatedVisionDeficiencyParams{Type: shot.without})
				return err
			}))
		}
		b.do(chromedp.Sleep(800 * time.Millisecond))
		png, err := chromedp.Run(b, chromedp.FullScreenshot(100))
		write(shot.name+".png", png, err)
		if shot.name == "1280-light" {
			b.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
				pdf, err := cdp.Call(ctx, to, cdpage.PrintToPDF, cdpage.PrintToPDFParams{})
				write("print.pdf", pdf.Data, err)
				return nil
			}))
		}
		t.Log(b.errors, b.asked)
	}
}
