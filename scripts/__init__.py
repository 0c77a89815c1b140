"""COMMANDS that a maintainer runs; what readers are served knows nothing of them."""
