"""The JSON API: ``views`` has its addresses, ``objects`` builds the answers, ``description`` describes both."""
