package page_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/show/page"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func Example() {
	capture, err := samples.Open("rping")
	if err != nil {
		log.Fatal(err)
	}
	p := page.New(page.Options{Files: []string{"rping.pcap"}})
	engine := dissect.NewEngine(judge.New(p, judge.Options{}), dissect.Options{})
	if err := engine.Run(context.Background(), capture); err != nil {
		log.Fatal(err)
	}
	var html strings.Builder
	if err := p.Write(&html, engine.Totals()); err != nil {
		log.Fatal(err)
	}
	_, headline, _ := strings.Cut(html.String(), `<h1 class="fine">`)
	headline, _, _ = strings.Cut(headline, "</h1>")
	fmt.Println(headline)
	// Output: No failure. The client closed the connection with FIN in frame 56 after 35 messages; nothing outstanding.
}
