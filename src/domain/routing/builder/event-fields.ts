// The fields of recent requests, as paths for conditions, with a name and examples of each value. Pure.
import type { Scalar } from "./model.ts";
import type { EventField } from "./offers.ts";

const MAX_FIELDS = 80;
const MAX_DEPTH = 5;
const MAX_EXAMPLE = 40;
const MAX_EXAMPLES = 5;
/** Of every sender, and of no use in a condition. */
const IGNORED_HEADERS =
  /^(accept|cf-|connection|content-|host$|mf-|true-client|via$|x-forwarded|x-real-ip)/;

type Examples = Map<string, Set<Scalar>>;

/** The fields of requests, latest first, as `log.data.…` and `log.headers.…`; sorted by name, up to a limit. */
export function eventFields(
  requests: readonly Readonly<Record<string, unknown>>[],
): readonly EventField[] {
  const found: Examples = new Map();
  for (const { body, headers } of requests) {
    collect(body, "log.data", 0, found);
    if (typeof headers === "object" && headers !== null) {
      const own = Object.entries(headers).filter(([name]) => !IGNORED_HEADERS.test(name));
      collect(Object.fromEntries(own), "log.headers", 0, found);
    }
  }
  const named = Map.groupBy(found.keys(), nameOf);
  return [...found]
    .map(([path, examples]) => {
      const name = nameOf(path);
      const isAlone = named.get(name)?.length === 1;
      return { path, label: isAlone ? name : `${name} (${path})`, examples: [...examples] };
    })
    .sort((one, other) => (one.label < other.label ? -1 : 1));
}

const NAMED = [
  [/^log\.headers\.(.+)$/, "Header"],
  [/^log\.data\.(?:.*\.)?(?:common|group)?labels\.(.+)$/i, "Label"],
  [/^log\.data\.(?:.*\.)?(?:common)?annotations\.(.+)$/i, "Annotation"],
  [/^log\.data\.(.+)$/, "Field"],
] as const;

/** `log.data.commonLabels.severity` → "Label severity"; `log.data.check.name` → "Field check › name". */
function nameOf(path: string): string {
  for (const [pattern, kind] of NAMED) {
    const [, rest] = pattern.exec(path) ?? [];
    if (rest !== undefined)
      return `${kind} ${kind === "Field" ? rest.replaceAll(".", " › ") : rest}`;
  }
  return path;
}

function collect(value: unknown, path: string, depth: number, found: Examples): void {
  if (Array.isArray(value)) {
    // A condition enters lists by itself.
    for (const item of value.slice(0, 3)) collect(item, path, depth, found);
  } else if (typeof value === "object" && value !== null) {
    if (depth >= MAX_DEPTH) return;
    for (const [key, inner] of Object.entries(value)) {
      const isKey = key !== "" && !/^\.|\.\.|\.$/.test(key) && !key.startsWith("$");
      if (isKey && key.length <= 100) collect(inner, `${path}.${key}`, depth + 1, found);
    }
  } else if (depth > 0 && value !== undefined) {
    const examples = found.get(path) ?? new Set();
    if (examples.size >= MAX_EXAMPLES || (examples.size === 0 && found.size >= MAX_FIELDS)) return;
    const isText = typeof value === "string";
    found.set(path, examples.add(isText ? value.slice(0, MAX_EXAMPLE) : (value as Scalar)));
  }
}
