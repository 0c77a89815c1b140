"""What bodies ruled: decisions, commentaries, clarifications, cases: ``rulings/<body>/``, one record for all of them.

``model`` the values · ``points`` the points of an edition of decisions as rulings · ``read`` the folders → rulings, or
every fault with file and line (docs/add-a-ruling.md).
"""
