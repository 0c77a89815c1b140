"""Scores diacritics with the small neural model of `ogonki`: how the model would place them in the sentence."""

import numpy as np
import ogonki

CLASSES = {printed: (plain, label) for (plain, label), printed in ogonki.ADD.items()}


def line_scores(text):
    """Return log10 probabilities (characters × classes) for a text without foreign signs."""
    plain = ogonki.strip(text)
    weights = ogonki._weights()
    state = weights["emb"][ogonki.ids("\n" + plain + "\n")]
    for i, step in enumerate(weights["dil"]):
        kernel, padded = weights[f"w{i}"], np.pad(state, ((step, step), (0, 0)))
        state = state + np.maximum(
            padded[: -2 * step] @ kernel[0] + state @ kernel[1] + padded[2 * step :] @ kernel[2] + weights[f"b{i}"], 0
        )
    logits = (state @ weights["head_w"] + weights["head_b"])[1:-1]
    logits = logits - logits.max(1, keepdims=True)
    return (logits - np.log(np.exp(logits).sum(1, keepdims=True))) / np.log(10)


def score(scores, start, form):
    """Return the log10 probability of the diacritics of `form` at offset `start` of a text. `scores`: its
    :func:`line_scores`.
    """
    total = 0.0
    for i, sign in enumerate(form.lower()):
        label = CLASSES.get(sign, (None, 0))[1]
        if label or sign in "acelnosz":
            total += max(-2.0, float(scores[start + i][label]))
    return total
