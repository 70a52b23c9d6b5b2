"""What generated adapters are made of. Hand-written, small, and about MindSpore only: names of the other framework come
in as parameters from generated code. The parts are loaded when they are needed: `core` under everything; `words`, the
vocabulary of entries; `calls` for what one process does; `collectives` for what several do together; `random` for the
numbers of a seed, `init` for how weights begin, `data` for what is trained on, `files` for what is kept.
"""
