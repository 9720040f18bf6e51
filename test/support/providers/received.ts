// A mail as it arrives: put together as a mail service would, and read by a library that knows nothing of us.
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

/** An encoded word per thirty characters: a line of a header has no room for more. */
const encoded = (text: string) =>
  (text.match(/[\s\S]{1,30}/gu) ?? [])
    .map((part) => `=?utf-8?B?${Buffer.from(part, "utf8").toString("base64")}?=`)
    .join("\r\n ");

/** The mail as its recipient's mail program reads it. */
export function received({ to, subject, text, html, headers }: Sent): Promise<Email> {
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

/** The addresses below ours that a text has. */
export const linksIn = (text: string): string[] =>
  [...text.matchAll(/https:\/\/tocsin\.test\/a\/[\w.-]+/g)].map(([link]) => link);

/** The page that a mail about access leads to, as a path of ours. */
export const accessPageIn = (text: string): string =>
  /https:\/\/tocsin\.test(\/(?:verify|forgotten|sign-in\/link)\/[\w.-]+)/.exec(text)?.[1] ?? "";
