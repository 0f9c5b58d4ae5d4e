"""What MkDocs does with the notebooks: they are run while the site is built, and become pages with their pictures.

The notebooks in docs/notebooks are kept without outputs. A cell that fails fails the build.
"""

import re
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
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":  # that something is compiled, say, is not what a page is about
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return notebook


def on_files(files, config):
    """Add a page, and its pictures, for every notebook."""
    for path in sorted((Path(config.docs_dir) / FOLDER).glob("*.ipynb")):
        text, resources = MarkdownExporter().from_notebook_node(
            execute(path), resources={"unique_key": path.stem, "output_files_dir": f"{path.stem}_files"}
        )
        # A table's style sheet is the site's, not the notebook's.
        text = re.sub(r"<style scoped>.*?</style>", "", text, flags=re.DOTALL)
        page = File.generated(config, f"{FOLDER}/{path.stem}.md", content=text + DOWNLOAD.format(name=path.name))
        files.append(page)
        for name, picture in resources["outputs"].items():
            files.append(File.generated(config, f"{FOLDER}/{name}", content=picture))
    return files
