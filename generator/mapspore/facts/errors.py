"""The one error that the facts raise for a person's mistake: a plain sentence and the next step."""


class FactsError(Exception):
    """Facts cannot be read or extracted; `hint` says what to do, and `zh` has both in Chinese."""

    def __init__(self, sentence: str, hint: str, zh: tuple[str, str]) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint
        self.zh = zh
