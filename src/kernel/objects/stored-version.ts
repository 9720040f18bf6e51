// The version of a stored value's format. A value without one is of version 1: what was stored before
// versions were written, and every value whose format has not changed since. Older code may meet a
// newer value only if a deployment was taken back by more than one version: it must not misread it.
import { versionOf } from "../../domain/shared/message-versions.ts";

/** The format of a stored alert: increased only if the code before would misread it. */
export const ALERT_VERSION = 1;

/** The value with its version, as stored. An older version ignores the attribute. */
export const withVersion = <Value extends object>(
  value: Value,
  version: number,
): Value & { readonly v: number } => ({ ...value, v: version });

/**
 * Throws if newer code has stored the value in a format that this code does not know. The object's
 * callers and its alarm try again, until the newer code runs again; nothing is overwritten.
 *
 * @param newest the newest version that this code reads
 */
export function assertReadable<Value extends object>(
  stored: Value,
  newest: number,
  key: string,
): Value {
  const version = versionOf(stored);
  if (version !== null && version <= newest) return stored;
  throw new Error(`${key} is stored in format ${version}, of a newer version`);
}
