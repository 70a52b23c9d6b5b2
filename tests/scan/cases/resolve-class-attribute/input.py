import torch


class Base:
    function = torch.abs


class Layer(Base):
    def forward(self, x):
        return self.function(x)


Layer.function(x)
