// HTML as text, for the pages at /docs.

export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

export const code = (text: string) => `<code>${escapeHtml(text)}</code>`;

/** Can be focused, since a long line scrolls; the pages' script adds a button that copies the text. */
export const block = (text: string, kind: "code" | "code picture" = "code") =>
  `<div class="${kind}"><pre tabindex="0"><code>${escapeHtml(text.replace(/\n$/, ""))}</code></pre></div>`;

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" },
};

/** The text of HTML, for the search. Elements within a line leave no space. */
export const textOf = (html: string): string =>
  html
    .replace(/<\/?(?:a|b|code|em|i|span|strong)(?: [^>]*)?>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&(?:lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, " ")
    .trim();
