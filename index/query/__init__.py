"""What was asked: from what a person typed to one of two values, ``Cited`` or ``Asked`` (``asked.py``)."""
