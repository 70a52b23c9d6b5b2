from pkg.compat import dist

dist.barrier()
