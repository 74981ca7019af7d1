/* The client: connects, once or several times at once. */
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "siwtest.h"

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
	struct rdma_conn_param p = {.private_data_len = options.private_length, .responder_resources = options.ird,
				    .initiator_depth = options.ord, .retry_count = 7, .rnr_retry_count = 7};
	struct addrinfo *to;
	char service[8];

	snprintf(service, sizeof service, "%d", options.port);
	c->events = rdma_create_event_channel();
	if (getaddrinfo(options.address, service, NULL, &to) || rdma_create_id(c->events, &c->id, c, RDMA_PS_TCP))
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

int connect_all(void)
{
	struct connection *c = calloc(options.connections, sizeof *c);
	long worst = 0;

	for (int i = 0; i < options.connections; i++) {
		c[i].number = i;
		pthread_create(&c[i].thread, NULL, client, &c[i]);
	}
	for (int i = 0; i < options.connections; i++) {
		void *status;
		pthread_join(c[i].thread, &status);
		if ((long)status > worst)
			worst = (long)status;
	}
	return worst;
}

