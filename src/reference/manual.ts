// The pages of the operator's manual, from the Markdown in `manual`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "./html.ts";
import { anchorOf, renderMarkdown } from "./markdown.ts";
import { contentsOf, type DocsPage } from "./page.ts";

/** In the order in which they are read. Each is a file of `src/reference/manual`. */
export const MANUAL = [
  "start",
  "console",
  "deploying",
  "free-plan",
  "own-server",
  "variables",
  "channels",
  "providers",
  "senders",
  "chats",
  "monitoring",
  "retention",
  "backup",
  "copying",
  "standby",
  "upgrading",
  "security",
  "promises",
  "architecture",
  "costs",
] as const;

type Section = { readonly title: string; readonly text: string };

/** The title, the first paragraph, and what follows it. */
function partsOf(name: string, text: string) {
  const [, title, lead, rest] = /^# (.+)\n\n([\s\S]+?)\n(?:\n([\s\S]*))?$/.exec(text) ?? [];
  if (!title || !lead) throw new Error(`${name}.md does not begin with a title and a paragraph`);
  return { title, lead, rest: rest ?? "" };
}

/** Divides Markdown by its headings of the second and third level, outside of code. */
function sectionsOf(text: string): Section[] {
  const outside = text.replace(/^```[\s\S]*?^```$/gm, (code) => code.replace(/^#/gm, " "));
  return outside
    .split(/^(?=###? )/m)
    .filter((part) => part.startsWith("#"))
    .map((part) => {
      const [heading = "", ...lines] = part.split("\n");
      return { title: heading.replace(/^#+ /, ""), text: lines.join("\n") };
    });
}

/** The page of one file. */
export function manualPage(name: string, text: string): DocsPage {
  const { title, lead, rest } = partsOf(name, text);
  const path = `/docs/${name}`;
  const chapters = [...rest.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^## (.+)$/gm)].map(
    ([, heading = ""]) => ({ anchor: anchorOf(heading), title: textOf(renderTitle(heading)) }),
  );
  const entries = sectionsOf(rest).map((section) => ({
    title: textOf(renderTitle(section.title)),
    page: title,
    url: `${path}#${anchorOf(section.title)}`,
    text: textOf(renderMarkdown(section.text)),
  }));
  const body = `<div class="lead">${renderMarkdown(lead)}</div>
${chapters.length > 2 ? contentsOf(chapters) : ""}
${renderMarkdown(rest)}`;
  return { path, title, lead: textOf(renderMarkdown(lead)), body, entries };
}

const renderTitle = (heading: string): string => renderMarkdown(heading);

/** All pages, from the folder with their files. */
export const manualPages = (folder: string): DocsPage[] =>
  MANUAL.map((name) => manualPage(name, readFileSync(join(folder, `${name}.md`), "utf8")));
