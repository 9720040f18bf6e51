// Teams' text: facts of cards are Markdown; messages can be plain.

/** Escapes text from others. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_[\]()#+\-!<>~]/g, "\\$&");
