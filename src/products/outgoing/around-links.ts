// Text for people in chats, whose links stay links.

/** Escapes a text but for the links in it. */
export const escapeAround = (text: string, escapePart: (part: string) => string): string =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, i) => (i % 2 === 1 ? part : escapePart(part)))
    .join("");
