// Extracts the text fields of a multipart/form-data body (RFC 7578). Files are skipped. Pure; never
// throws; malformed parts are skipped.

import { binaryOf, bytesOf, charsetOf, decodeAs } from "./decode-text.ts";

/** Limit on parts, above what any sender's form has. */
const MAX_PARTS = 200;

/**
 * The text fields as name and value, in order; null if the content type has no boundary or there is
 * no text field.
 */
export function multipartFields(
  bytes: Uint8Array,
  contentType: string,
  charset: string | null,
): [string, string][] | null {
  const [, quoted, bare] =
    /;\s{0,16}boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return null;
  const parts = `\r\n${binaryOf(bytes)}`.split(`\r\n--${boundary}`, MAX_PARTS + 2).slice(1);
  const fields = parts.flatMap((part) => fieldOf(part, charset));
  return fields.length === 0 ? null : fields;
}

/**
 * The field of the part after a delimiter; empty for the closing delimiter, a file, or a part
 * without a name.
 */
function fieldOf(part: string, charset: string | null): [string, string][] {
  const end = part.indexOf("\r\n\r\n");
  if (end < 0 || part.startsWith("--")) return [];
  const lines = part.slice(0, end).split("\r\n");
  const disposition = lines.find((line) => /^content-disposition:/i.test(line)) ?? "";
  const [, name] = /;\s{0,16}name="([^"]{1,256})"/i.exec(disposition) ?? [];
  if (name === undefined || /;\s{0,16}filename\*?=/i.test(disposition)) return [];
  const type = lines.find((line) => /^content-type:/i.test(line)) ?? null;
  const value = bytesOf(part.slice(end + 4));
  const declared = charsetOf(value, type) ?? charset;
  return [[decodeAs(bytesOf(name), declared), decodeAs(value, declared)]];
}
