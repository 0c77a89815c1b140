"""A spoken question: asked before the first time, never started by itself, changed before it is searched."""

from __future__ import annotations

import pytest

# A recognizer that hears what the test says; the machine has no microphone and no service behind it.
RECOGNIZER = """
window.webkitSpeechRecognition = window.SpeechRecognition = class {
  start() { (window.heard = window.heard || []).push(this); }
  stop() { this.onend(); }
  hear(text) { this.onresult({results: [[{transcript: text}]]}); this.onend(); }
};
"""
NO_RECOGNIZER = "delete window.SpeechRecognition; delete window.webkitSpeechRecognition;"
LANGUAGES = {"pl": "pl-PL", "sk": "sk-SK", "hr": "hr-HR", "en": "en-US"}


@pytest.fixture
def speaker(visit):
    """Opens an address for a reader whose browser has a recognizer, or has none."""

    def open_(address: str, ui: str = "en", recognizer: str = RECOGNIZER, width: int = 390):
        reader = visit(width, ui)
        reader.page.add_init_script(recognizer)
        return reader.open(address)

    return open_


def test_the_reader_is_asked_once_and_nothing_starts_by_itself(speaker, ui):
    page = speaker(f"/?ui={ui}", ui)
    button = page.locator(".find .voice")
    assert button.count() == 1 and page.evaluate("!window.heard")
    button.click()
    dialog = page.locator("dialog.ask-voice")
    assert dialog.is_visible() and dialog.locator("p").first.inner_text() and page.evaluate("!window.heard")
    dialog.locator("button").last.click()
    dialog.wait_for(state="detached")
    assert page.evaluate("!window.heard")
    button.click()
    dialog.locator("button").first.click()
    assert page.evaluate("window.heard.length") == 1 and page.evaluate("window.heard[0].lang") == LANGUAGES[ui]
    page.evaluate("window.heard[0].hear('xyz')")
    dialog.wait_for(state="detached")
    button.click()
    assert not dialog.count() and page.evaluate("window.heard.length") == 2


def test_what_was_heard_can_be_changed_before_it_is_searched(speaker):
    page = speaker("/search?q=revoke&ui=en")
    page.evaluate("localStorage.setItem('voice', 'yes')")
    address = page.url
    page.locator(".find .voice").click()
    assert page.locator(".voice-note").is_visible() and page.locator(".voice").get_attribute("aria-pressed") == "true"
    page.evaluate("window.heard[0].hear('led out of turn')")
    field = page.locator("#q")
    assert field.input_value() == "led out of turn" and page.url == address
    assert page.evaluate("document.activeElement.id") == "q" and not page.locator(".voice-note").is_visible()
    field.fill("led out of turn by dummy")
    with page.expect_navigation():
        field.press("Enter")
    assert "by+dummy" in page.url or "by%20dummy" in page.url


@pytest.mark.parametrize("error", ["not-allowed", "network"])
def test_a_recognizer_that_fails_says_so_and_the_field_stays(speaker, error):
    page = speaker("/?ui=en")
    page.evaluate("localStorage.setItem('voice', 'yes')")
    page.locator("#q").fill("typed before")
    page.locator(".voice").click()
    page.evaluate(f"window.heard[0].onerror({{error: '{error}'}}); window.heard[0].onend()")
    assert page.locator(".voice-note").inner_text() and page.locator("#q").input_value() == "typed before"
    assert page.locator(".voice").get_attribute("aria-pressed") == "false"


def test_without_a_recognizer_or_a_network_there_is_no_button(speaker):
    assert not speaker("/?ui=en", recognizer=NO_RECOGNIZER).locator(".voice").count()
    page = speaker("/?ui=en")
    page.context.set_offline(True)
    page.locator(".voice").wait_for(state="hidden")
    page.context.set_offline(False)
    page.locator(".voice").wait_for(state="visible")


@pytest.mark.parametrize("address", ["/?ui=en", "/search?q=revoke&ui=en", "/pl-2007/16?ui=en"])
def test_the_page_may_use_the_microphone_of_its_own_origin_alone(visit, address):
    page = visit(390).open(address)
    allowed = page.evaluate("document.featurePolicy.allowedFeatures()")
    assert {"microphone", "fullscreen", "screen-wake-lock"} <= set(allowed) and "camera" not in allowed
    for feature in ("microphone", "fullscreen", "screen-wake-lock"):
        origins = page.evaluate(f"document.featurePolicy.getAllowlistForFeature('{feature}')")
        assert origins == [page.evaluate("location.origin")]
