/*
 * What the parts of siwtest share. Each part is a subject with a file of its own, and a program that does something else
 * with connections can be made of the same parts:
 *
 *	report.c	what is printed, time, and patterns of data
 *	connection.c	memory, a QP and a CQ, Private Data, and connection events
 *	request.c	Work Requests and their completions
 *	operations.c	what -o says
 *	client.c, server.c	the roles
 */
#ifndef SIWTEST_H
#define SIWTEST_H

#include <pthread.h>
#include <stdint.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

/* What the command line says; siwtest.c tells what each of them is. */
struct options {
	int server, reject, queued, echo, bad_receives, keep_reads;
	int port, private_length, receives, receive_size, ird, ord, connections, fill;
	long memory_size;
	const char *address, *ops, *rights, *private_text;
};

extern struct options options;

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

/* --- report.c ----------------------------------------------------------------------------------------------------- */

/* say prints a line that begins with the number of a connection, or -1 if it is about none. */
void say(const struct connection *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* fatal prints what has failed, and ends the program with status 3. */
void fatal(const char *what) __attribute__((noreturn));

double now(void); /* seconds, of a clock that only goes forward */

uint8_t memory_pattern(long i); /* octet i of the memory that the peer may use */
uint8_t send_pattern(long i);   /* octet i of what is sent and written */

/* fill fills a buffer with a pattern. */
void fill(uint8_t *b, long length, uint8_t (*pattern)(long));

/* verify compares a buffer with a pattern from its octet offset on, says how that went, and counts a failure. */
void verify(struct connection *c, const char *what, const uint8_t *b, long length, long offset, uint8_t (*pattern)(long));

/* --- connection.c ------------------------------------------------------------------------------------------------- */

/* create makes all that a connection needs: a QP, a CQ and filled memory, and posts the Receives. */
void create(struct connection *c);

/* private_data is that of an MPA frame: the pattern or the text, behind the offer if there is room and c is not NULL. */
const uint8_t *private_data(const struct connection *c);

/* take_private_data prints what the peer has sent, and keeps its offer. */
void take_private_data(struct connection *c, const struct rdma_conn_param *p);

/* connection_event prints an event and notes what it says. */
void connection_event(struct connection *c, const struct rdma_cm_event *e);

/* poll_events takes the events of a client's connection, waiting up to ms for one. A server's come in serve. */
void poll_events(struct connection *c, int ms);

/* --- request.c ---------------------------------------------------------------------------------------------------- */

void post_receive(struct connection *c, int i);

/* post posts a Work Request, and returns -1 if that was refused or there is none of this kind. */
int post(struct connection *c, const char *kind, long length, long offset, const char *flags);

/* poll_cq takes a completion, and tells whether there was one. */
int poll_cq(struct connection *c);

/* wait_until waits for a counter, at most some seconds, and little after the connection is over. */
void wait_until(struct connection *c, const char *what, const int *counter, int wanted, double seconds);

/* --- operations.c ------------------------------------------------------------------------------------------------- */

/* run_ops does what -o says. Before it sleeps and in the end it says that it is idle. */
void run_ops(struct connection *c);

/* say_end prints what became of a connection. */
void say_end(struct connection *c);

/* --- the roles ---------------------------------------------------------------------------------------------------- */

/* Either returns the exit status. */
int connect_all(void);
int serve(void);

#endif
