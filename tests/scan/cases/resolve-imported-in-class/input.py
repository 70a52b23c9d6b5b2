class Backend:
    import torch

    start = torch.argmin(y)

    def run(self, x):
        return self.torch.abs(x), self.torch.hypot(x, x)
