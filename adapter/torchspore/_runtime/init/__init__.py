"""How the weights of layers begin. In: a tensor and the parameters of a formula. Out: the same tensor, filled. `values`
computes with NumPy what stands in it; `filling` writes it there.
"""
