from ..compat import dist as communication
