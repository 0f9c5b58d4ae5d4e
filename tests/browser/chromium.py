"""Finds and starts Chromium. Nothing is downloaded: it is the one that the system has."""

import shutil

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--force-color-profile=srgb"]


def executable():
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise AssertionError(
            f"the tests of the page need Chromium, and none of {', '.join(NAMES)} was found. Install it, on "
            "Debian or Ubuntu with `apt-get install chromium`."
        )
    return found


class Chromium:
    """A browser to open pages in: `with Chromium() as browser`."""

    def __enter__(self):
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=executable(), args=OPTIONS)
        return self

    def __exit__(self, *_):
        self._browser.close()
        self._playwright.stop()

    def open(self, token=None, width=1280, height=900, scheme="light", **options):
        """Return a new page of a new visitor, signed in if there is a token."""
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce",
            **options,
        )
        context.set_default_timeout(60_000)
        if token:
            context.add_init_script(f"sessionStorage.setItem('steadyarm.token', {token!r})")
        return context.new_page()
