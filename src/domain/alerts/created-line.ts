// The first line of an alert's timeline, which says what created it. What is stored of an alert with that line has no other
// copy of the name.
import type { AlertSource } from "./alert.ts";

const PREFIXES: Readonly<Record<AlertSource["type"], string>> = {
  Integration: "Created by integration ",
  AccountUser: "Created by ",
};

/** The line. */
export const createdLine = ({ type, name }: Pick<AlertSource, "type" | "name">): string =>
  `${PREFIXES[type]}${name}`;

/** The name in such a line; null if it is another one. */
export function creatorIn(line: string | null, type: AlertSource["type"]): string | null {
  const prefix = PREFIXES[type];
  return line?.startsWith(prefix) ? line.slice(prefix.length) : null;
}
