from pkg.compat import dist

dist.monitored_barrier()
