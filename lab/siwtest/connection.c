/* Memory, a QP and a CQ, Private Data, and connection events. */
#include <arpa/inet.h>
#include <endian.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "siwtest.h"

enum {
	SEND_BUFFER = 8 << 20,
	MAX_PRIVATE = 600, /* more than librdmacm takes */
};

/* --- resources ---------------------------------------------------------------------------------------------------- */

static void *async_events(void *context)
{
	struct ibv_async_event event;

	while (!ibv_get_async_event(context, &event)) {
		say(NULL, "async %s", ibv_event_type_str(event.event_type));
		ibv_ack_async_event(&event);
	}
	return NULL;
}

static uint8_t *buffer(struct connection *c, size_t size, int access, struct ibv_mr **mr)
{
	uint8_t *b = aligned_alloc(4096, (size + 4096) & ~4095ul);

	*mr = ibv_reg_mr(c->pd, b, size, access);
	if (!*mr)
		fatal("ibv_reg_mr");
	return b;
}

static void create_qp(struct connection *c)
{
	struct ibv_qp_init_attr qp = {
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 256, .max_recv_wr = 256, .max_send_sge = 4, .max_recv_sge = 1,
			.max_inline_data = 64},
	};

	c->pd = ibv_alloc_pd(c->id->verbs);
	if (!c->pd)
		fatal("ibv_alloc_pd");
	c->cq = ibv_create_cq(c->id->verbs, 1024, NULL, NULL, 0);
	if (!c->cq)
		fatal("ibv_create_cq");
	qp.send_cq = qp.recv_cq = c->cq;
	if (rdma_create_qp(c->id, c->pd, &qp))
		fatal("rdma_create_qp");
}

void create(struct connection *c)
{
	static int watched;
	int access = IBV_ACCESS_LOCAL_WRITE;

	if (!__sync_fetch_and_or(&watched, 1)) {
		pthread_t t;
		pthread_create(&t, NULL, async_events, c->id->verbs);
	}
	create_qp(c);
	if (strchr(options.rights, 'r'))
		access |= IBV_ACCESS_REMOTE_READ;
	if (strchr(options.rights, 'w'))
		access |= IBV_ACCESS_REMOTE_WRITE;
	c->memory = buffer(c, options.memory_size, access, &c->memory_mr);
	/* iWARP wants the right of remote write for what a Read fills. */
	c->send = buffer(c, SEND_BUFFER, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE, &c->send_mr);
	c->receive = buffer(c, (size_t)options.receive_size * (options.receives + 1), IBV_ACCESS_LOCAL_WRITE,
			    &c->receive_mr);
	fill(c->memory, options.memory_size, memory_pattern);
	fill(c->send, SEND_BUFFER, send_pattern);
	for (int i = 0; i < options.receives; i++)
		post_receive(c, i);
}

/* --- Private Data ------------------------------------------------------------------------------------------------- */

const uint8_t *private_data(const struct connection *c)
{
	static __thread uint8_t b[MAX_PRIVATE];
	const char *text = options.private_text;

	if (!options.private_length)
		return NULL;
	for (int i = 0; i < MAX_PRIVATE; i++)
		b[i] = *text ? text[i % strlen(text)] : send_pattern(i);
	if (c && options.private_length >= (int)sizeof(struct offer)) {
		struct offer o = {htobe64((uintptr_t)c->memory), htonl(c->memory_mr->rkey), htonl(options.memory_size)};
		memcpy(b, &o, sizeof o);
	}
	return b;
}

void take_private_data(struct connection *c, const struct rdma_conn_param *p)
{
	const uint8_t *b = p->private_data;
	int n = b ? p->private_data_len : 0;
	char hex[2 * 256 + 1] = "";

	for (int i = 0; i < n; i++)
		sprintf(hex + 2 * i, "%02x", b[i]);
	say(c, "private data %d %s", n, hex);
	if (n < (int)sizeof c->peer)
		return;
	memcpy(&c->peer, b, sizeof c->peer);
	c->peer.address = be64toh(c->peer.address);
	c->peer.stag = ntohl(c->peer.stag);
}

/* --- connection events -------------------------------------------------------------------------------------------- */

void connection_event(struct connection *c, const struct rdma_cm_event *e)
{
	const struct rdma_conn_param *p = &e->param.conn;

	say(c, "event %s %d", rdma_event_str(e->event) + strlen("RDMA_CM_EVENT_"), e->status);
	switch (e->event) {
	case RDMA_CM_EVENT_ESTABLISHED:
		say(c, "ird %d ord %d", p->responder_resources, p->initiator_depth);
		if (!options.server)
			take_private_data(c, p);
		c->established = 1;
		break;
	case RDMA_CM_EVENT_REJECTED:
		take_private_data(c, p);
		c->over = 1;
		break;
	case RDMA_CM_EVENT_CONNECT_ERROR:
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_DISCONNECTED:
		c->over = 1;
		break;
	default:
		break;
	}
}

void poll_events(struct connection *c, int ms)
{
	struct rdma_cm_event *e;

	if (options.server) {
		usleep(200);
		return;
	}
	for (struct pollfd p = {c->events->fd, POLLIN, 0}; poll(&p, 1, ms) > 0; ms = 0) {
		if (rdma_get_cm_event(c->events, &e))
			return;
		connection_event(c, e);
		rdma_ack_cm_event(e);
	}
}
