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
 *		l wrong local STag, g three SGEs, G three SGEs that lie apart, v verify what was read
 *	-P N	octets of Private Data; from 16 on it begins with address, STag and length of our memory, big-endian
 *	-d TEXT	what Private Data is made of, again and again (the pattern of what is sent)
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
 *	-B N	where the patterns begin (32)
 *	-k	leave what was read in the buffer from which is sent; what comes in may be anything then and is not verified
 *
 * All that happens is printed, a line each, with the connection's number; "idle" before it sleeps, and when all of OPS is
 * done. Exit status of a client: 0, 1 if a Work Request has failed or data was wrong, 3 if a function has, 6 if there was
 * no connection.
 *
 * Octet i of the memory that the peer may use is 32 + i mod 91; of what is sent and written 39 + i mod 83. Messages that
 * come in are verified against the latter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "siwtest.h"

struct options options = {
	.port = 7471, .private_length = 16, .receives = 16, .receive_size = 4096, .ird = 4, .ord = 4, .connections = 1,
	.fill = 32, .memory_size = 1 << 20, .address = "0.0.0.0", .ops = "", .rights = "rw", .private_text = "",
};

/* parse takes the command line, and tells whether it is one. */
static int parse(int argc, char **argv)
{
	struct options *o = &options;

	for (int c; (c = getopt(argc, argv, "sca:p:o:P:d:r:z:m:A:I:O:n:B:RqElk")) != -1;)
		switch (c) {
		case 's': o->server = 1; break;
		case 'c': break;
		case 'a': o->address = optarg; break;
		case 'p': o->port = atoi(optarg); break;
		case 'o': o->ops = optarg; break;
		case 'P': o->private_length = atoi(optarg); break;
		case 'd': o->private_text = optarg; break;
		case 'r': o->receives = atoi(optarg); break;
		case 'z': o->receive_size = atoi(optarg); break;
		case 'm': o->memory_size = atol(optarg); break;
		case 'A': o->rights = optarg; break;
		case 'I': o->ird = atoi(optarg); break;
		case 'O': o->ord = atoi(optarg); break;
		case 'n': o->connections = atoi(optarg); break;
		case 'B': o->fill = atoi(optarg); break;
		case 'R': o->reject = 1; break;
		case 'q': o->queued = 1; break;
		case 'E': o->echo = 1; break;
		case 'l': o->bad_receives = 1; break;
		case 'k': o->keep_reads = 1; break;
		default: return 0;
		}
	return 1;
}

int main(int argc, char **argv)
{
	int status;

	if (!parse(argc, argv))
		return 2;
	status = options.server ? serve() : connect_all();
	fflush(stdout);
	_exit(status); /* as a process that ends does: without closing connections first */
}
