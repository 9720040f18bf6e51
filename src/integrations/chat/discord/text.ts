// Discord's text: it is Markdown; mentions notify nobody, since every message says so.

/** Escapes text from others, so that it is shown as it is. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_~|>#[\]()<:@-]/g, "\\$&");

/** The same for what is said to a person, but for the links in it. */
export const escapeAroundLinks = (text: string): string =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, i) => (i % 2 === 1 ? part : escapeMarkdown(part)))
    .join("");

/** An instant as each reader's Discord shows it. */
export const timeText = (at: number): string => `<t:${Math.floor(at / 1000)}:t>`;
