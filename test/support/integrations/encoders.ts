// Encodes texts in the charsets of old senders, from the tables of the platform's decoders.

/** The bytes of each character of a charset, by its decoder. */
function tableOf(charset: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(charset);
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const text = decoder.decode(new Uint8Array(bytes));
    const isOne = [...text].length === 1 && text !== "\ufffd";
    if (isOne && !table.has(text)) table.set(text, bytes);
  };
  for (let first = 0; first < 256; first += 1) add(first);
  if (charset !== "shift_jis") return table;
  for (let lead = 0x81; lead <= 0xfc; lead += 1) {
    for (let trail = 0x40; trail <= 0xfc; trail += 1) add(lead, trail);
  }
  return table;
}

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The bytes of a text in a charset. Throws for a character that the charset does not have. */
export function encode(text: string, charset: string): Uint8Array {
  if (charset === "utf-8") return new TextEncoder().encode(text);
  if (charset === "utf-16le") return new Uint8Array(Buffer.from(text, "utf16le"));
  const table = tables.get(charset) ?? tableOf(charset);
  tables.set(charset, table);
  return new Uint8Array(
    [...text].flatMap((one) => {
      const bytes = table.get(one);
      if (bytes === undefined) throw new Error(`${charset} has no ${one}`);
      return bytes;
    }),
  );
}
