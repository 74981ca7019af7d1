/*
 * conformd: the conform service on librdmacm and libibverbs, so that `iwarp conform` can test an RNIC that is not ours.
 * docs/conform-service.md says what it does, octet by octet.
 *
 *	conformd [-a ADDRESS] [-p PORT]			Responder: serves all who connect
 *	conformd -c -a ADDRESS [-p PORT] [-n N]		Initiator: connects again and again
 *
 *	-p PORT	(7174)
 *	-n N	Initiator: end after N connections; 0 for none
 *	-f N	features that it says it has (0x50): 0x04, 0x10 and 0x40 are up to the RNIC, others are not there
 *	-S	each connection takes Receives from a Shared Receive Queue, with a Protection Domain of its own
 *	-I N	IRD (16)		-O N	ORD (16)
 *
 * There are neither Atomics nor Immediate Data, which are not in plain verbs for iWARP, nor Memory Windows and local
 * invalidation, which siw has not for programs. Each connection has a thread; the
 * main one takes connection events. What cannot be done for a connection ends that connection only.
 */
#include <errno.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "conformd.h"

enum {
	PATIENCE = 3,	/* seconds for which connections may be refused */
	SIW = 0x626d74, /* vendor of a device */
};

struct options options = {.features = TERMINATES | FENCES, .ird = 16, .ord = 16, .address = "0.0.0.0", .port = "7174"};

static struct rdma_event_channel *events;

static void say(const struct connection *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (c)
		printf("%d ", c->number);
	vprintf(format, args);
	puts("");
	fflush(stdout);
	va_end(args);
}

/* --- connections -------------------------------------------------------------------------------------------------- */

static struct connection *new_connection(struct rdma_cm_id *id)
{
	static int number;
	struct connection *c = calloc(1, sizeof *c);

	c->number = number++;
	c->id = id;
	id->context = c;
	return c;
}

static struct rdma_conn_param parameters(const struct connection *c)
{
	return (struct rdma_conn_param){
		.private_data = &c->offer, .private_data_len = sizeof c->offer, .responder_resources = options.ird,
		.initiator_depth = options.ord, .retry_count = 7, .rnr_retry_count = 7,
	};
}

/* end says what became of a connection, and gives back what it has. */
static void end(struct connection *c, const char *why)
{
	c->over = 1;
	if (c->thread)
		pthread_join(c->thread, NULL);
	say(c, "%s, %u messages", why, c->latest.messages);
	rdma_disconnect(c->id);
	destroy(c);
}

static void requested(struct rdma_cm_id *id)
{
	struct connection *c = new_connection(id);

	if (create(c)) {
		rdma_reject(id, NULL, 0);
		end(c, strerror(errno));
		return;
	}
	struct rdma_conn_param p = parameters(c);
	if (rdma_accept(id, &p))
		end(c, strerror(errno));
}

/* connects goes on as the Initiator, and returns why that cannot be done. */
static int connects(struct connection *c)
{
	if (create(c))
		return errno;
	struct rdma_conn_param p = parameters(c);
	return rdma_connect(c->id, &p) ? errno : 0;
}

/* ord_of is the ORD that was agreed on. siw tells of IRD and ORD in each other's place. */
static int ord_of(const struct connection *c, const struct rdma_conn_param *agreed)
{
	struct ibv_device_attr a;
	int siw = !ibv_query_device(c->id->verbs, &a) && a.vendor_id == SIW;

	return siw ? agreed->responder_resources : agreed->initiator_depth;
}

/* handle acts on the next event. Of an Initiator's connection that is over it returns 1, or -1 if it was refused. */
static int handle(void)
{
	struct rdma_cm_event *e;

	if (rdma_get_cm_event(events, &e)) {
		perror("rdma_get_cm_event");
		exit(3);
	}
	enum rdma_cm_event_type type = e->event;
	struct rdma_cm_id *id = e->id;
	struct connection *c = id->context;
	struct rdma_conn_param agreed = e->param.conn;
	int error = 0;

	rdma_ack_cm_event(e);
	switch (type) {
	case RDMA_CM_EVENT_CONNECT_REQUEST:
		requested(id);
		return 0;
	case RDMA_CM_EVENT_ADDR_RESOLVED:
		error = rdma_resolve_route(id, 5000) ? errno : 0;
		break;
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
		error = connects(c);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		say(c, "established");
		c->ord = ord_of(c, &agreed);
		error = pthread_create(&c->thread, NULL, served, c);
		break;
	default:
		end(c, rdma_event_str(type) + strlen("RDMA_CM_EVENT_"));
		return 1;
	}
	if (error)
		end(c, strerror(error));
	return error == ECONNREFUSED ? -1 : error != 0;
}

/* --- the roles ---------------------------------------------------------------------------------------------------- */

static struct rdma_cm_id *new_id(const struct addrinfo *hints, struct addrinfo **at)
{
	struct rdma_cm_id *id;

	if (getaddrinfo(options.address, options.port, hints, at) || rdma_create_id(events, &id, NULL, RDMA_PS_TCP)) {
		perror("rdma_create_id");
		exit(3);
	}
	return id;
}

static int serve(void)
{
	struct addrinfo hints = {.ai_flags = AI_PASSIVE}, *at;
	struct rdma_cm_id *id = new_id(&hints, &at);

	if (rdma_bind_addr(id, at->ai_addr) || rdma_listen(id, 128)) {
		perror("rdma_listen");
		return 3;
	}
	say(NULL, "listening");
	for (;;)
		handle();
}

/* connect_once makes a connection and waits for its end; what it returns is as of handle. */
static int connect_once(void)
{
	struct addrinfo *to;
	struct connection *c = new_connection(new_id(NULL, &to));
	int over = 0;

	if (rdma_resolve_addr(c->id, NULL, to->ai_addr, 5000)) {
		end(c, strerror(errno));
		over = 1;
	}
	freeaddrinfo(to);
	while (!over)
		over = handle();
	return over;
}

static int connect_again(void)
{
	time_t last = time(NULL);

	for (int n = 0; !options.connections || n < options.connections;) {
		if (connect_once() > 0) {
			n++;
			last = time(NULL);
		} else if (time(NULL) - last > PATIENCE) {
			return n ? 0 : 3;
		} else {
			usleep(100000);
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	for (int c; (c = getopt(argc, argv, "ca:p:n:f:SI:O:")) != -1;)
		switch (c) {
		case 'c': options.initiator = 1; break;
		case 'a': options.address = optarg; break;
		case 'p': options.port = optarg; break;
		case 'n': options.connections = atoi(optarg); break;
		case 'f': options.features = strtol(optarg, NULL, 0); break;
		case 'S': options.features |= SHARES; break;
		case 'I': options.ird = atoi(optarg); break;
		case 'O': options.ord = atoi(optarg); break;
		default: return 2;
		}
	events = rdma_create_event_channel();
	if (!events) {
		perror("rdma_create_event_channel");
		return 3;
	}
	return options.initiator ? connect_again() : serve();
}
