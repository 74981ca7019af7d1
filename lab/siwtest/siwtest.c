/*
 * siwtest: an RDMA client or server on librdmacm and libibverbs that does what it is told, so that the kernel's iWARP
 * can be made to send every message and to run into most errors.
 *
 *	siwtest -s [-a ADDRESS] -p PORT [options]	server
 *	siwtest -c  -a ADDRESS  -p PORT [options]	client
 *
 *	-o OPS	what to do once connected, separated by commas: KIND[:LENGTH[:OFFSET[:FLAGS]]]
 *		send sendinv write read		a Work Request; OFFSET is one into the peer's memory
 *		writeimm sendimm fadd		likewise; siw has none of these
 *		check		verify that the peer has written LENGTH octets into our memory, and none behind them
 *		recvwait	wait until LENGTH messages have come in, in all
 *		sleep		for LENGTH ms, or until the connection is over
 *		err		move the QP to Error
 *		die		exit at once
 *		FLAGS: k wrong index of the STag, K wrong key of it, s solicited event, i inline, f fence, u unsignalled,
 *		l wrong local STag, g three SGEs, v verify what was read
 *	-P N	octets of Private Data; from 16 on it begins with address, STag and length of our memory, big-endian
 *	-r N	Receives that are posted (16)
 *	-z N	octets of each (4096)
 *	-m N	octets of the memory that the peer may use (1 MiB)
 *	-A RW	what it may do with it: r, w, rw or - (rw)
 *	-I N	IRD (4)			-O N	ORD (4)
 *	-n N	connections: to serve, or to open at once (1)
 *	-R	server: reject, with Private Data
 *	-q	post all of OPS, then wait for the completions
 *	-E	send each message back
 *	-l	post Receives with a wrong local STag
 *
 * All that happens is printed, a line each, with the connection's number. Exit status of a client: 0, 1 if a Work Request
 * has failed or data was wrong, 3 if a function has, 6 if there was no connection.
 *
 * Octet i of the memory that the peer may use is 32 + i mod 91; of what is sent and written 39 + i mod 83. Messages that
 * come in are verified against the latter.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

enum {
	SEND_BUFFER = 8 << 20,
	MAX_PRIVATE = 600, /* more than librdmacm takes */
	RECEIVE = 0x10000, /* work request IDs from here on are Receives */
};

static int server, reject, queued, echo, bad_receives;
static int port = 7471, private_length = 16, receives = 16, receive_size = 4096, ird = 4, ord = 4, connections = 1;
static long memory_size = 1 << 20;
static const char *address = "0.0.0.0", *ops = "", *rights = "rw";

struct offer { /* as it stands in Private Data */
	uint64_t address;
	uint32_t stag, length;
} __attribute__((packed));

struct connection {
	int number;
	struct rdma_event_channel *events; /* of a client; a server's connections share one */
	struct rdma_cm_id *id;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *memory_mr, *send_mr, *receive_mr;
	uint8_t *memory, *send, *receive;
	struct offer peer;
	int established, over, posted, done, failed, received;
	pthread_t thread;
};

/* --- what is printed, and time ------------------------------------------------------------------------------------ */

static void say(const struct connection *c, const char *format, ...)
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

