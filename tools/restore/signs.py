"""Corrects quotation marks that the scan got wrong: ',nie' → '„nie', 'nS”' → '„S”', 'W"' → 'W”'."""

import re

OPENING = re.compile(r'^(\(?)(?:,,|[,»#~"])(?=\w)')
LETTER_FOR_OPENING = re.compile(r'^(\(?)[nJ](?=[A-Z]["”])')


def mend_quotes(token):
    """Return the token with correct quotation marks."""
    token = OPENING.sub(r"\1„", token)
    token = LETTER_FOR_OPENING.sub(r"\1„", token)
    return re.sub(r'(?<=.)"', "”", token)
