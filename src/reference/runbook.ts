// The runbook: a page for each invariant of the audit, named as it is, for each alert rule without one, and for what else
// an operator meets at night. And the page that lists them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { INVARIANTS } from "../domain/operations/invariants.ts";
import { listedPage } from "./home-page.ts";
import { manualPage } from "./manual.ts";
import type { DocsPage } from "./page.ts";

const LEAD =
  "What to do when something is broken: how it looks, what is safe, what to do, and how one knows that it is over.";

const listed = (title: string, pages: readonly DocsPage[]): string =>
  `<h2>${title}</h2>\n<ul class="pages">${pages.map(listedPage).join("\n")}</ul>`;

/** The pages, from the folder with their files: those of invariants in the order of the invariants, then the others. */
export function runbookPages(folder: string): readonly DocsPage[] {
  const names = readdirSync(folder).map((file) => file.replace(/\.md$/, ""));
  const order = [
    ...Object.keys(INVARIANTS),
    ...names.filter((name) => !(name in INVARIANTS)).sort(),
  ];
  return order.map((name) =>
    manualPage(`runbook/${name}`, readFileSync(join(folder, `${name}.md`), "utf8")),
  );
}

/** The page that lists them. */
export function runbookIndex(pages: readonly DocsPage[]): DocsPage {
  const ofInvariants = pages.slice(0, Object.keys(INVARIANTS).length);
  return {
    path: "/docs/runbook",
    title: "Runbook",
    lead: LEAD,
    body: `<p class="lead">${LEAD}</p>
<p>Admins see in the console, under Setup, <strong>This deployment</strong>, what its audit finds to be broken. These pages are in <code>src/reference/runbook</code> of the repository, too: read them there when this address does not answer.</p>
${listed("What the audit finds", ofInvariants)}
${listed("Other situations", pages.slice(ofInvariants.length))}`,
    entries: [],
  };
}
