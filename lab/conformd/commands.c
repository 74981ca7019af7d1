/* What messages ask for, and how it is done. */
#include <arpa/inet.h>
#include <endian.h>
#include <string.h>
#include <unistd.h>

#include "conformd.h"

static uint32_t crc32c(const uint8_t *b, size_t n)
{
	uint32_t crc = ~0u;

	for (size_t i = 0; i < n; i++) {
		crc ^= b[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

/* length_of is how many octets a command has; 0 if there is no such command. */
static uint32_t length_of(uint8_t code)
{
	switch (code) {
	case WRITE: case READ: return 24;
	case SEND: return 16;
	case QUIET: case ECHO: case REPORT: case CLOSE: case ABORT: case TERMINATE: case REVOKE: case HOLD: return 4;
	}
	return 0;
}

static void read_command(struct message *m, const uint8_t *b, uint32_t length)
{
	struct command *c = &m->command;
	uint32_t needed;

	memset(c, 0, sizeof *c);
	memcpy(c, b, length < sizeof *c ? length : sizeof *c);
	if (length < 4)
		c->code = QUIET;
	needed = length_of(c->code);
	m->whole = needed && length >= needed;
	c->count = ntohs(c->count);
	c->length = ntohl(c->length);
	c->offset = ntohl(c->offset);
	c->stag = ntohl(c->stag);
	c->to = be64toh(c->to);
}

/* take takes a message in, has its Receive posted again, and lets the command wait; -1 if too many do. */
static int take(struct connection *c, const struct ibv_wc *wc)
{
	const uint8_t *b = c->receive_buffers + (size_t)wc->wr_id * RECEIVE_SIZE;
	struct message *m = &c->waiting[(c->first_waiting + c->count_waiting) % WAITS];
	struct report *r = &c->latest;

	c->receives--;
	if (c->count_waiting == WAITS)
		return -1;
	read_command(m, b, wc->byte_len);
	m->begun = 0;
	m->length = wc->byte_len;
	if (m->command.code == ECHO) {
		memcpy(m->octets, b, m->length);
	} else if (m->command.code == REPORT) {
		struct report now = {htonl(r->messages), htonl(r->length), r->flags, {0}, htonl(r->stag), htonl(r->crc)};
		m->length = sizeof now;
		memcpy(m->octets, &now, sizeof now);
	}
	*r = (struct report){.messages = r->messages + 1, .length = wc->byte_len, .crc = crc32c(b, wc->byte_len)};
	if (wc->wc_flags & IBV_WC_WITH_INV) {
		r->flags = INVALIDATED;
		r->stag = wc->invalidated_rkey;
	}
	if (!c->held && post_receive(c, wc->wr_id))
		return -1;
	if (m->command.code != QUIET)
		c->count_waiting++;
	return 0;
}

static void answer(struct connection *c, const struct command *of, uint32_t status, uint64_t value)
{
	if (of->code >= WRITE && of->flags & ANSWER)
		c->due[c->count_due++] = (struct answer){of->code, {0}, htonl(status), htobe64(value)};
}

/* --- the Send Queue ----------------------------------------------------------------------------------------------- */

static int post(struct connection *c, struct ibv_send_wr *wr, struct work w)
{
	struct ibv_send_wr *bad;

	c->work[(c->first_work + c->count_work++) % SENDS] = w;
	return ibv_post_send(c->id->qp, wr, &bad);
}

/* send_back sends octets from a buffer, of which there has to be one. */
static int send_back(struct connection *c, const void *octets, uint32_t length)
{
	int i = c->free[--c->count_free];
	uint8_t *buffer = c->answer_buffers + (size_t)i * RECEIVE_SIZE;
	struct ibv_sge sge = {(uintptr_t)buffer, length, c->answers_mr->lkey};
	struct ibv_send_wr wr = {.opcode = IBV_WR_SEND, .sg_list = &sge, .num_sge = 1};

	memcpy(buffer, octets, length);
	return post(c, &wr, (struct work){.buffer = i});
}

static uint32_t times(const struct command *m) { return m->count ? m->count : 1; }

/* possible tells whether a command stays within data, and within the TOs that there are, and a Read within the ORD. */
static int possible(const struct connection *c, const struct command *m)
{
	uint64_t moved = (uint64_t)m->length * times(m), local = m->code == READ ? moved : m->length;

	if (m->code == READ && !c->ord)
		return 0;
	if (!c->regions[DATA] || moved > DATA_SIZE || m->offset + local > DATA_SIZE)
		return 0;
	if (m->code == SEND || !moved)
		return 1;
	return m->stag && m->to + (moved - 1) >= m->to;
}

/* post_part posts the k-th Work Request of a command. */
static int post_part(struct connection *c, const struct command *m, uint32_t k)
{
	uint64_t begin = (uint64_t)k * m->length;
	struct ibv_sge sge = {(uintptr_t)c->memory[DATA] + m->offset, m->length, c->regions[DATA]->lkey};
	struct ibv_send_wr wr = {.sg_list = &sge, .num_sge = 1, .send_flags = m->flags & FENCE ? IBV_SEND_FENCE : 0};

	wr.wr.rdma.remote_addr = m->to + begin;
	wr.wr.rdma.rkey = m->stag;
	if (m->code == WRITE) {
		wr.opcode = IBV_WR_RDMA_WRITE;
	} else if (m->code == READ) {
		wr.opcode = IBV_WR_RDMA_READ;
		sge.addr += begin;
	} else {
		wr.opcode = m->flags & INVALIDATE ? IBV_WR_SEND_WITH_INV : IBV_WR_SEND;
		wr.send_flags |= m->flags & SOLICITED ? IBV_SEND_SOLICITED : 0;
		wr.invalidate_rkey = m->stag;
	}
	return post(c, &wr, (struct work){m->code, -1, m->flags & ANSWER && k + 1 == times(m)});
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static void deregister(struct connection *c, const struct command *m)
{
	if (m->count >= RESERVED || !c->regions[m->count]) {
		answer(c, m, CANNOT, 0);
		return;
	}
	answer(c, m, ibv_dereg_mr(c->regions[m->count]) ? FAILED : DONE, 0);
	c->regions[m->count] = NULL;
}

/* leave brings the QP to a state in which the connection is over. siw takes SQE for Terminate. */
static int leave(struct connection *c, enum ibv_qp_state state)
{
	struct ibv_qp_attr a = {.qp_state = state};

	return ibv_modify_qp(c->id->qp, &a, IBV_QP_STATE);
}

static void terminate(struct connection *c, const struct command *o)
{
	if (!(options.features & TERMINATES))
		answer(c, o, CANNOT, 0);
	else if (leave(c, IBV_QPS_SQE))
		answer(c, o, FAILED, 0);
	else
		c->closing = 1;
}

/* begin begins with a command or goes on with it: 1 if it has begun, 0 if the rest has to wait, -1 if that failed. */
static int begin(struct connection *c, struct message *m)
{
	struct command *o = &m->command;

	if (!m->whole) {
		answer(c, o, CANNOT, 0);
		return 1;
	}
	switch (o->code) {
	case ECHO: case REPORT:
		if (!c->count_free)
			return 0;
		return send_back(c, m->octets, m->length) ? -1 : 1;
	case CLOSE:
		if (c->count_work)
			return 0;
		c->closing = 1;
		rdma_disconnect(c->id);
		return 1;
	case ABORT:
		return -1;
	case TERMINATE:
		terminate(c, o);
		return 1;
	case REVOKE:
		deregister(c, o);
		return 1;
	case HOLD:
		c->held = 1;
		answer(c, o, DONE, c->receives);
		return 1;
	}
	if (!m->begun && !possible(c, o)) {
		answer(c, o, CANNOT, 0);
		return 1;
	}
	for (; m->begun < times(o) && c->count_work < SENDS; m->begun++)
		if (post_part(c, o, m->begun))
			return -1;
	return m->begun == times(o);
}

/* proceed sends answers and begins with commands as far as there is room; -1 if the connection has to end. */
static int proceed(struct connection *c)
{
	while (!c->closing && c->count_work < SENDS) {
		if (c->count_due) {
			if (!c->count_free)
				return 0;
			if (send_back(c, &c->due[0], sizeof c->due[0]))
				return -1;
			memmove(c->due, c->due + 1, --c->count_due * sizeof c->due[0]);
		} else if (c->count_waiting) {
			int begun = begin(c, &c->waiting[c->first_waiting]);

			if (begun <= 0)
				return begun;
			c->first_waiting = (c->first_waiting + 1) % WAITS;
			c->count_waiting--;
		} else {
			return 0;
		}
	}
	return 0;
}

/* finish is for a Work Request of the SQ that is done. */
static void finish(struct connection *c)
{
	struct work w = c->work[c->first_work];
	struct command of = {.code = w.code, .flags = ANSWER};

	c->first_work = (c->first_work + 1) % SENDS;
	c->count_work--;
	if (w.buffer >= 0)
		c->free[c->count_free++] = w.buffer;
	else if (w.answers)
		answer(c, &of, DONE, 0);
}

/* fail resets the connection. */
static void fail(struct connection *c)
{
	c->closing = 1;
	leave(c, IBV_QPS_ERR);
}

void *served(void *arg)
{
	struct connection *c = arg;
	struct ibv_wc wc;

	if (options.initiator && send_back(c, "\0\0\0", 4)) /* hello */
		fail(c);
	while (!c->over) {
		int failed = 0;

		if (ibv_poll_cq(c->cq, 1, &wc) <= 0) {
			usleep(50);
			continue;
		}
		if (wc.status || c->closing)
			continue; /* the connection ends */
		if (wc.opcode & IBV_WC_RECV)
			failed = take(c, &wc);
		else
			finish(c);
		if (failed || proceed(c))
			fail(c);
	}
	return NULL;
}
