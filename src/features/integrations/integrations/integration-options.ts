// An integration's options: the `option_*` parameters that its type declares, validated, stored and
// shown. Secrets are stored as SHA-256 hashes. Secrets that sign requests or are sent with them are
// needed in clear and stored as they are, like the intake key, which grants the same access.
// Nothing here may show or log a secret.
import { createHash } from "node:crypto";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { optionFaults, optionsOf } from "../../../products/common-options.ts";
import type { IntegrationType, OptionDescription } from "../../../products/integration-type.ts";

/**
 * Shown in place of a secret that is set; a parameter with this value leaves the secret unchanged.
 */
const MASK = "***";

const LONGEST = 4096;

/**
 * Secrets that no option declares: those a rotation left valid for a time
 * (`rotate-integration-credential.ts`).
 */
const OVERLAPS = ["previous_token", "previous_intake_key"] as const;

/** The stored form: options by key, and hashes of secrets by `<key>_sha256`. */
export type StoredOptions = {
  readonly options: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
};

type Value = string | number | boolean;
type Read = { readonly value: Value | null } | { readonly fault: string };

/** Whether the secret itself is stored, not its hash. */
const isNeeded = (type: IntegrationType, { key }: OptionDescription) =>
  type.outgoing === undefined ? type.authentication?.signature?.option === key : key !== "token";

const secretKey = (type: IntegrationType, option: OptionDescription) =>
  isNeeded(type, option) ? option.key : `${option.key}_sha256`;

/**
 * Merges the parameters into the stored options. Drops options that the type does not declare;
 * omitted options stay unchanged; null and "" clear one. `errors` names every invalid parameter.
 */
export function mergeOptions(
  type: IntegrationType,
  stored: StoredOptions,
  sent: Readonly<Record<string, unknown>>,
): StoredOptions & { readonly errors: readonly FieldError[] } {
  const options: Record<string, unknown> = {};
  const secrets: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const option of optionsOf(type)) {
    const isSecret = option.type === "secret";
    const key = isSecret ? secretKey(type, option) : option.key;
    const previous = (isSecret ? stored.secrets : stored.options)[key] ?? null;
    const read = Object.hasOwn(sent, option.key) ? readOption(option, sent[option.key]) : null;
    if (read && "fault" in read) {
      errors.push(fault(option, read.fault));
      continue;
    }
    const isMasked = isSecret || option.adminsOnly === true;
    const isUnchanged = read === null || (isMasked && read.value === MASK);
    const hashed = isSecret && !isNeeded(type, option);
    const value = isUnchanged ? previous : hashed ? hashOf(read.value) : read.value;
    if (value === null && option.required) errors.push(fault(option, "can't be blank"));
    if (value !== null) (isSecret ? secrets : options)[key] = value;
  }
  for (const key of OVERLAPS) {
    // Setting a token invalidates the one before it.
    const isOver = key === "previous_token" && secrets.token_sha256 !== stored.secrets.token_sha256;
    if (stored.secrets[key] !== undefined && !isOver) secrets[key] = stored.secrets[key];
  }
  return { options, secrets, errors: [...errors, ...optionFaults(type, options)] };
}

/**
 * Every option in the format of the record: its value or default, or the mask for a secret that is
 * set.
 *
 * @param toAdmin false: masks options that only admins may see, too
 */
export function showOptions(
  type: IntegrationType,
  stored: StoredOptions,
  toAdmin: boolean,
): Record<string, unknown> {
  return Object.fromEntries(
    optionsOf(type).map((option) => {
      const isSecret = option.type === "secret";
      const value = isSecret ? stored.secrets[secretKey(type, option)] : stored.options[option.key];
      const isMasked = isSecret || (option.adminsOnly === true && !toAdmin);
      if (!isMasked) return [option.key, value ?? option.default];
      return [option.key, value == null ? null : MASK];
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

function readOption(option: OptionDescription, sent: unknown): Read {
  if (sent === null || sent === undefined || sent === "") return { value: null };
  switch (option.type) {
    case "boolean":
      if (sent === true || sent === "true" || sent === 1 || sent === "1") return { value: true };
      if (sent === false || sent === "false" || sent === 0 || sent === "0") {
        return { value: false };
      }
      return { fault: "must be true or false" };
    case "integer": {
      const value = typeof sent === "string" ? Number(sent) : sent;
      return Number.isSafeInteger(value)
        ? { value: value as number }
        : { fault: "must be a whole number" };
    }
    case "string":
    case "secret": {
      if (typeof sent !== "string" && typeof sent !== "number") {
        return { fault: "must be a string" };
      }
      const value = String(sent);
      return value.length > LONGEST
        ? { fault: `is too long (maximum is ${LONGEST} characters)` }
        : { value };
    }
  }
}
