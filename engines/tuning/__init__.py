"""How the weights of stornoway and buckquoy are learned; `engines.tune` is the command.

Beside it, it may import: native.
"""