static void fatal(const char *what)
{
	say(NULL, "fatal: %s: %s", what, strerror(errno));
	_exit(3);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static uint8_t memory_pattern(long i) { return 32 + i % 91; }
static uint8_t send_pattern(long i) { return 39 + i % 83; }

static void verify(struct connection *c, const char *what, const uint8_t *b, long length, long offset,
		   uint8_t (*pattern)(long))
{
	for (long i = 0; i < length; i++)
		if (b[i] != pattern(offset + i)) {
			say(c, "%s %ld wrong at %ld", what, length, i);
			c->failed++;
			return;
		}
	say(c, "%s %ld ok", what, length);
}

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

static void post_receive(struct connection *c, int i)
{
	struct ibv_sge sge = {(uintptr_t)c->receive + (size_t)i * receive_size, receive_size,
			      bad_receives ? 0x12345600 : c->receive_mr->lkey};
	struct ibv_recv_wr wr = {.wr_id = RECEIVE + i, .sg_list = &sge, .num_sge = 1}, *bad;

	if (ibv_post_recv(c->id->qp, &wr, &bad))
		say(c, "post receive: %s", strerror(errno));
}

static uint8_t *buffer(struct connection *c, size_t size, int access, struct ibv_mr **mr)
{
	uint8_t *b = aligned_alloc(4096, (size + 4096) & ~4095ul);

	*mr = ibv_reg_mr(c->pd, b, size, access);
	if (!*mr)
		fatal("ibv_reg_mr");
	return b;
}

static void create(struct connection *c)
{
	static int watched;
	struct ibv_qp_init_attr qp = {
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 256, .max_recv_wr = 256, .max_send_sge = 4, .max_recv_sge = 1,
			.max_inline_data = 64},
	};
	int access = IBV_ACCESS_LOCAL_WRITE;

	if (!__sync_fetch_and_or(&watched, 1)) {
		pthread_t t;
		pthread_create(&t, NULL, async_events, c->id->verbs);
	}
	c->pd = ibv_alloc_pd(c->id->verbs);
	if (!c->pd)
		fatal("ibv_alloc_pd");
	c->cq = ibv_create_cq(c->id->verbs, 1024, NULL, NULL, 0);
	if (!c->cq)
		fatal("ibv_create_cq");
	qp.send_cq = qp.recv_cq = c->cq;
	if (rdma_create_qp(c->id, c->pd, &qp))
		fatal("rdma_create_qp");

	if (strchr(rights, 'r'))
		access |= IBV_ACCESS_REMOTE_READ;
	if (strchr(rights, 'w'))
		access |= IBV_ACCESS_REMOTE_WRITE;
	c->memory = buffer(c, memory_size, access, &c->memory_mr);
	/* iWARP wants the right of remote write for what a Read fills. */
	c->send = buffer(c, SEND_BUFFER, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE, &c->send_mr);
	c->receive = buffer(c, (size_t)receive_size * (receives + 1), IBV_ACCESS_LOCAL_WRITE, &c->receive_mr);
	for (long i = 0; i < memory_size; i++)
		c->memory[i] = memory_pattern(i);
	for (long i = 0; i < SEND_BUFFER; i++)
		c->send[i] = send_pattern(i);
	for (int i = 0; i < receives; i++)
		post_receive(c, i);
}

/* --- Private Data ------------------------------------------------------------------------------------------------- */

static uint8_t *private_data(const struct connection *c)
{
	static __thread uint8_t b[MAX_PRIVATE];

	if (!private_length)
		return NULL;
	for (int i = 0; i < MAX_PRIVATE; i++)
		b[i] = send_pattern(i);
	if (c && private_length >= (int)sizeof(struct offer)) {
		struct offer o = {htobe64((uintptr_t)c->memory), htonl(c->memory_mr->rkey), htonl(memory_size)};
		memcpy(b, &o, sizeof o);
	}
	return b;
}

static void take_private_data(struct connection *c, const struct rdma_conn_param *p)
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

