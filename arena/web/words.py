"""The words of the interface in English and Japanese.

Templates ask for a word by its English text. Sentences that are computed elsewhere, such as notes below a table, and
everything that strangers wrote stay as they are.
"""

from collections.abc import Callable

from arena.rulebook.board_drawing import Lang
from arena.rulebook.translation import LANGUAGES as LANGUAGES
from arena.rulebook.translation import japanese

NAMES: dict[Lang, str] = {"en": "English", "ja": "日本語"}
"""What each language calls itself."""


def translator(lang: Lang) -> Callable[[str], str]:
    """The function that templates call for a word. Raises KeyError for a word without a translation."""
    return (lambda text: text) if lang == "en" else japanese("arena.web").__getitem__
