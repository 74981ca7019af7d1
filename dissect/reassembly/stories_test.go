package reassembly

var stories = []story{
	{
		name: "in order from SYN to FIN",
		lines: `
			not started
			syn 99         =>
			started
			100 abc        => 0:abc@4
			103            =>
			103 def        => 3:def@6
			not fin
			fin 106 gh     => 6:gh@8
			fin
			finished
			flush          =>`,
	},
	{
		name: "data with the SYN",
		lines: `
			syn 99 abc     => 0:abc
			syn 99         =>
			103 def        => 3:def`,
	},
	{
		name: "a FIN alone ends the stream",
		lines: `
			100 abc        => 0:abc
			not finished
			fin 103        =>
			finished
			fin 103        =>`,
	},
	{
		name: "start in the middle",
		lines: `
			5000           =>
			not started
			ack 77
			5000 abc       => 0:abc
			5003 def       => 3:def
			4990 0123456789abcdefGH => 6:GH
			4000 old       =>`,
		want: Counters{Retransmitted: 6, OutOfWindow: 1},
	},
	{
		name: "the SYN comes late",
		lines: `
			100 abc        => 0:abc
			syn 99         =>
			103 def        => 3:def`,
	},
	{
		name: "a SYN with another ISN is not ours",
		lines: `
			not newISN 5
			syn 99         =>
			not newISN 99
			newISN 5
			syn 5 bad      =>
			100 abc        => 0:abc`,
		want: Counters{OutOfWindow: 1},
	},
	{
		name: "two segments swapped",
		lines: `
			syn 99
			103 def        =>
			100 abc        => 0:abc@3 3:def@2
			106 ghi        => 6:ghi`,
		want: Counters{OutOfOrder: 1},
	},
	{
		name: "many segments in the opposite order",
		lines: `
			syn 99
			112 e
			109 ddd
			106 ccc
			103 bbb
			100 aaa        => 0:aaa 3:bbb 6:ccc 9:ddd 12:e`,
		want: Counters{LostBefore: 6, OutOfOrder: 4},
	},
	{
		name: "a gap is filled from its beginning, step by step",
		lines: `
			syn 99
			108 iii
			100 aa         => 0:aa
			102 bb         => 2:bb
			104 cc         => 4:cc
			106 dd         => 6:dd 8:iii`,
		want: Counters{OutOfOrder: 1},
	},
	{
		name: "retransmissions bring nothing",
		lines: `
			syn 99
			100 abcdef     => 0:abcdef
			100 abcdef     =>
			102 cd         =>
			104 efgh       => 6:gh`,
		want: Counters{Retransmitted: 6 + 2 + 2},
	},
	{
		name: "the first octets win, the differences are counted while queued",
		lines: `
			syn 99
			104 EF         =>
			103 dxfG       =>
			100 abc        => 0:abc 3:d@3 4:EF@2 6:G@3
			100 zzz        =>`,
		want: Counters{LostBefore: 3, OutOfOrder: 2, Retransmitted: 2 + 3, Conflicting: 2},
	},
	{
		name: "one segment fills all gaps between queued ones",
		lines: `
			syn 99
			102 c          =>
			105 f          =>
			108 i          =>
			100 abcdefghijk => 0:ab@5 2:c@2 3:de@5 5:f@3 6:gh@5 8:i@4 9:jk@5`,
		want: Counters{LostBefore: 8, OutOfOrder: 3, Retransmitted: 3},
	},
	{
		name: "a queued segment within another",
		lines: `
			syn 99
			102 cdefgh     =>
			104 ef         =>
			101 bcdefghi   =>
			100 a          => 0:a 1:b 2:cdefgh 8:i`,
		want: Counters{LostBefore: 1, OutOfOrder: 2, Retransmitted: 2 + 6},
	},
	{
		name: "keep-alive probes",
		lines: `
			syn 99
			99 x           =>
			100 abc        => 0:abc
			102            =>
			102 x          =>
			103 def        => 3:def`,
		want: Counters{Retransmitted: 1},
	},
	{
		name: "keep-alive probes after a lost segment",
		lines: `
			syn 99
			100 abc        => 0:abc
			ack 106
			later 105 x    =>
			106 ghi        =>
			ack 109
			flush          => 3:[3] 6:ghi`,
		want: Counters{OutOfOrder: 1, Retransmitted: 1, Holes: 1, HoleOctets: 3},
	},
	{
		name: "a keep-alive probe after a lost octet",
		lines: `
			syn 99
			100 abc        => 0:abc
			ack 104
			later 103 x    =>
			104 efg        =>
			flush          => 3:[1] 4:efg`,
		want: Counters{OutOfOrder: 1, Retransmitted: 1, Holes: 1, HoleOctets: 1},
	},
	{
		name: "a segment of one octet after its acknowledgement",
		lines: `
			syn 99
			100 abc        => 0:abc
			ack 104
			103 d          => 3:d`,
	},
	{
		name: "a segment of one octet",
		lines: `
			syn 99
			100 abc        => 0:abc
			ack 103
			103 d          => 3:d
			ack 104
			103 x          =>
			105 f          =>
			104 e          => 4:e 5:f`,
		want: Counters{OutOfOrder: 1, Retransmitted: 1},
	},
	{
		name: "the sequence numbers wrap",
		lines: `
			syn 4294967293
			4294967294 ab  => 0:ab
			2 efg          =>
			0 cd           => 2:cd 4:efg
			4294967295 bcdef => 
			fin 5 h        => 7:h
			finished`,
		want: Counters{OutOfOrder: 1, Retransmitted: 5},
	},
	{
		name: "the ISN is the last sequence number",
		lines: `
			syn 4294967295
			0 abc          => 0:abc
			not newISN 4294967295`,
	},
	{
		name: "the snaplen cuts each segment",
		lines: `
			syn 99
			100 ab +8      => 0:ab@2 2:[8]@2
			110 cd +8      => 10:cd@3 12:[8]@3
			110 cdefghijkl =>
			fin 120 +5     => 20:[5]
			finished`,
		want: Counters{Cut: 21, Retransmitted: 10, Holes: 3, HoleOctets: 21},
	},
	{
		name: "a longer copy fills what the snaplen cut while it is queued",
		lines: `
			syn 99
			103 d +5       =>
			105 fg         =>
			104 e +1       =>
			100 abc        => 0:abc 3:d@2 4:e@4 5:fg@3 7:[2]@2`,
		want: Counters{Cut: 2, LostBefore: 3, OutOfOrder: 3, Retransmitted: 2 + 2, Holes: 1, HoleOctets: 2},
	},
	{
		name: "a shorter copy adds only what is new",
		lines: `
			syn 99
			103 de         =>
			103 d +3       =>
			100 abc        => 0:abc 3:de 5:[2]`,
		want: Counters{Cut: 2, OutOfOrder: 2, Retransmitted: 1 + 1, Holes: 1, HoleOctets: 2},
	},
	{
		name: "data behind the FIN is ignored",
		lines: `
			syn 99
			fin 103 def    =>
			104 efghij     =>
			106 ghi        =>
			100 abc        => 0:abc 3:def
			106 ghi        =>
			finished`,
		want: Counters{OutOfOrder: 1, OutOfWindow: 2, Retransmitted: 2},
	},
	{
		name: "a FIN cuts what was queued behind it",
		lines: `
			syn 99
			102 cdef       =>
			107 hi         =>
			fin 104        =>
			100 ab         => 0:ab 2:cd
			finished`,
		want: Counters{OutOfOrder: 2, OutOfWindow: 1},
	},
	{
		name: "a FIN within what was delivered is ignored, as is a second one",
		lines: `
			syn 99
			100 abcdef     => 0:abcdef
			fin 103        =>
			not fin
			fin 108        =>
			fin 110        =>
			106 ghij       => 6:gh
			finished`,
		want: Counters{OutOfWindow: 1},
	},
	{
		name: "RST within and out of the window",
		lines: `
			syn 99
			rst 3000000000 text =>
			not reset
			102 cd         =>
			rst 100 text   =>
			reset
			flush          => 0:[2] 2:cd`,
		want: Counters{OutOfOrder: 1, Holes: 1, HoleOctets: 2},
	},
	{
		name:  "RST instead of an answer",
		lines: "rst 0\nreset\nnot started",
	},
	{
		name: "flush gives up all gaps, that before the FIN too",
		lines: `
			syn 99
			102 cd         =>
			106 gh         =>
			fin 110        =>
			not finished
			flush          => 0:[2]@4 2:cd@2 4:[2]@4 6:gh@3 8:[2]@4
			finished
			100 ab         =>`,
		want: Counters{OutOfOrder: 2, Retransmitted: 2, Holes: 3, HoleOctets: 6},
	},
	{
		name: "an acknowledged gap is given up after 32 segments",
		lines: `
			syn 99
			ack 100
			103 def        =>
			ack 106
			31 * 106       =>
			106 ghi        => 0:[3]@6 3:def@3 6:ghi@6
			100 abc        =>`,
		want: Counters{OutOfOrder: 2, Retransmitted: 3, Holes: 1, HoleOctets: 3},
	},
	{
		name: "the directions of the capture are reordered: the data comes after its acknowledgement",
		lines: `
			syn 99
			103 def        =>
			ack 106
			30 * 106       =>
			100 abc        => 0:abc 3:def`,
		want: Counters{OutOfOrder: 1},
	},
	{
		name: "two acknowledged gaps, each after its 32 segments",
		lines: `
			syn 99
			101 b          =>
			103 d          =>
			ack 102
			10 * 104       =>
			ack 104
			21 * 104       =>
			104            => 0:[1] 1:b
			9 * 104        =>
			104            => 2:[1] 3:d`,
		want: Counters{OutOfOrder: 2, Holes: 2, HoleOctets: 2},
	},
	{
		name: "a gap that is not acknowledged waits",
		lines: `
			syn 99
			103 def        =>
			ack 102
			900 * 106      =>
			100 abc        => 0:abc 3:def`,
		want: Counters{OutOfOrder: 1},
	},
	{
		name: "a lost end before a bare FIN",
		lines: `
			syn 99
			100 abc        => 0:abc
			fin 106        =>
			ack 107
			31 * 107       =>
			107            => 3:[3]
			finished`,
		want: Counters{Holes: 1, HoleOctets: 3},
	},
	{
		name: "acknowledgements before the first segment count",
		lines: `
			ack 106
			100 abc        => 0:abc
			106 ghi        =>
			30 * 109       =>
			109            => 3:[3] 6:ghi`,
		want: Counters{OutOfOrder: 1, Holes: 1, HoleOctets: 3},
	},
	{
		name: "absurd acknowledgements are ignored",
		lines: `
			syn 99
			ack 2000000000
			103 def        =>
			100 * 106      =>
			100 abc        => 0:abc 3:def`,
		want: Counters{OutOfOrder: 1},
	},
	{
		name: "segments far out of the window",
		lines: `
			syn 99
			100 abc        => 0:abc
			2000000000 xyz =>
			3000000000 xyz =>
			103 def        => 3:def`,
		want: Counters{OutOfWindow: 2},
	},
	{
		name:   "at the limit of a half the octets furthest ahead are dropped",
		limits: Limits{Half: 3 * 192}, // three small fragments
		lines: `
			syn 99
			ack 100
			110 k          =>
			106 g          =>
			104 e          =>
			102 c          =>
			112 m          =>
			100 ab         => 0:ab 2:c
			103 d          => 3:d 4:e
			105 f          => 5:f 6:g
			ack 112
			112 m          =>
			flush          => 7:[5] 12:m`,
		want: Counters{LostBefore: 3, OutOfOrder: 6, Dropped: 2, Holes: 1, HoleOctets: 5},
	},
	{
		name:   "at the limit for fragments likewise",
		limits: Limits{Fragments: 2},
		lines: `
			syn 99
			ack 100
			102 c          =>
			106 gg         =>
			104 e          =>
			flush          => 0:[2] 2:c 3:[1] 4:e`,
		want: Counters{OutOfOrder: 3, Dropped: 2, Holes: 2, HoleOctets: 3},
	},
	{
		name:   "near the limit an acknowledged gap is not worth waiting for",
		limits: Limits{Half: 4 * 192},
		lines: `
			syn 99
			ack 102
			102 c          =>
			104 e          =>
			106 g          =>
			108 i          => 0:[2] 2:c
			110 k          =>
			ack 111
			112            => 3:[1] 4:e`,
		want: Counters{OutOfOrder: 5, Holes: 2, HoleOctets: 3},
	},
	{
		name:   "near the limit of a capture of one direction a gap is not worth waiting for",
		limits: Limits{Half: 4 * 192},
		lines: `
			syn 99
			102 c          =>
			104 e          =>
			106 g          =>
			108 i          => 0:[2]@5 2:c@2`,
		want: Counters{OutOfOrder: 4, Holes: 1, HoleOctets: 2},
	},
	{
		name: "what is not pulled is kept, in order",
		lines: `
			syn 99
			100 abc        sametime
			103 de +1      sametime
			108 ij         sametime
			106 gh         => 0:abc@2 3:de@3 5:[1]@3 6:gh@5 8:ij@4`,
		want: Counters{Cut: 1, OutOfOrder: 1, Holes: 1, HoleOctets: 1},
	},
	{
		name:   "not even what is not pulled exceeds the limit",
		limits: Limits{Half: 2 * 192},
		lines: `
			syn 99
			100 a          sametime
			101 b          sametime
			102 c          sametime
			103 d          sametime
			104 e          => 0:a 1:b
			102 cde        => 2:cde`,
		want: Counters{OutOfOrder: 1, Dropped: 3},
	},
	{
		name: "close forgets what is queued",
		lines: `
			syn 99
			100 abc        sametime
			106 ghi        sametime
			close          =>
			flush          =>`,
		want: Counters{OutOfOrder: 1},
	},
}
