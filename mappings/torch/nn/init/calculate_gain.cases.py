from torch.nn.init import calculate_gain

# case: functions
result = [calculate_gain(each) for each in ("linear", "conv2d", "conv_transpose1d", "sigmoid", "tanh", "relu", "selu")]

# case: slopes
result = [calculate_gain("leaky_relu"), calculate_gain("leaky_relu", 0.2), calculate_gain("leaky_relu", param=1)]

# error: unknown
calculate_gain("wave")

# error: a slope that is a word
calculate_gain("leaky_relu", "steep")

# error: a slope that is a bool
calculate_gain("leaky_relu", True)