/* --- Work Requests ------------------------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	enum ibv_wr_opcode opcode;
} kinds[] = {
	{"send", IBV_WR_SEND}, {"sendinv", IBV_WR_SEND_WITH_INV}, {"sendimm", IBV_WR_SEND_WITH_IMM},
	{"write", IBV_WR_RDMA_WRITE}, {"writeimm", IBV_WR_RDMA_WRITE_WITH_IMM}, {"read", IBV_WR_RDMA_READ},
	{"fadd", IBV_WR_ATOMIC_FETCH_AND_ADD},
};

/* post posts a Work Request, and returns -1 if that was refused or there is none of this kind. */
static int post(struct connection *c, const char *kind, long length, long offset, const char *flags)
{
	uint32_t local = strchr(flags, 'l') ? 0xdeadbe00 : c->send_mr->lkey;
	uint32_t stag = c->peer.stag ^ (strchr(flags, 'k') ? 0x10000 : 0) ^ (strchr(flags, 'K') ? 1 : 0);
	long third = length / 3;
	struct ibv_sge one = {(uintptr_t)c->send, length, local};
	struct ibv_sge three[] = {
		{(uintptr_t)c->send, third, local},
		{(uintptr_t)c->send + third, third, local},
		{(uintptr_t)c->send + 2 * third, length - 2 * third, local},
	};
	int gather = strchr(flags, 'g') != NULL;
	struct ibv_send_wr wr = {.wr_id = c->posted, .opcode = -1, .sg_list = gather ? three : &one,
				 .num_sge = !length ? 0 : gather ? 3 : 1}, *bad;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kind, kinds[i].name))
			wr.opcode = kinds[i].opcode;
	if ((int)wr.opcode == -1) {
		say(c, "no such operation: %s", kind);
		c->failed++;
		return -1;
	}
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
	int err = ibv_post_send(c->id->qp, &wr, &bad);
	if (err) {
		say(c, "post %s: %s", kind, strerror(abs(err)));
		c->failed++;
		return -1;
	}
	if (wr.send_flags & IBV_SEND_SIGNALED)
		c->posted++;
	return 0;
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
	verify(c, "receive", c->receive + (size_t)i * receive_size, wc->byte_len, 0, send_pattern);
	c->received++;
	post_receive(c, i);
	if (echo)
		post(c, "send", wc->byte_len, 0, "u");
}

/* poll_cq takes a completion, and tells whether there was one. */
static int poll_cq(struct connection *c)
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

/* --- connection events -------------------------------------------------------------------------------------------- */

