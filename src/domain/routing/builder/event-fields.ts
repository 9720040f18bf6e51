// The fields of recent requests, as paths for conditions, with an example of each value. Pure.
import type { Scalar } from "./model.ts";
import type { EventField } from "./offers.ts";

const MAX_FIELDS = 80;
const MAX_DEPTH = 5;
const MAX_EXAMPLE = 40;
/** Of every sender, and of no use in a condition. */
const IGNORED_HEADERS =
  /^(accept|cf-|connection|content-|host$|mf-|true-client|via$|x-forwarded|x-real-ip)/;

/** The fields of requests as `log.data.…` and `log.headers.…`, sorted, up to a limit. */
export function eventFields(
  requests: readonly Readonly<Record<string, unknown>>[],
): readonly EventField[] {
  const found = new Map<string, Scalar>();
  for (const { body, headers } of requests) {
    collect(body, "log.data", 0, found);
    if (typeof headers === "object" && headers !== null) {
      const own = Object.entries(headers).filter(([name]) => !IGNORED_HEADERS.test(name));
      collect(Object.fromEntries(own), "log.headers", 0, found);
    }
  }
  return [...found]
    .map(([path, example]) => ({ path, example }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

function collect(value: unknown, path: string, depth: number, found: Map<string, Scalar>): void {
  if (found.size >= MAX_FIELDS) return;
  if (Array.isArray(value)) {
    // A condition enters lists by itself.
    for (const item of value.slice(0, 3)) collect(item, path, depth, found);
  } else if (typeof value === "object" && value !== null) {
    if (depth >= MAX_DEPTH) return;
    for (const [key, inner] of Object.entries(value)) {
      const isKey = key !== "" && !/^\.|\.\.|\.$/.test(key) && !key.startsWith("$");
      if (isKey && key.length <= 100) collect(inner, `${path}.${key}`, depth + 1, found);
    }
  } else if (depth > 0 && value !== undefined && !found.has(path)) {
    const isText = typeof value === "string";
    found.set(path, isText ? value.slice(0, MAX_EXAMPLE) : (value as Scalar));
  }
}
