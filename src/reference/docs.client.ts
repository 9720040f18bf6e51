// The script of the pages at /docs: the theme that the console's settings chose, the search, and buttons that copy.
// The pages are complete without it.
import { findEntries, type SearchEntry } from "./search.ts";

// Before the page is drawn.
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "system";

let index: Promise<readonly SearchEntry[]> | undefined;

/** Loads the index once; again after a failure. */
function loadIndex(): Promise<readonly SearchEntry[]> {
  index ??= fetch("/docs/search.json")
    .then((response) => response.json())
    .catch(() => {
      index = undefined;
      return [];
    });
  return index;
}

/** How much of an entry's text is shown, around the first word of the query. */
const EXCERPT = 110;

function excerptOf(text: string, query: string): string {
  const at = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0] ?? "");
  const from = at < EXCERPT / 2 ? 0 : at - EXCERPT / 3;
  return `${from > 0 ? "…" : ""}${text.slice(from, from + EXCERPT)}${text.length > from + EXCERPT ? "…" : ""}`;
}

function element(name: string, className: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function resultOf({ title, page, url, text }: SearchEntry, query: string): HTMLElement {
  const link = document.createElement("a");
  link.href = url;
  link.append(
    element("span", "found", title),
    element("span", "where", page),
    element("span", "excerpt", excerptOf(text, query)),
  );
  return link;
}

function startSearch(input: HTMLInputElement, results: HTMLElement): void {
  const close = () => {
    results.hidden = true;
  };
  const show = async () => {
    const query = input.value.trim();
    const found = findEntries(await loadIndex(), query);
    if (query !== input.value.trim()) return;
    results.replaceChildren(
      ...(found.length > 0
        ? found.map((entry) => resultOf(entry, query))
        : [element("p", "none", `Nothing found for “${query}”.`)]),
    );
    results.hidden = query === "";
  };
  input.addEventListener("focus", loadIndex);
  input.addEventListener("input", show);
  const links = () => [...results.querySelectorAll("a")];
  const move = (event: KeyboardEvent) => {
    const at = links().indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") links()[Math.min(at + 1, links().length - 1)]?.focus();
    else if (event.key === "ArrowUp") (at > 0 ? links()[at - 1] : input)?.focus();
    else if (event.key === "Enter" && at === -1) links()[0]?.click();
    else return;
    event.preventDefault();
  };
  for (const part of [input, results]) {
    part.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || part === input) move(event);
    });
  }
  results.addEventListener("click", close);
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element && target.closest("search"))) close();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

function addCopyButton(place: Element): void {
  const button = element("button", "copy", "Copy") as HTMLButtonElement;
  button.type = "button";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(place.querySelector("pre")?.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  place.append(button);
}

document.addEventListener("DOMContentLoaded", () => {
  // The list of pages scrolls by itself.
  document.querySelector("#contents [aria-current]")?.scrollIntoView({ block: "nearest" });
  const input = document.querySelector<HTMLInputElement>("search input");
  const results = document.querySelector<HTMLElement>("search .results");
  if (input && results) startSearch(input, results);
  for (const place of document.querySelectorAll(".code")) addCopyButton(place);
});
