// The content of a mail, and its rendering as text. `mail-html.tsx` renders the same content as HTML.

export type MailTone = "urgent" | "high" | "calm";

export type MailItem = {
  readonly title: string;
  readonly detail: string;
  readonly url: string | null;
};

export type Mail = {
  /** One line. */
  readonly subject: string;
  /** The preview text that mail programs show after the subject. */
  readonly preview: string;
  /** A word or two above the heading, on the colour of `tone`. */
  readonly badge: string;
  readonly tone: MailTone;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** A text from outside, shown unchanged. */
  readonly quoted: string | null;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly items: readonly MailItem[];
  readonly buttons: readonly { readonly label: string; readonly url: string }[];
  /** Why the recipient gets it. */
  readonly footer: readonly string[];
};

/** On one line, without control characters or lone surrogates, cut to `maxLength` characters. */
export function oneLine(text: string, maxLength: number): string {
  return cut(
    text
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
    maxLength,
  );
}

/** Cuts to `maxLength` characters, with "…" as the last; never splits a surrogate pair. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "");
  return `${start}…`;
}

/** Formats an instant (epoch ms) in UTC, to the minute. */
export function formatMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Renders a mail as plain text. */
export function mailText(mail: Mail): string {
  const facts = mail.facts.map(([label, value]) => `${label}: ${value}`);
  const items = mail.items.map(({ title, detail, url }) =>
    [`- ${title}`, `  ${detail}`, ...(url === null ? [] : [`  ${url}`])].join("\n"),
  );
  const buttons = mail.buttons.map(({ label, url }) => `${label}:\n${url}`);
  const parts = [
    mail.heading,
    ...mail.paragraphs,
    mail.quoted ?? "",
    items.join("\n"),
    facts.join("\n"),
    ...buttons,
    mail.footer.length === 0 ? "" : `--\n${mail.footer.join("\n")}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