static void connection_event(struct connection *c, const struct rdma_cm_event *e)
{
	const struct rdma_conn_param *p = &e->param.conn;

	say(c, "event %s %d", rdma_event_str(e->event) + strlen("RDMA_CM_EVENT_"), e->status);
	switch (e->event) {
	case RDMA_CM_EVENT_ESTABLISHED:
		say(c, "ird %d ord %d", p->responder_resources, p->initiator_depth);
		if (!server)
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

/* poll_events takes the events of a client's connection, waiting up to ms for one. A server's come in serve. */
static void poll_events(struct connection *c, int ms)
{
	struct rdma_cm_event *e;

	if (server) {
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

/* wait_until waits for a counter, at most some seconds, and little after the connection is over. */
static void wait_until(struct connection *c, const char *what, const int *counter, int wanted, double seconds)
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

/* --- what -o says ------------------------------------------------------------------------------------------------- */

static void run_op(struct connection *c, const char *op)
{
	char kind[32] = "", flags[32] = "";
	long length = 0, offset = 0;

	sscanf(op, "%31[^:]:%ld:%ld:%31s", kind, &length, &offset, flags);
	if (!strcmp(kind, "sleep")) {
		for (double end = now() + length / 1e3; now() < end && !c->over; usleep(500))
			if (!poll_cq(c))
				poll_events(c, 0);
	} else if (!strcmp(kind, "recvwait")) {
		wait_until(c, "received", &c->received, length, 20);
	} else if (!strcmp(kind, "check")) {
		long rest = memory_size - length < 4096 ? memory_size - length : 4096;
		verify(c, "check", c->memory, length, 0, send_pattern);
		verify(c, "behind it", c->memory + length, rest, length, memory_pattern);
	} else if (!strcmp(kind, "err")) {
		struct ibv_qp_attr a = {.qp_state = IBV_QPS_ERR};
		say(c, "modify to Error: %d", ibv_modify_qp(c->id->qp, &a, IBV_QP_STATE));
	} else if (!strcmp(kind, "die")) {
		_exit(0);
	} else if (!post(c, kind, length, offset, flags) && !queued) {
		wait_until(c, "completed", &c->done, c->posted, 20);
		if (strchr(flags, 'v'))
			verify(c, "read", c->send, length, offset, memory_pattern);
		if (!strcmp(kind, "read")) /* what is sent later has its pattern again */
			for (long i = 0; i < length; i++)
				c->send[i] = send_pattern(i);
	}
}

static void run_ops(struct connection *c)
{
	char *list = strdup(ops), *rest, *op;

	for (op = strtok_r(list, ",", &rest); op; op = strtok_r(NULL, ",", &rest))
		run_op(c, op);
	if (queued)
		wait_until(c, "completed", &c->done, c->posted, 30);
	free(list);
}

static void say_end(struct connection *c)
{
	while (poll_cq(c))
		;
	say(c, "end posted %d completed %d received %d failed %d", c->posted, c->done, c->received, c->failed);
}

/* --- client ------------------------------------------------------------------------------------------------------- */

/* resolved waits for an event of address or route resolution, and tells whether it is the one. */
static int resolved(struct connection *c, enum rdma_cm_event_type wanted)
{
	struct pollfd p = {c->events->fd, POLLIN, 0};
	struct rdma_cm_event *e;
	int ok;

	if (poll(&p, 1, 10000) <= 0 || rdma_get_cm_event(c->events, &e))
		fatal("no event");
	ok = e->event == wanted;
	if (!ok)
		connection_event(c, e);
	rdma_ack_cm_event(e);
	return ok;
}

static void *client(void *arg)
{
	struct connection *c = arg;
	struct rdma_conn_param p = {.private_data_len = private_length, .responder_resources = ird,
				    .initiator_depth = ord, .retry_count = 7, .rnr_retry_count = 7};
	struct addrinfo *to;
	char service[8];

	snprintf(service, sizeof service, "%d", port);
	c->events = rdma_create_event_channel();
	if (getaddrinfo(address, service, NULL, &to) || rdma_create_id(c->events, &c->id, c, RDMA_PS_TCP))
		fatal("rdma_create_id");
	if (rdma_resolve_addr(c->id, NULL, to->ai_addr, 5000))
		fatal("rdma_resolve_addr");
	if (!resolved(c, RDMA_CM_EVENT_ADDR_RESOLVED))
		return (void *)3;
	if (rdma_resolve_route(c->id, 5000))
		fatal("rdma_resolve_route");
	if (!resolved(c, RDMA_CM_EVENT_ROUTE_RESOLVED))
		return (void *)3;
	create(c);
	p.private_data = private_data(c);
	if (rdma_connect(c->id, &p))
		fatal("rdma_connect");
	for (double end = now() + 30; !c->established && !c->over && now() < end;)
		poll_events(c, 100);
	if (!c->established) {
		say_end(c);
		return (void *)6;
	}
	run_ops(c);
	if (!c->over)
		rdma_disconnect(c->id);
	for (double end = now() + 5; !c->over && now() < end;)
		poll_events(c, 20);
	say_end(c);
	return (void *)(long)(c->failed != 0);
}

static int connect_all(void)
{
	struct connection *c = calloc(connections, sizeof *c);
	long worst = 0;

	for (int i = 0; i < connections; i++) {
		c[i].number = i;
		pthread_create(&c[i].thread, NULL, client, &c[i]);
	}
	for (int i = 0; i < connections; i++) {
		void *status;
		pthread_join(c[i].thread, &status);
		if ((long)status > worst)
			worst = (long)status;
	}
	return worst;
}

/* --- server ------------------------------------------------------------------------------------------------------- */

static void *served(void *arg)
{
	struct connection *c = arg;

	run_ops(c);
	while (!c->over)
		if (!poll_cq(c))
			usleep(200);
	for (double end = now() + 0.2; now() < end;) /* what the end has flushed */
		if (!poll_cq(c))
			usleep(1000);
	say_end(c);
	return NULL;
}

/* requested answers a connection request, and tells whether there is a connection now. */
static int requested(struct rdma_cm_event *e, int number)
{
	struct connection *c = calloc(1, sizeof *c);
	struct rdma_conn_param p = {.private_data_len = private_length, .responder_resources = ird,
				    .initiator_depth = ord};
	int err;

	c->number = number;
	c->id = e->id;
	c->id->context = c;
	say(c, "event CONNECT_REQUEST 0");
	say(c, "ird %d ord %d", e->param.conn.responder_resources, e->param.conn.initiator_depth);
	take_private_data(c, &e->param.conn);
	rdma_ack_cm_event(e);
	if (reject) {
		if (rdma_reject(c->id, private_data(NULL), private_length))
			say(c, "rdma_reject: %s", strerror(errno));
		rdma_destroy_id(c->id);
		return 0;
	}
	create(c);
	p.private_data = private_data(c);
	err = rdma_accept(c->id, &p);
	if (err)
		say(c, "rdma_accept: %s", strerror(errno));
	return !err;
}

static int serve(void)
{
	struct rdma_event_channel *events = rdma_create_event_channel();
	struct addrinfo hints = {.ai_flags = AI_PASSIVE}, *at;
	struct rdma_cm_id *listener;
	struct rdma_cm_event *e;
	char service[8];
	int seen = 0, live = 0;

	snprintf(service, sizeof service, "%d", port);
	if (getaddrinfo(address, service, &hints, &at) || rdma_create_id(events, &listener, NULL, RDMA_PS_TCP))
		fatal("rdma_create_id");
	if (rdma_bind_addr(listener, at->ai_addr) || rdma_listen(listener, 128))
		fatal("rdma_listen");
	say(NULL, "listening");
	while (seen < connections || live) {
		if (rdma_get_cm_event(events, &e))
			fatal("rdma_get_cm_event");
		if (e->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
			live += requested(e, seen++);
			continue;
		}
		struct connection *c = e->id->context;
		enum rdma_cm_event_type type = e->event;
		connection_event(c, e);
		rdma_ack_cm_event(e);
		if (type == RDMA_CM_EVENT_ESTABLISHED)
			pthread_create(&c->thread, NULL, served, c);
		if (type == RDMA_CM_EVENT_DISCONNECTED || type == RDMA_CM_EVENT_CONNECT_ERROR) {
			if (c->thread)
				pthread_join(c->thread, NULL);
			rdma_disconnect(c->id);
			rdma_destroy_qp(c->id);
			live--;
		}
	}
	usleep(50000); /* for asynchronous events that are on their way */
	return 0;
}

int main(int argc, char **argv)
{
	int o, status;

	while ((o = getopt(argc, argv, "sca:p:o:P:r:z:m:A:I:O:n:RqEl")) != -1)
		switch (o) {
		case 's': server = 1; break;
		case 'c': break;
		case 'a': address = optarg; break;
		case 'p': port = atoi(optarg); break;
		case 'o': ops = optarg; break;
		case 'P': private_length = atoi(optarg); break;
		case 'r': receives = atoi(optarg); break;
		case 'z': receive_size = atoi(optarg); break;
		case 'm': memory_size = atol(optarg); break;
		case 'A': rights = optarg; break;
		case 'I': ird = atoi(optarg); break;
		case 'O': ord = atoi(optarg); break;
		case 'n': connections = atoi(optarg); break;
		case 'R': reject = 1; break;
		case 'q': queued = 1; break;
		case 'E': echo = 1; break;
		case 'l': bad_receives = 1; break;
		default: return 2;
		}
	status = server ? serve() : connect_all();
	fflush(stdout);
	_exit(status); /* as a process that ends does: without closing connections first */
}
