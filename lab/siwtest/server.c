/* The server: takes connections in, a thread for each. */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "siwtest.h"

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
	struct rdma_conn_param p = {.private_data_len = options.private_length, .responder_resources = options.ird,
				    .initiator_depth = options.ord};
	int err;

	c->number = number;
	c->id = e->id;
	c->id->context = c;
	say(c, "event CONNECT_REQUEST 0");
	say(c, "ird %d ord %d", e->param.conn.responder_resources, e->param.conn.initiator_depth);
	take_private_data(c, &e->param.conn);
	rdma_ack_cm_event(e);
	if (options.reject) {
		if (rdma_reject(c->id, private_data(NULL), options.private_length))
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

int serve(void)
{
	struct rdma_event_channel *events = rdma_create_event_channel();
	struct addrinfo hints = {.ai_flags = AI_PASSIVE}, *at;
	struct rdma_cm_id *listener;
	struct rdma_cm_event *e;
	char service[8];
	int seen = 0, live = 0;

	snprintf(service, sizeof service, "%d", options.port);
	if (getaddrinfo(options.address, service, &hints, &at) || rdma_create_id(events, &listener, NULL, RDMA_PS_TCP))
		fatal("rdma_create_id");
	if (rdma_bind_addr(listener, at->ai_addr) || rdma_listen(listener, 128))
		fatal("rdma_listen");
	say(NULL, "listening");
	while (seen < options.connections || live) {
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

