// Markdown as HTML: the pages of the manual, and the descriptions of the API.
import { Marked, type Tokens } from "marked";
import { block, escapeHtml } from "./html.ts";

/** The anchor of a heading, as GitHub makes it: `## Two commands` → `two-commands`. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

/**
 * A link between files of the manual leads to their pages: `backup.md#restoring`, also from the runbook, →
 * `/docs/backup#restoring`; one to a file of the runbook → `/docs/runbook/restore`.
 */
const pageLink = (href: string): string =>
  href.replace(
    /^(?:\.\.\/(manual|runbook)\/)?([\w-]+)\.md(?=#|$)/,
    (_, folder, name) => `/docs/${folder === "runbook" ? "runbook/" : ""}${name}`,
  );

const marked = new Marked({
  renderer: {
    // There is no HTML in the texts: `<key>` is what somebody fills in.
    html: ({ text }) => escapeHtml(text),
    // The picture of the way of the data: wider than the text.
    code: ({ text, lang }) => block(text, lang === "text" ? "code picture" : "code"),
    heading({ tokens, text, depth }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(pageLink(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    // On a narrow screen each row is a block, whose cells have the headings of their columns.
    table({ header, rows }) {
      const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
      const head = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join("");
      const body = rows.map(
        (cells) =>
          `<tr>${cells
            .map(
              (cell, i) =>
                `<td data-label="${escapeHtml(header[i]?.text ?? "")}">${inline(cell)}</td>`,
            )
            .join("")}</tr>`,
      );
      return `<table class="of-${header.length}"><thead><tr>${head}</tr></thead><tbody>\n${body.join("\n")}\n</tbody></table>\n`;
    },
  },
});

export const renderMarkdown = (text: string): string => marked.parse(text, { async: false });

/** One paragraph or less, without an element around it. */
export const renderInline = (text: string): string => marked.parseInline(text, { async: false });
