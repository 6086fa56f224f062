/* The theme's pages for readers of the keyboard and of screens that are read aloud: what scrolls
   takes the focus, and parts have names of their own. A picture scrolls where the page is
   too narrow for its letters, and leads to its file. */
(function () {
  "use strict";
  const search = document.querySelector(".md-search[role=dialog]");
  search?.setAttribute("aria-label", "Search");
  document.querySelectorAll(".md-nav .md-nav[aria-labelledby]").forEach((inner, at) => {
    const title = inner.querySelector(".md-nav__title")?.textContent.trim() ?? "pages";
    inner.removeAttribute("aria-labelledby");
    inner.setAttribute("aria-label", `${title}, section ${at + 1}`);
  });
  document.querySelectorAll("article img").forEach((image) => {
    if (image.closest("a")) return;
    const link = document.createElement("a");
    Object.assign(link, { href: image.src, className: "picture" });
    image.replaceWith(link);
    link.append(image);
  });
  const scrolls = () => {
    document.querySelectorAll(".md-code__nav").forEach((one, at) => {
      one.setAttribute("aria-label", `code ${at + 1}`);
    });
    document.querySelectorAll("pre > code, .md-typeset__scrollwrap").forEach((one) => {
      one.setAttribute("tabindex", "0");
    });
  };
  scrolls();
  // The theme wraps tables when it has started.
  addEventListener("load", scrolls);
  new MutationObserver(scrolls).observe(document.querySelector("article"), {
    childList: true,
    subtree: true,
  });
})();
