// Tables as CSV (RFC 4180), safe for spreadsheets: text that people wrote cannot start a formula, also
// not after a separator at which some of them split a cell, nor after white space that they ignore.

const FORMULA = /(?<=(?:^|[;,|\t\r\n])[\s\u200b\ufeff]*)[=+\-@＝＋－＠]/gu;

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = value.replace(FORMULA, "'$&");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats a header and its rows. */
export const csvOf = (
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string => [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
