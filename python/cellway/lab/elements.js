/* Elements of the page. */
export function element(name, given = {}, ...children) {
  const made = document.createElement(name);
  Object.entries(given).forEach(([key, value]) => {
    if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  });
  made.append(...children);
  return made;
}

/* A button that copies a text and says so. */
export function copier(label, text) {
  const button = element("button", { type: "button", textContent: label });
  const said = (words) => {
    button.textContent = words;
    setTimeout(() => (button.textContent = label), 1500);
  };
  button.addEventListener("click", () =>
    navigator.clipboard.writeText(text()).then(
      () => said("Copied"),
      () => said("Cannot copy")
    )
  );
  return button;
}

/* A button that saves a text as a file. */
export function saver(label, name, text) {
  const button = element("button", { type: "button", textContent: label });
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([text()], { type: "text/plain" }));
    const link = element("a", { href: address, download: name() });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });
  return button;
}
