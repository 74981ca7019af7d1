/* What is printed, time, and patterns of data. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "siwtest.h"

void say(const struct connection *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	flockfile(stdout);
	printf("%d ", c ? c->number : -1);
	vprintf(format, args);
	putchar('\n');
	fflush(stdout);
	funlockfile(stdout);
	va_end(args);
}

void fatal(const char *what)
{
	say(NULL, "fatal: %s: %s", what, strerror(errno));
	_exit(3);
}

double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

uint8_t memory_pattern(long i) { return options.fill + i % 91; }
uint8_t send_pattern(long i) { return options.fill + 7 + i % 83; }

void fill(uint8_t *b, long length, uint8_t (*pattern)(long))
{
	for (long i = 0; i < length; i++)
		b[i] = pattern(i);
}

void verify(struct connection *c, const char *what, const uint8_t *b, long length, long offset, uint8_t (*pattern)(long))
{
	for (long i = 0; i < length; i++)
		if (b[i] != pattern(offset + i)) {
			say(c, "%s %ld wrong at %ld", what, length, i);
			c->failed++;
			return;
		}
	say(c, "%s %ld ok", what, length);
}
