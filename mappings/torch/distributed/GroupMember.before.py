import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

first = dist.new_group([0])  # every rank calls it, whether it is a member or not
outside = first == dist.GroupMember.NON_GROUP_MEMBER
print(rank, outside, dist.get_process_group_ranks(dist.GroupMember.WORLD))

dist.destroy_process_group()
