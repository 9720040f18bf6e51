// The content of a mail, and its rendering as text and as HTML. Both have the same content,
// whatever the mail program shows.
import { html } from "hono/html";

export type Tone = "urgent" | "high" | "calm";

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
  readonly tone: Tone;
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

const GROUND: Record<Tone, string> = { urgent: "#a01c1c", high: "#9a4a00", calm: "#3c4660" };

/** For mail programs with dark mode; the others use the colours on the elements. */
const DARK = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #14161b !important; } .sheet { background: #1e2128 !important; border-color: #383d49 !important; }
  .ink { color: #eceef3 !important; } .soft { color: #a9b0c0 !important; } .link { color: #9db8ff !important; }
  .quoted { border-color: #4b5263 !important; }
}`;

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TEXT = `${FONT};font-size:16px;line-height:1.5;color:#1c1f26;margin:0 0 12px`;
const SOFT = `${FONT};font-size:14px;line-height:1.5;color:#565c6b`;

const button = ({ label, url }: Mail["buttons"][number]) =>
  html`<p style="margin:16px 0 12px"><a href="${url}" style="${FONT};display:inline-block;padding:13px 22px;background:#2b4fa8;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none;border-radius:8px">${label}</a></p>`;

const item = ({ title, detail, url }: MailItem) => html`<li style="margin:0 0 10px">
${
  url === null
    ? html`<strong>${title}</strong>`
    : html`<a class="link" href="${url}" style="color:#2b4fa8;font-weight:600">${title}</a>`
}<br><span class="soft" style="${SOFT}">${detail}</span></li>`;

const fact = ([label, value]: Mail["facts"][number]) => html`<tr>
<th scope="row" class="soft" style="${SOFT};text-align:left;font-weight:400;padding:1px 14px 1px 0;vertical-align:top;white-space:nowrap">${label}</th>
<td class="ink" style="${FONT};font-size:15px;line-height:1.5;color:#1c1f26;padding:1px 0;overflow-wrap:anywhere">${value}</td></tr>`;

const renderSome = <Part>(parts: readonly Part[], render: (parts: readonly Part[]) => unknown) =>
  parts.length === 0 ? null : render(parts);

/** Renders a mail as an HTML document without external resources; every value is escaped. */
export async function mailHtml(mail: Mail): Promise<string> {
  const quoted =
    mail.quoted === null
      ? null
      : html`<div class="quoted ink" style="${TEXT};white-space:pre-wrap;border-left:3px solid #c9cdd6;padding:2px 0 2px 14px;overflow-wrap:anywhere">${mail.quoted}</div>`;
  const document = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${mail.subject}</title>
<style>${DARK}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f4f5f7">
<div style="display:none;max-height:0;overflow:hidden">${mail.preview}</div>
<div class="ground" style="background:#f4f5f7;padding:20px 12px">
<div class="sheet" style="max-width:560px;margin:0 auto;background:#ffffff;border:1px solid #d6d9e0;border-radius:10px;padding:22px 22px 12px">
<p style="margin:0 0 12px"><span style="${FONT};display:inline-block;background:${GROUND[mail.tone]};color:#ffffff;font-size:13px;font-weight:700;padding:3px 10px;border-radius:6px">${mail.badge}</span></p>
<h1 class="ink" style="${FONT};font-size:21px;line-height:1.3;color:#1c1f26;margin:0 0 12px;overflow-wrap:anywhere">${mail.heading}</h1>
${mail.paragraphs.map((it) => html`<p class="ink" style="${TEXT}">${it}</p>\n`)}${quoted}
${renderSome(mail.items, (it) => html`<ul class="ink" style="${TEXT};padding-left:20px">${it.map(item)}</ul>`)}
${renderSome(mail.facts, (it) => html`<table role="presentation" style="border-collapse:collapse;margin:0 0 8px">${it.map(fact)}</table>`)}
${mail.buttons.map(button)}
</div>
<div style="max-width:560px;margin:12px auto 0;padding:0 22px">${mail.footer.map(
    (it) => html`<p class="soft" style="${SOFT};margin:0 0 6px">${it}</p>`,
  )}</div>
</div>
</body>
</html>
`;
  return String(document);
}
