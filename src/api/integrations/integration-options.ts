// An integration's options: what its type declares of the `option_*` parameters, checked, kept and shown.
// A secret is kept as its SHA-256, but for those that sign or are sent: a hash can do neither. Those are kept as they
// are, like the intake key beside them, which lets whoever has it do the same. Nothing here may show or log one.
import { createHash } from "node:crypto";
import type { FieldError } from "../../domain/shared/refusal.ts";
import { optionFaults, optionsOf } from "../../integrations/common-options.ts";
import type { IntegrationType, OptionDescription } from "../../integrations/integration-type.ts";

/** What stands for a secret that is set; sent back, it changes nothing. */
const MASK = "***";

const LONGEST = 4096;

/** Secrets that no option declares: what a rotation left valid for a while (`integration-rotation.ts`). */
const OVERLAPS = ["previous_token", "previous_intake_key"] as const;

/** As the table has them: options by key, and secrets' hashes by `<key>_sha256`. */
export type KeptOptions = {
  readonly options: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
};

type Value = string | number | boolean;
type Read = { readonly value: Value | null } | { readonly fault: string };

/** Whether the option's value is kept, not its hash. */
const isNeeded = (type: IntegrationType, { key }: OptionDescription) =>
  type.outgoing === undefined ? type.authentication?.signature?.option === key : key !== "token";

const secretKey = (type: IntegrationType, option: OptionDescription) =>
  isNeeded(type, option) ? option.key : `${option.key}_sha256`;

/**
 * The options after a write: what the type does not declare is dropped, what is not given stays, null and ""
 * clear. `errors` names every parameter at fault.
 */
export function mergeOptions(
  type: IntegrationType,
  held: KeptOptions,
  given: Readonly<Record<string, unknown>>,
): KeptOptions & { readonly errors: readonly FieldError[] } {
  const options: Record<string, unknown> = {};
  const secrets: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const option of optionsOf(type)) {
    const isSecret = option.type === "secret";
    const key = isSecret ? secretKey(type, option) : option.key;
    const kept = (isSecret ? held.secrets : held.options)[key] ?? null;
    const read = Object.hasOwn(given, option.key) ? readOption(option, given[option.key]) : null;
    if (read && "fault" in read) {
      errors.push(fault(option, read.fault));
      continue;
    }
    const isMasked = isSecret || option.adminsOnly === true;
    const isKept = read === null || (isMasked && read.value === MASK);
    const hashed = isSecret && !isNeeded(type, option);
    const value = isKept ? kept : hashed ? hashOf(read.value) : read.value;
    if (value === null && option.required) errors.push(fault(option, "can't be blank"));
    if (value !== null) (isSecret ? secrets : options)[key] = value;
  }
  for (const key of OVERLAPS) {
    // A token that is set by hand is the only one from then on.
    const isOver = key === "previous_token" && secrets.token_sha256 !== held.secrets.token_sha256;
    if (held.secrets[key] !== undefined && !isOver) secrets[key] = held.secrets[key];
  }
  return { options, secrets, errors: [...errors, ...optionFaults(type, options)] };
}

/**
 * Every option as the record shows it: its value, its default, or, for a secret that is set, the mask.
 *
 * @param toAdmin false: options that only admins see are masked too
 */
export function showOptions(
  type: IntegrationType,
  kept: KeptOptions,
  toAdmin: boolean,
): Record<string, unknown> {
  return Object.fromEntries(
    optionsOf(type).map((option) => {
      const isSecret = option.type === "secret";
      const held = isSecret ? kept.secrets[secretKey(type, option)] : kept.options[option.key];
      const isMasked = isSecret || (option.adminsOnly === true && !toAdmin);
      if (!isMasked) return [option.key, held ?? option.default];
      return [option.key, held == null ? null : MASK];
    }),
  );
}

function hashOf(secret: Value | null): string | null {
  return secret === null ? null : createHash("sha256").update(String(secret)).digest("hex");
}

function fault(option: OptionDescription, message: string): FieldError {
  const field = `option_${option.key}`;
  return { field, message: `${field} ${message}` };
}

function readOption(option: OptionDescription, given: unknown): Read {
  if (given === null || given === undefined || given === "") return { value: null };
  switch (option.type) {
    case "boolean":
      if (given === true || given === "true" || given === 1 || given === "1")
        return { value: true };
      if (given === false || given === "false" || given === 0 || given === "0") {
        return { value: false };
      }
      return { fault: "must be true or false" };
    case "integer": {
      const value = typeof given === "string" ? Number(given) : given;
      return Number.isSafeInteger(value)
        ? { value: value as number }
        : { fault: "must be a whole number" };
    }
    case "string":
    case "secret": {
      if (typeof given !== "string" && typeof given !== "number") {
        return { fault: "must be a string" };
      }
      const value = String(given);
      return value.length > LONGEST
        ? { fault: `is too long (maximum is ${LONGEST} characters)` }
        : { value };
    }
  }
}
