/* What -o says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "siwtest.h"

/* check verifies what the peer has written, and that it has written nothing behind it. */
static void check(struct connection *c, long length)
{
	long rest = options.memory_size - length < 4096 ? options.memory_size - length : 4096;

	verify(c, "check", c->memory, length, 0, send_pattern);
	verify(c, "behind it", c->memory + length, rest, length, memory_pattern);
}

/* request posts a Work Request and, unless they are queued, waits for its completion. */
static void request(struct connection *c, const char *kind, long length, long offset, const char *flags)
{
	if (post(c, kind, length, offset, flags) || options.queued)
		return;
	wait_until(c, "completed", &c->done, c->posted, 20);
	if (options.keep_reads)
		return;
	if (strchr(flags, 'v'))
		verify(c, "read", c->send, length, offset, memory_pattern);
	if (!strcmp(kind, "read"))
		fill(c->send, length, send_pattern);
}

/* idle says that no Work Request is waited for any more. A peer that closes earlier lets siw complete one with an error. */
static void idle(const struct connection *c)
{
	say(c, "idle, posted %d completed %d", c->posted, c->done);
}

static void run_op(struct connection *c, const char *op)
{
	char kind[32] = "", flags[32] = "";
	long length = 0, offset = 0;

	sscanf(op, "%31[^:]:%ld:%ld:%31s", kind, &length, &offset, flags);
	if (!strcmp(kind, "sleep")) {
		idle(c);
		for (double end = now() + length / 1e3; now() < end && !c->over; usleep(500))
			if (!poll_cq(c))
				poll_events(c, 0);
	} else if (!strcmp(kind, "recvwait")) {
		wait_until(c, "received", &c->received, length, 20);
	} else if (!strcmp(kind, "check")) {
		check(c, length);
	} else if (!strcmp(kind, "err")) {
		struct ibv_qp_attr a = {.qp_state = IBV_QPS_ERR};
		say(c, "modify to Error: %d", ibv_modify_qp(c->id->qp, &a, IBV_QP_STATE));
	} else if (!strcmp(kind, "die")) {
		_exit(0);
	} else {
		request(c, kind, length, offset, flags);
	}
}

void run_ops(struct connection *c)
{
	char *list = strdup(options.ops), *rest, *op;

	for (op = strtok_r(list, ",", &rest); op; op = strtok_r(NULL, ",", &rest))
		run_op(c, op);
	if (options.queued)
		wait_until(c, "completed", &c->done, c->posted, 30);
	free(list);
	idle(c);
}

void say_end(struct connection *c)
{
	while (poll_cq(c))
		;
	say(c, "end posted %d completed %d received %d failed %d", c->posted, c->done, c->received, c->failed);
}
