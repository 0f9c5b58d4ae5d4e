"""What MkDocs does beside building pages: it runs the notebooks, and looks at every page that comes out.

The notebooks in docs/notebooks are kept without outputs; they become pages with their pictures. A cell that fails fails
the build. So does a page that asks another server for something, or shows the signs of a list instead of a list.
"""

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path

import nbformat
from mkdocs.structure.files import File
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

FOLDER = "notebooks"
DOWNLOAD = "\n\n---\n\nThis page is a notebook that was run while the site was built: [{name}]({name}).\n"


def execute(path):
    """Return a notebook with its outputs, run in its own folder."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=300,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":  # that something is compiled, say, is not what a page is about
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return notebook


def on_files(files, config):
    """Add a page, and its pictures, for every notebook."""
    paths = sorted((Path(config.docs_dir) / FOLDER).glob("*.ipynb"))
    with ThreadPoolExecutor() as kernels:  # each notebook has a process of its own
        notebooks = list(kernels.map(execute, paths))
    for path, notebook in zip(paths, notebooks, strict=True):
        text, resources = MarkdownExporter().from_notebook_node(
            notebook, resources={"unique_key": path.stem, "output_files_dir": f"{path.stem}_files"}
        )
        # A table looks as the site's do, not the notebook's.
        text = re.sub(r"<style scoped>.*?</style>", "", text, flags=re.DOTALL)
        text = text.replace('<table border="1" class="dataframe">', "<table>")
        page = File.generated(
            config, f"{FOLDER}/{path.stem}.md", content=text + DOWNLOAD.format(name=path.name)
        )
        files.append(page)
        for name, picture in resources["outputs"].items():
            files.append(File.generated(config, f"{FOLDER}/{name}", content=picture))
    return files


def on_page_markdown(markdown, **_):
    """Let links to a notebook, which are right in the repository, lead to its page."""
    return re.sub(rf"\]\(({FOLDER}/[\w-]+)\.ipynb\)", r"](\1.md)", markdown)


def on_post_page(output, page, **_):
    """Warn of what a browser would fetch from elsewhere, and of broken lists; a warning is an error."""
    for url in outside(output):
        logging.getLogger("mkdocs.hooks").warning("%s would fetch %s", page.url, url)
    for text in broken_lists(output):
        logging.getLogger("mkdocs.hooks").warning("%s shows a list as text: %s", page.url, text)
    return output


def broken_lists(html):
    """Return items that became text of a paragraph: the site wants blocks inside a list indented by four."""
    paragraphs = re.findall(r"<p>(.*?)</p>", html, re.DOTALL)
    return [text for paragraph in paragraphs for text in re.findall(r"^[-*] .*", paragraph, re.MULTILINE)]


def outside(html):
    """Return the addresses on other servers that a browser fetches by itself to show a page."""
    page = _Fetched()
    page.feed(html)
    return [url for url in page.found if re.match(r"(?:https?:)?//", url)]


class _Fetched(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if tag in ("script", "img", "iframe", "source", "video", "audio", "embed"):
            self.found.append(named.get("src") or "")
        if tag == "link" and named.get("rel") not in ("canonical", "prev", "next"):
            self.found.append(named.get("href") or "")
