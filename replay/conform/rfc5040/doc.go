// Package rfc5040 asks a peer about RDMAP, the Remote Direct Memory Access Protocol.
//
// [Sections] follow RFC 5040. The peer is asked as the Data Sink and as the Data Source of each operation: what this
// end sends it has to take or to refuse, and what it sends itself, when commands of its service ask for it, has to be
// right. unasked.tsv names the requirements that show to a peer and that no case asks for, and says why.
package rfc5040
