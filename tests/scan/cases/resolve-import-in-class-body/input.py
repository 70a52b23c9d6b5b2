class Ranks:
    from torch.distributed import get_node_local_rank

    here = get_node_local_rank()

    def rank(self):
        return get_node_local_rank()
