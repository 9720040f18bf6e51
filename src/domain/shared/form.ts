// Parses form-encoded fields into an object: `a=1`, `k[]=x`, repeated keys, `a[b]=x`, `k[][b]=x`.

/** Above what any client sends. */
const MAX_FIELDS = 2_000;
const MAX_NESTING = 16;

/**
 * Parses form fields into an object. `k[]=x` and repeated keys make lists, `a[b]=x` an object,
 * `k[][b]=x` a list of objects: a repeated name starts the next object. Null if there are too many
 * fields or levels.
 */
export function readForm(fields: URLSearchParams): Record<string, unknown> | null {
  if (fields.size > MAX_FIELDS) return null;
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of fields) {
    if (key.split("[").length > MAX_NESTING) return null;
    const path = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key);
    const names = path?.[2] ? [...path[2].matchAll(/\[([^[\]]*)\]/g)].map((m) => m[1] ?? "") : [];
    assign(object, [path?.[1] ?? key, ...names], value);
  }
  return { ...object };
}

function assign(object: Record<string, unknown>, path: readonly string[], value: string): void {
  const [name = "", next, ...rest] = path;
  if (name === "__proto__") return;
  const existing = object[name];
  if (next === undefined) {
    if (Array.isArray(existing)) existing.push(value);
    else object[name] = existing === undefined ? value : [existing, value];
  } else if (next === "") {
    const list = Array.isArray(existing) ? existing : [];
    object[name] = list;
    append(list, rest, value);
  } else {
    const isObject = typeof existing === "object" && existing !== null && !Array.isArray(existing);
    const inner = isObject ? (existing as Record<string, unknown>) : Object.create(null);
    object[name] = inner;
    assign(inner, [next, ...rest], value);
  }
}

/** Appends the value to a list, or sets it in its last object unless the name is taken there. */
function append(list: unknown[], path: readonly string[], value: string): void {
  const [name] = path;
  if (name === undefined) {
    list.push(value);
    return;
  }
  const last = list.at(-1);
  const open = typeof last === "object" && last !== null && !Object.hasOwn(last, name);
  const element = open ? (last as Record<string, unknown>) : Object.create(null);
  assign(element, path, value);
  if (!open) list.push(element);
}
