// Decodes what a sender wrote: by the charset that it declares, else as UTF-8, else as windows-1252
// (contract 7, Senders). Never produces replacement characters: two names that decoded to the same
// ones would become one alert. Pure; never throws.

/** The charset of bytes: that of a byte order mark, else the declared one; null if neither is. */
export function charsetOf(bytes: Uint8Array, contentType: string | null): string | null {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  const [, declared] =
    /;\s{0,16}charset\s{0,16}=\s{0,16}["']?([^\s"';]{1,64})/i.exec(contentType ?? "") ?? [];
  return declared?.toLowerCase() ?? null;
}

/**
 * Decodes by a charset. If it is null, unknown or wrong, only what is not UTF-8 is read as
 * windows-1252: a text that was cut within a character changes no other text beside it.
 */
export function decodeAs(bytes: Uint8Array, charset: string | null): string {
  try {
    return new TextDecoder(charset ?? "utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return decodeMixed(bytes);
  }
}

/** Sequences of bytes that are UTF-8, as characters up to U+00FF. */
const UTF8 = [
  "[\\xc2-\\xdf][\\x80-\\xbf]",
  "\\xe0[\\xa0-\\xbf][\\x80-\\xbf]",
  "[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}",
  "\\xed[\\x80-\\x9f][\\x80-\\xbf]",
  "\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}",
  "[\\xf1-\\xf3][\\x80-\\xbf]{3}",
  "\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}",
].join("|");
/** What differs from ISO-8859-1: UTF-8, and the characters that windows-1252 has in place of controls. */
const UTF8_OR_WINDOWS = new RegExp(`((?:${UTF8})+)|[\\x80-\\x9f]+`, "g");

function decodeMixed(bytes: Uint8Array): string {
  return binaryOf(bytes).replace(UTF8_OR_WINDOWS, (found, utf8: string | undefined) =>
    new TextDecoder(utf8 === undefined ? "windows-1252" : "utf-8").decode(bytesOf(found)),
  );
}

/** Bytes as a string with one character per byte. */
export const binaryOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

export const bytesOf = (binary: string): Uint8Array => Buffer.from(binary, "latin1");

/**
 * The pairs of a form or query, whose percent-encoded bytes are in the charset; blank ones are left
 * out.
 */
export function decodeForm(bytes: Uint8Array, charset: string | null): URLSearchParams {
  // In UTF-16, the separators have two bytes; what they separate is percent-encoded UTF-8.
  const isWide = charset?.startsWith("utf-16") ?? false;
  const binary = isWide ? decodeAs(bytes, charset) : binaryOf(bytes);
  const decode = (part: string) =>
    decodePercent(part.replaceAll("+", " "), isWide ? null : charset);
  const pairs = binary.split("&").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    if (pair === "") return [];
    return at < 0
      ? [[decode(pair), ""]]
      : [[decode(pair.slice(0, at)), decode(pair.slice(at + 1))]];
  });
  return new URLSearchParams(pairs);
}

/** Decodes percent-encoded bytes; what is not percent-encoded is a byte per character. */
export function decodePercent(text: string, charset: string | null = null): string {
  const binary = text.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const isPlain = binary === text && /^[ -~\s]*$/.test(text);
  return isPlain ? text : decodeAs(bytesOf(binary), charset);
}
