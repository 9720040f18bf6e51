// Form-encoded fields as an object, as clients write them: `a=1`, `k[]=x`, repeated keys, `a[b]=x`, `k[][b]=x`.

/** More than any caller means. */
const MAX_FIELDS = 2_000;
const MAX_NESTING = 16;

/**
 * Form fields as an object: `k[]=x` and repeated keys make lists, `a[b]=x` makes an object, `k[][b]=x` a list of
 * objects, the next one beginning where a name comes again. Null for more fields, or deeper ones, than a form can
 * mean.
 */
export function readForm(fields: URLSearchParams): Record<string, unknown> | null {
  if (fields.size > MAX_FIELDS) return null;
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of fields) {
    if (key.split("[").length > MAX_NESTING) return null;
    const path = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key);
    const names = path?.[2] ? [...path[2].matchAll(/\[([^[\]]*)\]/g)].map((m) => m[1] ?? "") : [];
    place(object, [path?.[1] ?? key, ...names], value);
  }
  return { ...object };
}

function place(object: Record<string, unknown>, path: readonly string[], value: string): void {
  const [name = "", next, ...rest] = path;
  if (name === "__proto__") return;
  const held = object[name];
  if (next === undefined) {
    if (Array.isArray(held)) held.push(value);
    else object[name] = held === undefined ? value : [held, value];
  } else if (next === "") {
    const list = Array.isArray(held) ? held : [];
    object[name] = list;
    append(list, rest, value);
  } else {
    const isObject = typeof held === "object" && held !== null && !Array.isArray(held);
    const inner = isObject ? (held as Record<string, unknown>) : Object.create(null);
    object[name] = inner;
    place(inner, [next, ...rest], value);
  }
}

/** Puts the value at a list's end, or, below a name, into its last object unless that has the name already. */
function append(list: unknown[], path: readonly string[], value: string): void {
  const [name] = path;
  if (name === undefined) {
    list.push(value);
    return;
  }
  const last = list.at(-1);
  const open = typeof last === "object" && last !== null && !Object.hasOwn(last, name);
  const element = open ? (last as Record<string, unknown>) : Object.create(null);
  place(element, path, value);
  if (!open) list.push(element);
}
