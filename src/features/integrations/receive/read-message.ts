// Parses a message with what its sender got wrong: raw characters in headers, encoded words that
// split a character, a multipart without its boundary, a charset that is missing or wrong.
import PostalMime, { addressParser, decodeWords, type Email } from "postal-mime";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { binaryOf, bytesOf, charsetOf, decodeAs } from "../../../products/reading/decode-text.ts";

/** The maximum size of a message's headers, as the parser has it. */
const MAX_HEADERS = 2_097_152;
/** The maximum size of what is repaired: that takes several times its memory. */
const MAX_REPAIRED = 4_194_304;
/** The maximum size of the text that is read of a message that the parser refuses. */
const MAX_FIRST_TEXT = 262_144;

/** A message, and its header fields by lower-case name: unfolded, decoded, the first of each. */
export type InboundMail = {
  readonly email: Pick<Email, "from" | "text" | "html" | "attachments">;
  readonly headers: ReadonlyMap<string, string>;
};

/** Parses a message as it arrived. */
export async function readMessage(raw: Uint8Array): Promise<InboundMail> {
  const headers = readHeaders(raw);
  const whole = withBoundary(raw, headers.get("content-type") ?? "");
  try {
    const email = await PostalMime.parse(whole);
    return { email: { ...email, ...(await repairedText(whole, email)) }, headers };
  } catch (error) {
    // Nested too deeply, or with too long headers: sent again it would be refused again.
    logFault("a mail was read in part", error);
    return { email: await readInPart(raw, headers), headers };
  }
}

/** What can be read of a message that the parser refuses: its sender and its first text. */
async function readInPart(
  raw: Uint8Array,
  headers: InboundMail["headers"],
): Promise<InboundMail["email"]> {
  const [from] = addressParser(headers.get("from") ?? "", { flatten: true });
  const sender = from?.address === undefined ? {} : { from };
  return { ...sender, text: await firstText(binaryOf(raw)), attachments: [] };
}

/** The first part that is plain text, else what follows the first headers. */
async function firstText(message: string): Promise<string> {
  const at = /^content-type[ \t]*:\s*text\/plain\b/im.exec(message)?.index;
  const blank = /\r?\n\r?\n/g;
  blank.lastIndex = at ?? 0;
  const start = blank.exec(message) === null ? message.length : blank.lastIndex;
  const [body = ""] = message.slice(start, start + MAX_FIRST_TEXT).split(/\r?\n--/, 1);
  if (at === undefined) return decodeAs(bytesOf(body), null);
  // A part's fields follow its delimiter.
  const fields = message
    .slice(Math.max(0, message.lastIndexOf("\n--", at)), start)
    .replace(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/)
    .filter((line) => /^content-(?:type|transfer-encoding)[ \t]*:/i.test(line));
  const { text } = await PostalMime.parse(bytesOf(`${fields.join("\r\n")}\r\n\r\n${body}`));
  return text ?? "";
}

function readHeaders(raw: Uint8Array): ReadonlyMap<string, string> {
  const [head = ""] = binaryOf(raw.subarray(0, MAX_HEADERS)).split(/\r?\n\r?\n/, 1);
  const fields = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const [, name = "", value = ""] = /^([!-9;-~]{1,100})[ \t]*:(.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    if (name !== "" && !fields.has(key)) fields.set(key, value.trim());
  }
  // Raw characters are mostly in the charset of the body.
  const charset = charsetOf(new Uint8Array(), fields.get("content-type") ?? null);
  const decode = (value: string) => decodeEncodedWords(decodeAs(bytesOf(value), charset));
  return new Map([...fields].map(([name, value]) => [name, decode(value)]));
}

const WORD = "=\\?([^?\\s]{1,100})\\?([QqBb])\\?([^?]*)\\?=";
/** An encoded word, and the blanks before the next one, which are not part of the text. */
const ENCODED_WORDS = new RegExp(`${WORD}(?:\\s+(?=${WORD}))?`, "g");

/** Decodes RFC 2047's words. Adjacent ones of a charset are decoded together: some split a character. */
function decodeEncodedWords(text: string): string {
  let decoded = "";
  let at = 0;
  let run: { readonly charset: string; bytes: string } | null = null;
  const endRun = () => {
    if (run !== null) decoded += decodeRun(run);
    run = null;
  };
  for (const match of text.matchAll(ENCODED_WORDS)) {
    const [whole, charset = "", encoding = "", content = ""] = match;
    const between = text.slice(at, match.index);
    if (between !== "" || run?.charset !== charset.toLowerCase()) endRun();
    decoded += between;
    run ??= { charset: charset.toLowerCase(), bytes: "" };
    run.bytes += bytesOfWord(encoding, content);
    at = match.index + whole.length;
  }
  endRun();
  return decoded + text.slice(at);
}

const bytesOfWord = (encoding: string, content: string): string =>
  encoding.toUpperCase() === "B"
    ? binaryOf(Buffer.from(content, "base64"))
    : content
        .replaceAll("_", " ")
        .replace(/=([0-9a-f]{2})/gi, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );

function decodeRun({ charset, bytes }: { readonly charset: string; readonly bytes: string }) {
  const base64 = Buffer.from(bytes, "latin1").toString("base64");
  const text = decodeWords(`=?${charset}?B?${base64}?=`);
  return text.includes("\ufffd") ? decodeAs(bytesOf(bytes), null) : text;
}

/** The message with the boundary of a multipart that does not name it; its first delimiter does. */
function withBoundary(raw: Uint8Array, contentType: string): Uint8Array {
  const [type] = /^multipart\/[\w-]+/i.exec(contentType) ?? [];
  if (type === undefined || /;\s*boundary\s*=/i.test(contentType)) return raw;
  const body = binaryOf(raw.subarray(0, MAX_REPAIRED))
    .split(/\r?\n\r?\n/)
    .slice(1)
    .join("\n\n");
  const [, boundary] =
    /^--([^\s"-][^\s"]{0,69}|-{1,60}[^\s"-][^\s"]{0,60})[ \t]*$/m.exec(body) ?? [];
  const named = boundary === undefined ? "text/plain" : `${type}; boundary="${boundary}"`;
  // Of two fields of a name, the first counts.
  return Buffer.concat([Buffer.from(`Content-Type: ${named}\r\n`, "latin1"), raw]);
}

/** The texts of a message whose charset is missing, or is not the UTF-8 that it declares. */
async function repairedText(raw: Uint8Array, email: Email): Promise<Pick<Email, "text" | "html">> {
  const isWhole = !`${email.text ?? ""}${email.html ?? ""}`.includes("\ufffd");
  if (isWhole || raw.length > MAX_REPAIRED) return {};
  const declaresOther = /charset\s*=\s*["']?(?!utf-?8|us-ascii)\w/i.test(binaryOf(raw));
  if (declaresOther) return {};
  const { text, html } = await PostalMime.parse(decodeAs(raw, null));
  return { ...(text !== undefined && { text }), ...(html !== undefined && { html }) };
}
