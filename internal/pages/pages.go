// Package pages gives memory in whole pages, which goes back to the system at once when it is freed. Pages that nobody has written take
// none. Where the system cannot do this, the memory is Go's.
package pages
