// The first page of the documentation (/docs): all others, with a sentence each.
import { escapeHtml } from "./html.ts";
import type { DocsPage, PageGroup } from "./page.ts";

const LEAD =
  "How to run Tocsin, what each of its parts needs, and every operation of its API. This deployment serves it: it is of the same version.";

/** A page in a list of pages, with its sentence. */
export const listedPage = ({ path, title, lead }: DocsPage): string =>
  `<li><a href="${path}">${escapeHtml(title)}</a><p>${escapeHtml(lead)}</p></li>`;

/** The page, from the groups of all others. */
export const homePage = (groups: readonly PageGroup[]): DocsPage => ({
  path: "/docs",
  title: "Documentation",
  lead: LEAD,
  body: `<p class="lead">${LEAD}</p>
${groups
  .filter(({ isFolded }) => !isFolded)
  .map(
    ({ title, pages }) =>
      `<h2>${escapeHtml(title)}</h2>\n<ul class="pages">${pages.map(listedPage).join("\n")}</ul>`,
  )
  .join("\n")}`,
  entries: [],
});
