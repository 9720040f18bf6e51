// Writes the OpenAPI document of all routes and the pages at /docs; `npm run assets` does it with the other assets.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { routes } from "../routes.ts";
import type { Document } from "./api/openapi.ts";
import { apiPages } from "./api/pages.ts";
import { documentOf } from "./document.ts";
import { homePage } from "./home-page.ts";
import { integrationsPage } from "./integrations-page.ts";
import { manualPages } from "./manual.ts";
import { type DocsPage, type PageGroup, renderPage } from "./page.ts";
import { rulesPage } from "./rules-page.ts";
import { runbookIndex, runbookPages } from "./runbook.ts";
import type { SearchEntry } from "./search.ts";

/** A page itself is found by its title and its first sentence. */
const ownEntry = ({ title, path, lead }: DocsPage): SearchEntry => ({
  ...{ title, page: title, url: path, text: lead },
});

/**
 * Writes the document and the pages into a folder, by the paths at which they are served.
 *
 * @param manual the folder of the manual's Markdown
 */
export function writeReference(folder: string, manual: string): void {
  const document = documentOf(routes);
  writeFileSync(join(folder, "openapi.json"), `${JSON.stringify(document, null, 2)}\n`);
  const runbook = runbookPages(join(manual, "../runbook"));
  const groups: readonly PageGroup[] = [
    { title: "Manual", pages: [...manualPages(manual), runbookIndex(runbook)] },
    { title: "Reference", pages: [rulesPage(), integrationsPage()] },
    { title: "API", pages: apiPages(document as Document) },
    { title: "Runbook", pages: runbook, isFolded: true },
  ];
  const pages = groups.flatMap((group) => group.pages);
  for (const page of [homePage(groups), ...pages]) {
    const file = join(folder, `${page.path}.html`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, renderPage(page, groups));
  }
  const index = pages.flatMap((page) => [ownEntry(page), ...page.entries]);
  writeFileSync(join(folder, "docs/search.json"), JSON.stringify(index));
}
