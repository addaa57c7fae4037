"""How Sphinx makes HTML of the documents: see build."""

project = "Lighthouse"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "README"
include_patterns = ["*.md", "docs/**", "examples/README.md", "lighthouse-kubernetes/*/README.md"]
exclude_patterns = ["docs/site", "docs/man"]

# Links to a heading have the names that GitHub makes.
myst_heading_anchors = 4
# Blocks that Sphinx cannot colour, such as JSON with -inf, stay plain. The map of the documents replaces tables of
# contents.
suppress_warnings = ["misc.highlighting_failure", "toc.not_included"]

html_title = "Lighthouse"
html_theme = "alabaster"
html_theme_options = {"page_width": "75em", "body_max_width": "none", "sidebar_width": "14em", "code_font_size": "0.8em"}
highlight_language = "none"
html_sidebars = {"**": ["searchbox.html", "map.html"]}
templates_path = ["templates"]
html_copy_source = False
html_show_sourcelink = False
