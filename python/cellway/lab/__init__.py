"""Laboratory: a page in the browser whose sliders run a scenario, served on this machine.

`bundle` joins the page from its scripts, `controls` derives its sliders and choices, `places` draws
the path, `jobs` runs what the page asks for, `serving` is the server.
"""
