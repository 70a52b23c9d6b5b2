import mindspore
import torchspore.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

other = 1 - rank
sent, received = mindspore.tensor([rank + 1]), mindspore.tensor([0])
exchange = [dist.P2POp(dist.isend, sent, other), dist.P2POp(dist.irecv, received, other)]
for work in dist.batch_isend_irecv(exchange):
    work.wait()
print(rank, received.tolist())

dist.destroy_process_group()
