"""What stated arguments hold. In: arguments in the language of cases. Out: the tensors and dtypes in them."""

from __future__ import annotations

from typing import Any


def specs(stated: Any, rank: int = 0) -> list[dict[str, Any]]:
    """The descriptions of the tensors in stated arguments, on one rank."""
    if isinstance(stated, list):
        return [spec for each in stated for spec in specs(each, rank)]
    if not isinstance(stated, dict):
        return []
    if "$tensor" in stated:
        return [stated["$tensor"]]
    if "$by_rank" in stated:
        return specs(stated["$by_rank"][rank], rank)
    return [spec for each in stated.values() for spec in specs(each, rank)]


def empty(case: dict[str, Any]) -> bool:
    """Whether a case has a tensor without elements: where a kernel computes nothing it may write nothing."""
    return any(0 in spec["shape"] for spec in specs(case["calls"]))


def dtypes_in(stated: Any) -> set[str]:
    """The dtypes of tensors, and those that are given by themselves."""
    if isinstance(stated, list):
        return {dtype for each in stated for dtype in dtypes_in(each)}
    if not isinstance(stated, dict):
        return set()
    if "$tensor" in stated:
        return {stated["$tensor"]["dtype"]}
    return {stated["$dtype"]} if "$dtype" in stated else dtypes_in(list(stated.values()))
