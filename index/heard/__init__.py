"""What was told or typed → the situations that it describes.

``features`` a sentence → what is compared of it · ``learn`` the sentences of all situations → weights, when the index
is built (scikit-learn) · ``finder`` a query → situations, best first, from those weights alone.
"""
