import pkg
from pkg.compat import dist

dist.barrier()
pkg.dist.barrier()
pkg.compat.dist.barrier()
