// Readers for the fields of actions; each records its faults.
import { HOUR, SECOND } from "../../shared/time.ts";
import {
  allowKeys,
  entryOf,
  type Fault,
  fault,
  type Located,
  type LocatedMap,
  plain,
} from "../conditions/located.ts";
import { parseDuration } from "./duration.ts";
import { compileTemplate, MAX_OUTPUT, type Template } from "./template.ts";

/** Maximum duration in a rule. */
const MAX_DURATION = 30 * 24 * HOUR;

/** The value of a key; undefined if absent or null. */
export function fieldOf(map: LocatedMap, key: string): Located | undefined {
  const value = entryOf(map, key)?.value;
  return value?.kind === "scalar" && value.value === null ? undefined : value;
}

/** The items of a field that takes one value or a list; none if it is absent. */
export function itemsOf(node: Located | undefined): readonly Located[] {
  if (node === undefined) return [];
  return node.kind === "list" ? node.items : [node];
}

/** `ignore`, an action without fields. */
export function readIgnore(node: LocatedMap, faults: Fault[]): { readonly type: "ignore" } {
  allowKeys(node, ["type"], faults);
  return { type: "ignore" };
}

/**
 * A duration in ms, at least one second; also 0 if `options.zero`.
 *
 * @returns null if absent (a fault if `options.needed`) or invalid
 */
export function readDuration(
  map: LocatedMap,
  key: string,
  options: { readonly needed: boolean; readonly zero: boolean },
  faults: Fault[],
): number | null {
  const node = fieldOf(map, key);
  if (node === undefined) {
    if (options.needed) fault(faults, map, `needs ${key}, as in ${key}: 5m`);
    return null;
  }
  const ms = parseDuration(String(plain(node)));
  if (ms === null || node.kind !== "scalar") {
    fault(faults, node, `${key} must be a duration, as in 30s, 5m, 1.5h or 1 day`);
    return null;
  }
  if (ms === 0 && options.zero) return 0;
  if (ms >= SECOND && ms <= MAX_DURATION) return ms;
  fault(
    faults,
    node,
    `${key} must be between 1s and 30d; a number without a unit is milliseconds, write 5m`,
  );
  return null;
}

/** An optional flag; `absent` if it is not there. */
export function readFlag(map: LocatedMap, key: string, faults: Fault[], absent = false): boolean {
  const node = fieldOf(map, key);
  if (node === undefined) return absent;
  const value = plain(node);
  if (typeof value !== "boolean") fault(faults, node, `${key} must be true or false`);
  return value === true;
}

/** A text field of an action: literal, or a template. */
export function readText(node: Located, isTemplate: boolean, faults: Fault[]): Template | null {
  if (node.kind !== "scalar" || node.value === null) {
    fault(faults, node, "must be a text");
    return null;
  }
  const text = String(node.value);
  if (!isTemplate) return () => text.slice(0, MAX_OUTPUT);
  const result = compileTemplate(text);
  if (result.ok) return result.template;
  fault(faults, node, result.message);
  return null;
}
