// The space that a page keeps for the rows of a calendar until its script has drawn them. Pages have no
// styles of their own (`Content-Security-Policy`), so that there is a class for each number of rows.

/** The most rows that space is kept for. */
const MAX_ROWS = 12;

/** The class that keeps space for a number of rows. */
export const rowsClass = (rows: number): string => `rows-${Math.min(MAX_ROWS, rows)}`;

/** The classes, for the style sheet, which multiplies `--rows` by the height of one. */
export const ROWS_CSS = Array.from(
  { length: MAX_ROWS },
  (_, at) => `.rows-${at + 1}{--rows:${at + 1}}`,
).join("");
