// The frame of every page at /docs: search, the contents of all pages, and the way back to the console.
import { PALETTE } from "../domain/shared/palette.ts";
import { escapeHtml } from "./html.ts";
import type { SearchEntry } from "./search.ts";

export type DocsPage = {
  /** `/docs/backup`; its file has the same path with `.html`. */
  readonly path: string;
  readonly title: string;
  /** One sentence, for the list of pages and for search engines. */
  readonly lead: string;
  /** The HTML below the title. */
  readonly body: string;
  /** What of it is found besides the page itself. */
  readonly entries: readonly SearchEntry[];
};

export type PageGroup = {
  readonly title: string;
  readonly pages: readonly DocsPage[];
  /** Listed by a page of another group, and by its own pages alone. */
  readonly isFolded?: boolean;
};

const isListed = ({ pages, isFolded }: PageGroup, current: string): boolean =>
  !isFolded || pages.some(({ path }) => path === current);

const navigation = (groups: readonly PageGroup[], current: string): string =>
  groups
    .filter((group) => isListed(group, current))
    .map(
      ({ title, pages }) => `<h2>${escapeHtml(title)}</h2>
<ul>${pages
        .map(({ path, title }) => {
          const mark = path === current ? ' aria-current="page"' : "";
          return `<li><a href="${path}"${mark}>${escapeHtml(title)}</a></li>`;
        })
        .join("")}</ul>`,
    )
    .join("\n");

/** The pages before and after, of the same group. */
function neighbours(groups: readonly PageGroup[], current: string): string {
  const pages = groups.find((it) => it.pages.some(({ path }) => path === current))?.pages ?? [];
  const at = pages.findIndex(({ path }) => path === current);
  const link = (page: DocsPage | undefined, rel: string, label: string) =>
    page
      ? `<a href="${page.path}" rel="${rel}"><span>${label}</span> ${escapeHtml(page.title)}</a>`
      : "<span></span>";
  if (pages.length < 2) return "";
  return `<nav class="neighbours" aria-label="Neighbouring pages">${link(pages[at - 1], "prev", "Previous")}${link(pages[at + 1], "next", "Next")}</nav>`;
}

/** A list of links to the sections of a page. */
export const contentsOf = (
  sections: readonly { readonly anchor: string; readonly title: string }[],
): string =>
  `<nav class="sections" aria-label="On this page"><ul>${sections
    .map(({ anchor, title }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`)
    .join("")}</ul></nav>`;

/** Renders a whole page. */
export const renderPage = (page: DocsPage, groups: readonly PageGroup[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${PALETTE.sheet[0]}" />
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${PALETTE.sheet[1]}" />
<meta name="description" content="${escapeHtml(page.lead)}" />
<title>${escapeHtml(page.title)} · Tocsin</title>
<link rel="icon" href="/assets/icon-192.png" />
<link rel="stylesheet" href="/docs/style.css" />
<script src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="/docs">Tocsin <span>docs</span></a>
<button type="button" class="menu" popovertarget="contents">Contents</button>
<search><input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false" /><div class="results" role="region" aria-label="Search results" aria-live="polite" hidden></div></search>
<a class="console" href="/">Console</a>
</header>
<div class="columns">
<nav id="contents" class="contents" popover aria-label="Documentation">
${navigation(groups, page.path)}
</nav>
<main id="content">
<h1>${escapeHtml(page.title)}</h1>
${page.body}
${neighbours(groups, page.path)}
</main>
</div>
</body>
</html>
`;
