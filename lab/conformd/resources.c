/* Memory, a QP and a CQ of a connection. */
#include <arpa/inet.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "conformd.h"

static struct ibv_mr *buffer(struct ibv_pd *pd, size_t size, int access, uint8_t **memory)
{
	*memory = aligned_alloc(4096, size);
	if (!*memory)
		return NULL;
	memset(*memory, 0, size);
	return ibv_reg_mr(pd, *memory, size, access);
}

/* create_regions registers all regions and says what they are; -1 if that cannot be done. */
static int create_regions(struct connection *c)
{
	const int local = IBV_ACCESS_LOCAL_WRITE, rd = IBV_ACCESS_REMOTE_READ, wr = IBV_ACCESS_REMOTE_WRITE;
	const int access[RESERVED] = {local | rd | wr, local | rd, local | wr, local, local | rd | wr, local | rd | wr,
				      local | rd | wr};

	c->offer = (struct offer){"iwcf", 1, options.features, htons(REGIONS), htonl(RECEIVES), htonl(RECEIVE_SIZE)};
	for (int i = 0; i < RESERVED; i++) {
		size_t size = i == DATA ? DATA_SIZE : REGION_SIZE;

		c->regions[i] = buffer(i == FOREIGN ? c->foreign_pd : c->pd, size, access[i], &c->memory[i]);
		if (!c->regions[i])
			return -1;
		c->offer.regions[i] = (struct advertisement){htobe64((uintptr_t)c->memory[i]), htonl(c->regions[i]->rkey),
							     htonl(size)};
		for (int k = 0; (i == READONLY || i == VOLATILE) && k < REGION_SIZE; k++)
			c->memory[i][k] = k % PATTERN;
	}
	if (ibv_dereg_mr(c->regions[REVOKED]))
		return -1;
	c->regions[REVOKED] = NULL;
	return 0;
}

int post_receive(struct connection *c, int i)
{
	struct ibv_sge sge = {(uintptr_t)c->receive_buffers + (size_t)i * RECEIVE_SIZE, RECEIVE_SIZE, c->receives_mr->lkey};
	struct ibv_recv_wr wr = {.wr_id = i, .sg_list = &sge, .num_sge = 1}, *bad;

	c->receives++;
	return c->srq ? ibv_post_srq_recv(c->srq, &wr, &bad) : ibv_post_recv(c->id->qp, &wr, &bad);
}

/* create_buffers registers what messages are received into, and answers sent from; -1 if that cannot be done. */
static int create_buffers(struct connection *c)
{
	struct ibv_pd *pd = c->srq ? c->foreign_pd : c->pd;

	c->receives_mr = buffer(pd, RECEIVES * RECEIVE_SIZE, IBV_ACCESS_LOCAL_WRITE, &c->receive_buffers);
	c->answers_mr = buffer(c->pd, ANSWERS * RECEIVE_SIZE, IBV_ACCESS_LOCAL_WRITE, &c->answer_buffers);
	return c->receives_mr && c->answers_mr ? 0 : -1;
}

int create(struct connection *c)
{
	struct ibv_qp_init_attr qp = {
		.qp_type = IBV_QPT_RC, .sq_sig_all = 1,
		.cap = {.max_send_wr = SENDS, .max_recv_wr = RECEIVES, .max_send_sge = 1, .max_recv_sge = 1},
	};

	c->waiting = calloc(WAITS, sizeof *c->waiting);
	c->pd = ibv_alloc_pd(c->id->verbs);
	c->foreign_pd = ibv_alloc_pd(c->id->verbs);
	c->cq = ibv_create_cq(c->id->verbs, SENDS + RECEIVES, NULL, NULL, 0);
	if (!c->waiting || !c->pd || !c->foreign_pd || !c->cq)
		return -1;
	if (options.features & SHARES) {
		struct ibv_srq_init_attr srq = {.attr = {.max_wr = RECEIVES, .max_sge = 1}};

		qp.srq = c->srq = ibv_create_srq(c->foreign_pd, &srq);
		if (!c->srq)
			return -1;
	}
	qp.send_cq = qp.recv_cq = c->cq;
	if (rdma_create_qp(c->id, c->pd, &qp) || create_regions(c) || create_buffers(c))
		return -1;
	for (c->count_free = 0; c->count_free < ANSWERS; c->count_free++)
		c->free[c->count_free] = c->count_free;
	for (int i = 0; i < RECEIVES; i++)
		if (post_receive(c, i))
			return -1;
	return 0;
}

void destroy(struct connection *c)
{
	if (c->id->qp)
		rdma_destroy_qp(c->id);
	for (int i = 0; i < REGIONS; i++) {
		if (c->regions[i])
			ibv_dereg_mr(c->regions[i]);
		free(c->memory[i]);
	}
	if (c->srq)
		ibv_destroy_srq(c->srq);
	if (c->receives_mr)
		ibv_dereg_mr(c->receives_mr);
	if (c->answers_mr)
		ibv_dereg_mr(c->answers_mr);
	free(c->receive_buffers);
	free(c->answer_buffers);
	if (c->cq)
		ibv_destroy_cq(c->cq);
	if (c->pd)
		ibv_dealloc_pd(c->pd);
	if (c->foreign_pd)
		ibv_dealloc_pd(c->foreign_pd);
	rdma_destroy_id(c->id);
	free(c->waiting);
	free(c);
}
