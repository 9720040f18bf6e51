// Options whose values have a format of their own.
import type { FieldError } from "../../domain/shared/refusal.ts";
import type { Options } from "../integration-type.ts";

/** What an option must match, and the error, to follow its name, if it does not. */
export type OptionFormat = readonly [pattern: RegExp, fault: string];

/** The errors of options that are set and do not match. */
export const formatFaults = (
  options: Options,
  formats: Readonly<Record<string, OptionFormat>>,
): FieldError[] =>
  Object.entries(formats).flatMap(([key, [pattern, fault]]) => {
    const value = options[key];
    const isValid = typeof value !== "string" || pattern.test(value);
    return isValid ? [] : [{ field: `option_${key}`, message: `option_${key} ${fault}` }];
  });
