"""Cases of entries about several processes: mappings and numbers of ranks go in, cases as data come out.

`plan` reads the role of each parameter off the contract; `cases`, `messages`, `refusals` and `plain` make cases, stated
by `case_builder`; `oracle` states what each rank must receive. `entry_cases` puts them together.
"""
