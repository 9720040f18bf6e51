// The components of an iCalendar text (RFC 5545, 3.1 and 3.6), of the kinds and properties that are
// read. In linear time and without recursion, whatever the text: it comes from strangers. What is
// not read, such as an alarm or an attachment, cannot be invalid either.

export type Property = {
  readonly name: string;
  /** By their names in lower case; quotation marks are removed. */
  readonly parameters: ReadonlyMap<string, string>;
  /** As written: a text has its escapes. */
  readonly value: string;
};

export type Component = {
  readonly name: string;
  readonly properties: readonly Property[];
  readonly components: readonly Component[];
};

/** The properties that Tocsin's feeds have of their own: the people on call, and their layer. */
export const PEOPLE_PROPERTY = "x-tocsin-on-call";
export const LAYER_PROPERTY = "x-tocsin-layer";

/** The components that are read in another one; `""` stands for the text. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  "": ["vcalendar"],
  vcalendar: ["vevent", "vtimezone"],
  vtimezone: ["standard", "daylight"],
};

/** Properties of times and dates: their values have no colon, but unquoted names of zones do. */
const TIMES: ReadonlySet<string> = new Set([
  ...["dtstart", "dtend", "exdate", "rdate", "recurrence-id"],
]);

const READ: ReadonlySet<string> = new Set([
  ...TIMES,
  ...["begin", "end", "uid", "sequence", "status", "transp", "x-microsoft-cdo-busystatus"],
  ...["duration", "rrule", "exrule", "summary", "description", "attendee", "organizer"],
  ...["tzid", "tzoffsetfrom", "tzoffsetto", "x-lic-location", "x-wr-timezone"],
  ...[PEOPLE_PROPERTY, LAYER_PROPERTY],
]);

/** The lines of a text with the folded ones joined. */
function* unfoldedLines(text: string): Generator<string> {
  let parts: string[] = [];
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.startsWith(" ") || line.startsWith("\t")) {
      parts.push(line.slice(1));
      continue;
    }
    if (parts.length > 0) yield parts.join("");
    parts = [line];
  }
  yield parts.join("");
}

/** The end of a parameter's values: quoted ones may contain anything. -1: a quote is not closed. */
function endOfParameter(line: string, from: number, lastColon: number): number {
  let at = from;
  while (at < line.length && line[at] !== ";" && (line[at] !== ":" || at < lastColon)) {
    const close = line[at] === '"' ? line.indexOf('"', at + 1) : at;
    if (close < 0) return -1;
    at = close + 1;
  }
  return at;
}

/** A line's property; null if it is not read, or not a property at all. */
function propertyOf(line: string): Property | null {
  const name = (/^[A-Za-z0-9-]{1,40}(?=[;:])/.exec(line)?.[0] ?? "").toLowerCase();
  if (!READ.has(name)) return null;
  const lastColon = TIMES.has(name) ? line.lastIndexOf(":") : -1;
  const parameters = new Map<string, string>();
  let at = name.length;
  while (line[at] === ";") {
    const equals = line.indexOf("=", at);
    const parameter = line.slice(at + 1, equals);
    if (equals < 0 || !/^[\w-]{1,40}$/.test(parameter)) return null;
    at = endOfParameter(line, equals + 1, lastColon);
    if (at < 0) return null;
    parameters.set(parameter.toLowerCase(), line.slice(equals + 1, at).replaceAll('"', ""));
  }
  return line[at] === ":" ? { name, parameters, value: line.slice(at + 1).trim() } : null;
}

type OpenComponent = Component & { properties: Property[]; components: Component[] };

const newComponent = (name: string): OpenComponent => ({ name, properties: [], components: [] });

/**
 * The calendars of a text.
 *
 * @returns null if a component is not ended where it should be: a part of the text is missing
 */
export function readCalendars(text: string): readonly Component[] | null {
  const stack = [newComponent("")];
  /** How many components that are not read are open. */
  let ignored = 0;
  for (const line of unfoldedLines(text)) {
    const property = propertyOf(line.replace(/^\uFEFF/, ""));
    const open = stack.at(-1);
    if (property === null || open === undefined) continue;
    const part = property.value.toLowerCase();
    if (property.name === "begin") {
      if (ignored > 0 || !PARTS[open.name]?.includes(part)) ignored += 1;
      else stack.push(newComponent(part));
    } else if (property.name === "end") {
      if (ignored > 0) ignored -= 1;
      else if (part !== open.name || stack.length === 1) return null;
      else stack[stack.length - 2]?.components.push(stack.pop() ?? open);
    } else if (ignored === 0) open.properties.push(property);
  }
  return stack.length === 1 && ignored === 0 ? (stack[0]?.components ?? []) : null;
}

/** The properties of a name. */
export const propertiesOf = ({ properties }: Component, name: string): readonly Property[] =>
  properties.filter((it) => it.name === name);

/** The first property of a name. */
export const firstOf = ({ properties }: Component, name: string): Property | undefined =>
  properties.find((it) => it.name === name);

const ESCAPED = /\\([\\;,nN])/g;

/** The text of the first property of a name, without escapes; of a longer one its beginning. */
export function textOf(component: Component, name: string, most = 1_000): string {
  const value = firstOf(component, name)?.value.slice(0, most) ?? "";
  return value.replace(ESCAPED, (_, sign: string) => (/n/i.test(sign) ? "\n" : sign)).trim();
}
