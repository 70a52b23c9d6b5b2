from typing import Annotated, Optional

import torch


def total(
    one: Optional[torch.Tensor], two: torch.Tensor | None = None, three: Annotated[torch.Tensor, "x"] = None,
    four: list[torch.Tensor] = (),
):
    return one.item() + two.item() + three.item() + four.item()
