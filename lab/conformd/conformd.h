/*
 * What the parts of conformd share:
 *
 *	conformd.c	the command line, connection events, and the roles
 *	resources.c	memory, a QP and a CQ of a connection
 *	commands.c	what messages ask for, and how it is done
 */
#ifndef CONFORMD_H
#define CONFORMD_H

#include <pthread.h>
#include <stdint.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

enum {
	RECEIVES = 32, RECEIVE_SIZE = 8192, /* what can come */
	SENDS = 128,			    /* Work Requests that the SQ has room for */
	ANSWERS = 32,			    /* answers and echoes that may be under way */
	WAITS = 256,			    /* commands that may wait */
	DATA_SIZE = 65536, REGION_SIZE = 4096, PATTERN = 251,
};

enum { DATA, READONLY, WRITEONLY, LOCAL, FOREIGN, REVOKED, VOLATILE, RESERVED, REGIONS };

enum {
	QUIET = 0, ECHO = 1, REPORT = 2, WRITE = 0x10, READ = 0x11, SEND = 0x14,
	CLOSE = 0x20, ABORT = 0x21, TERMINATE = 0x22, REVOKE = 0x23, HOLD = 0x24,
	ANSWER = 1, SOLICITED = 2, INVALIDATE = 4, FENCE = 8, /* flags */
	INVALIDATED = 2,				      /* flag of a report */
	TERMINATES = 0x10, FENCES = 0x40, SHARES = 0x80,      /* features */
	DONE = 0, CANNOT = 1, FAILED = 2,
};

struct advertisement {
	uint64_t to;
	uint32_t stag, length;
} __attribute__((packed));

struct offer {
	char mark[4];
	uint8_t version, features;
	uint16_t count;
	uint32_t receives, receive_size;
	struct advertisement regions[REGIONS];
} __attribute__((packed));

struct command { /* as it comes in a message */
	uint8_t code, flags;
	uint16_t count;
	uint32_t length, offset, stag;
	uint64_t to;
} __attribute__((packed));

struct answer {
	uint8_t code, zero[3];
	uint32_t status;
	uint64_t value;
} __attribute__((packed));

struct report {
	uint32_t messages, length;
	uint8_t flags, zero[3];
	uint32_t stag, crc;
} __attribute__((packed));

struct message { /* whose turn has still to come */
	struct command command; /* numbers in the order of the host */
	int whole;		/* no octets of it are missing */
	uint32_t begun, length; /* Work Requests that were posted; octets that go back */
	uint8_t octets[RECEIVE_SIZE];
};

struct work { /* in the SQ */
	uint8_t code;
	int buffer; /* of an answer; else -1 */
	int answers;
};

struct connection {
	int number;
	struct rdma_cm_id *id;
	struct ibv_pd *pd, *foreign_pd;
	struct ibv_cq *cq;
	struct ibv_srq *srq; /* NULL if the QP has Receives of its own */
	struct ibv_mr *regions[REGIONS], *receives_mr, *answers_mr;
	uint8_t *memory[REGIONS], *receive_buffers, *answer_buffers;
	struct offer offer;
	int ord;

	pthread_t thread;
	volatile int over; /* the main thread says so */
	int closing, held, receives;
	struct report latest; /* numbers in the order of the host */
	struct message *waiting;
	int first_waiting, count_waiting;
	struct answer due[SENDS + 1];
	int count_due;
	struct work work[SENDS];
	int first_work, count_work;
	int free[ANSWERS], count_free;
};

struct options { /* what the command line says */
	int initiator, connections, features, ird, ord;
	const char *address, *port;
};

extern struct options options;

/* --- resources.c -------------------------------------------------------------------------------------------------- */

/* create makes all that a connection needs, and posts the Receives; -1 if that cannot be done. */
int create(struct connection *c);

/* destroy takes away what there is of a connection. */
void destroy(struct connection *c);

int post_receive(struct connection *c, int i);

/* --- commands.c --------------------------------------------------------------------------------------------------- */

/* served is a thread that serves a connection until it is over. */
void *served(void *connection);

#endif
