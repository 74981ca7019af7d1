/* Work Requests and their completions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "siwtest.h"

enum { RECEIVE = 0x10000 }; /* IDs of Work Requests from here on are Receives */

static const struct {
	const char *name;
	enum ibv_wr_opcode opcode;
} kinds[] = {
	{"send", IBV_WR_SEND}, {"sendinv", IBV_WR_SEND_WITH_INV}, {"sendimm", IBV_WR_SEND_WITH_IMM},
	{"write", IBV_WR_RDMA_WRITE}, {"writeimm", IBV_WR_RDMA_WRITE_WITH_IMM}, {"read", IBV_WR_RDMA_READ},
	{"fadd", IBV_WR_ATOMIC_FETCH_AND_ADD},
};

/* opcode_of is the opcode of a kind; -1 if there is no such kind. */
static int opcode_of(const char *kind)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kind, kinds[i].name))
			return kinds[i].opcode;
	return -1;
}

/* gather describes the octets of a Work Request and returns how many SGEs that takes. */
static int gather(const struct connection *c, struct ibv_sge sge[3], long length, const char *flags)
{
	uint32_t local = strchr(flags, 'l') ? 0xdeadbe00 : c->send_mr->lkey;
	uintptr_t at = (uintptr_t)c->send;
	long third = length / 3;
	int apart = strchr(flags, 'G') != NULL;

	if (!length)
		return 0;
	if (!apart && !strchr(flags, 'g')) {
		sge[0] = (struct ibv_sge){at, length, local};
		return 1;
	}
	sge[0] = (struct ibv_sge){at, third, local};
	sge[1] = (struct ibv_sge){at + (apart ? 1001 : third), third, local};
	sge[2] = (struct ibv_sge){at + (apart ? 40003 : 2 * third), length - 2 * third, local};
	return 3;
}

/* refused says why a Work Request was not posted. */
static int refused(struct connection *c, const char *kind, const char *why)
{
	say(c, "post %s: %s", kind, why);
	c->failed++;
	return -1;
}

int post(struct connection *c, const char *kind, long length, long offset, const char *flags)
{
	uint32_t stag = c->peer.stag ^ (strchr(flags, 'k') ? 0x10000 : 0) ^ (strchr(flags, 'K') ? 1 : 0);
	struct ibv_sge sge[3];
	struct ibv_send_wr wr = {.wr_id = c->posted, .sg_list = sge, .num_sge = gather(c, sge, length, flags)}, *bad;
	int opcode = opcode_of(kind), err;

	if (opcode == -1)
		return refused(c, kind, "no such operation");
	wr.opcode = opcode;
	wr.send_flags = (strchr(flags, 'u') ? 0 : IBV_SEND_SIGNALED) | (strchr(flags, 's') ? IBV_SEND_SOLICITED : 0) |
			(strchr(flags, 'i') ? IBV_SEND_INLINE : 0) | (strchr(flags, 'f') ? IBV_SEND_FENCE : 0);
	if (wr.opcode == IBV_WR_SEND_WITH_INV) {
		wr.invalidate_rkey = stag;
	} else if (wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = c->peer.address + offset;
		wr.wr.atomic.rkey = stag;
		wr.wr.atomic.compare_add = 1;
	} else {
		wr.wr.rdma.remote_addr = c->peer.address + offset;
		wr.wr.rdma.rkey = stag;
	}
	err = ibv_post_send(c->id->qp, &wr, &bad);
	if (err)
		return refused(c, kind, strerror(abs(err)));
	if (wr.send_flags & IBV_SEND_SIGNALED)
		c->posted++;
	return 0;
}

/* --- Receives ----------------------------------------------------------------------------------------------------- */

static uint8_t *receive_buffer(const struct connection *c, int i)
{
	return c->receive + (size_t)i * options.receive_size;
}

void post_receive(struct connection *c, int i)
{
	struct ibv_sge sge = {(uintptr_t)receive_buffer(c, i), options.receive_size,
			      options.bad_receives ? 0x12345600 : c->receive_mr->lkey};
	struct ibv_recv_wr wr = {.wr_id = RECEIVE + i, .sg_list = &sge, .num_sge = 1}, *bad;

	if (ibv_post_recv(c->id->qp, &wr, &bad))
		say(c, "post receive: %s", strerror(errno));
}

static void receive_done(struct connection *c, const struct ibv_wc *wc)
{
	int i = wc->wr_id - RECEIVE;

	if (wc->status == IBV_WC_WR_FLUSH_ERR)
		return;
	if (wc->status != IBV_WC_SUCCESS) {
		say(c, "receive failed: %s", ibv_wc_status_str(wc->status));
		return;
	}
	if (wc->wc_flags & IBV_WC_WITH_INV)
		say(c, "receive invalidates %08x", wc->invalidated_rkey);
	if (options.keep_reads)
		say(c, "receive %u", wc->byte_len);
	else
		verify(c, "receive", receive_buffer(c, i), wc->byte_len, 0, send_pattern);
	c->received++;
	post_receive(c, i);
	if (options.echo)
		post(c, "send", wc->byte_len, 0, "u");
}

/* --- completions -------------------------------------------------------------------------------------------------- */

int poll_cq(struct connection *c)
{
	struct ibv_wc wc;

	if (ibv_poll_cq(c->cq, 1, &wc) <= 0)
		return 0;
	if (wc.wr_id >= RECEIVE) {
		receive_done(c, &wc);
		return 1;
	}
	c->done++;
	if (wc.status) {
		c->failed++;
		say(c, "request %d failed: %s", (int)wc.wr_id, ibv_wc_status_str(wc.status));
	}
	return 1;
}

void wait_until(struct connection *c, const char *what, const int *counter, int wanted, double seconds)
{
	double end = now() + seconds;

	while (*counter < wanted && now() < end) {
		if (poll_cq(c))
			continue;
		poll_events(c, 0);
		if (c->over && end > now() + 0.3)
			end = now() + 0.3;
		usleep(200);
	}
	if (*counter < wanted) {
		say(c, "%s: %d of %d", what, *counter, wanted);
		c->failed++;
	}
}
