"""Sentence material for synthetic entries: pairs of English and Chinese of the length that real entries have."""

from __future__ import annotations

from random import Random

Pair = tuple[str, str]

WHAT = (
    ("the weighted sum", "加权和"),
    ("the running maximum", "累积最大值"),
    ("the squared distance", "平方距离"),
    ("the normalised magnitude", "归一化幅值"),
    ("the logarithm of the density", "对数密度"),
    ("the cumulative product", "累积乘积"),
    ("the rounded quotient", "取整后的商"),
    ("the smoothed gradient", "平滑梯度"),
)
OF = (
    ("the input tensor", "输入张量"),
    ("a batch of matrices", "一批矩阵"),
    ("each pair of elements", "每一对元素"),
    ("the complex spectrum", "复数频谱"),
    ("a padded signal", "补齐后的信号"),
    ("all windows of the input", "输入中的全部窗口"),
)
HOW = (
    ("along one dimension", "沿指定维度"),
    ("element by element", "逐元素"),
    ("over the last two dimensions", "在最后两个维度上"),
    ("with broadcasting", "按广播规则"),
    ("and keeps the dtype of the input", "保持输入的数据类型并"),
)
BEHAVIOURS = (
    (
        "empty_input",
        "For an empty tensor PyTorch gives `nan`, MindSpore 0.",
        "输入为空张量时，PyTorch 得 `nan`，MindSpore 得 0。",
    ),
    (
        "integer_input",
        "PyTorch promotes integers to the default float type; MindSpore raises a `TypeError` for them.",
        "PyTorch 会把整数提升为默认浮点类型；MindSpore 则抛出 `TypeError`。",
    ),
    (
        "negative_zero",
        "PyTorch keeps the sign of zero, MindSpore returns a positive zero.",
        "PyTorch 保留零的符号，MindSpore 返回正零。",
    ),
    (
        "ties",
        "Where several elements are equal, PyTorch picks the last one and MindSpore the first.",
        "有多个相等元素时，PyTorch 取最后一个，MindSpore 取第一个。",
    ),
    (
        "gradient",
        "At the border of the range PyTorch's gradient is 0; MindSpore passes the incoming gradient on.",
        "在取值区间的边界上，PyTorch 的梯度为 0，MindSpore 则原样传递上游梯度。",
    ),
    (
        "inf",
        "PyTorch keeps an infinite value; MindSpore saturates at the limit of the dtype.",
        "遇到无穷大时，PyTorch 保留原值，MindSpore 饱和到数据类型的边界值。",
    ),
)
NOTES = (
    (
        "Sums of `float16` are accumulated in `float32` on both sides, so small differences in the last digit remain.",
        "两侧对 `float16` 求和时都以 `float32` 累加，因此末位可能有细微差别。",
    ),
    (
        "In graph mode the dimension must be a constant; pass it as a Python number and not as a tensor.",
        "图模式下维度必须是常量，请传入 Python 数值，不要传入张量。",
    ),
    (
        "The result shares no memory with the input, even where PyTorch returns a view of it.",
        "即使 PyTorch 返回视图，这里的结果也不与输入共享内存。",
    ),
    (
        "On Ascend the first call compiles the operator and takes noticeably longer than the following ones.",
        "在 Ascend 上，首次调用需要编译算子，耗时明显长于后续调用。",
    ),
)
CLAIMS = (
    (
        "example",
        "The example of the source document imports a module that does not exist in this version.",
        "源文档的示例导入了该版本中不存在的模块。",
    ),
    (
        "returns",
        "The source document has no row for the return value.",
        "源文档缺少返回值一行。",
    ),
    (
        "table",
        "One row of the table describes the parameter of another page; the text was copied from there.",
        "表格中有一行描述的是另一页面的参数，文字系误抄。",
    ),
)


def summary(random: Random) -> Pair:
    """What an API does, in one sentence of each language."""
    what, of, how = random.choice(WHAT), random.choice(OF), random.choice(HOW)
    return f"Computes {what[0]} of {of[0]} {how[0]}.", f"{how[1]}计算{of[1]}的{what[1]}。"
