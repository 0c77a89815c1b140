"""Punctuation the scan got wrong: opening quotes and suits."""
import re

QUOTE = re.compile(r'^(\(?)(?:,,|[,»#~"])(?=\w)')
ODD_OPEN = re.compile(r'^(\(?)[nJ](?=[A-Z]["”])')
SUITS = ((re.compile(r'(\bpik\s*)\([^()\w]{0,2}\w?\)'), '♠'), (re.compile(r'(\bkier\s*)\([^()]{0,2}\)'), '♥'),
         (re.compile(r'(\bkaro\s*)\([^()]{0,2}\)'), '♦'), (re.compile(r'(\btrefl\s*)\([^()]{0,2}\)'), '♣'))


def mend_token(token):
    """',nie' → '„nie', 'nS”' → '„S”', 'W"' → 'W”'"""
    token = QUOTE.sub(r'\1„', token)
    token = ODD_OPEN.sub(r'\1„', token)
    return re.sub(r'(?<=.)"', '”', token)


def mend_line(line):
    """'pik (&), kier (w)' → 'pik (♠), kier (♥)'"""
    for name, suit in SUITS:
        line = name.sub(rf'\1({suit})', line)
    return line
