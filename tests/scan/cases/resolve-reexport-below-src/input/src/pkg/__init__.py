from pkg.compat import dist
