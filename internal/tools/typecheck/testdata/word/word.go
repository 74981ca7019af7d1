// Package word needs 64 bits.
package word

// Octets do not fit an int of 32 bits.
const Octets int = 1 << 40
