// A mail as it arrives: encoded as a mail service does, and parsed by an independent library.
import PostalMime, { type Email } from "postal-mime";

type Sent = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
};

const base64 = (text: string) =>
  Buffer.from(text, "utf8")
    .toString("base64")
    .replace(/.{1,76}/g, "$&\r\n");

/** One encoded word per thirty characters, since header lines have a maximum length. */
const encoded = (text: string) =>
  (text.match(/[\s\S]{1,30}/gu) ?? [])
    .map((part) => `=?utf-8?B?${Buffer.from(part, "utf8").toString("base64")}?=`)
    .join("\r\n ");

/** Encodes a mail and parses it as the recipient's mail program does. */
export function parseReceivedMail({ to, subject, text, html, headers }: Sent): Promise<Email> {
  const part = (type: string, content: string) =>
    `--part\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(content)}`;
  const lines = [
    "From: Tocsin <tocsin@example.com>",
    `To: ${to}`,
    `Subject: ${encoded(subject)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "MIME-Version: 1.0",
    'Content-Type: multipart/alternative; boundary="part"',
    "",
    `${part("text/plain", text)}${part("text/html", html)}--part--`,
    "",
  ];
  return PostalMime.parse(lines.join("\r\n"));
}

/** The action links in a text. */
export const linksIn = (text: string): string[] =>
  [...text.matchAll(/https:\/\/tocsin\.test\/a\/[\w.-]+/g)].map(([link]) => link);

/** The path of the link in a mail about access. */
export const accessPageIn = (text: string): string =>
  /https:\/\/tocsin\.test(\/(?:verify|forgotten|sign-in\/link)\/[\w.-]+)/.exec(text)?.[1] ?? "";
