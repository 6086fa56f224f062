"""Reports: one page that needs nothing else, as HTML with live charts, or as Markdown.

`blocks` are the parts of a page; `html` and `markdown` write them; `topology` draws a path;
`charts` has the data of charts, which `page.js` draws by uPlot.
"""
