"""The live preview: a registry that follows its files (`live`), pages with the look of the site (`pages`), and
the server that shows them and tells browsers when to look again (`server`)."""
