"""Printed labels: one grammar (``grammar``), read in three modes.

- **print** (``printed``): the label at the start of a line, as a template of the edition prints it;
- **text** (``running``): labels inside running text, where any letter may be a word and any number a count;
- **query** (``typed``): what a person types for a provision, in the search field or the address bar.

A new sign, bracket or separator is a change of ``grammar`` alone. What belongs to a caller stays there: which label
continues which (``reading``), the words around references (``reference.find``), the names of editions
(``index.query.citation``).
``tests/cases/labels.toml`` says of every spelling what each mode reads.
"""
