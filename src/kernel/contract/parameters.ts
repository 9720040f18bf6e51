// The parameter types of request bodies. Each accepts JSON and form-encoded values. Error messages
// follow the field's name. A parameter shares the description and example of the record's field
// that it sets; it has its own `meta({ description, example })` only where its meaning differs.
// `meta` also documents constraints that refinements check. The `meta` of a body may have:
// `inExample` (optional parameters in its example), `about` (the record that its parameters set,
// where the response is another), `omit` (properties that only exist after parsing), `needs` and
// `needsOneOf` (parameters that a later check requires, all or one of them).
import * as z from "zod";
import { parseDate } from "../../domain/shared/calendar.ts";
import { parseInstant } from "../../domain/shared/parse-time.ts";

const blankToNull = (value: unknown) =>
  typeof value === "string" && value.trim() === "" ? null : value;

/** A required string of at most `most` characters. */
export const requiredText = (most: number) =>
  z
    .string({ error: (issue) => (issue.input == null ? "can't be blank" : "must be a string") })
    .refine((text) => text.trim() !== "", "can't be blank")
    .refine((text) => text.length <= most, `is too long (maximum is ${most} characters)`)
    .meta({ minLength: 1, maxLength: most });

/** A string that may be omitted, null or empty. */
export const optionalText = (most: number) =>
  z
    .string("must be a string")
    .refine((text) => text.length <= most, `is too long (maximum is ${most} characters)`)
    .meta({ maxLength: most })
    .nullish();

const flag = z.preprocess((value) => {
  if (value === "true" || value === "1" || value === 1) return true;
  if (value === "false" || value === "0" || value === 0) return false;
  return value;
}, z.boolean("must be true or false"));

/** A flag that may be omitted or null: both mean unchanged. */
export const optionalFlag = z.preprocess((value) => value ?? undefined, flag.optional());

/** In a nested list: deletes the record with the entry's `id`. */
export const destroy = optionalFlag.meta({
  description: "`true` removes the record of this `id`.",
});

const digits = (value: unknown) =>
  typeof value === "string" && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;

/** An integer between two inclusive bounds. */
export const integer = (least: number, most: number) =>
  z.preprocess(
    digits,
    z
      .int({
        error: (issue) => (issue.input == null ? "can't be blank" : "must be a whole number"),
      })
      .refine((value) => value >= least, `must be at least ${least}`)
      .refine((value) => value <= most, `must be at most ${most}`)
      .meta({ minimum: least, maximum: most }),
  );

/** An integer that may be omitted, null or empty. */
export const optionalInteger = (least: number, most: number) =>
  z.preprocess(blankToNull, integer(least, most).nullish());

/** One of the given strings. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, {
    error: (issue) =>
      issue.input == null || issue.input === ""
        ? "can't be blank"
        : `must be one of ${words.join(", ")}`,
  });

export const optionalChoice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.preprocess(blankToNull, choice(words).nullish());

const toList = (value: unknown) => {
  if (value === null || value === "") return [];
  if (value === undefined || Array.isArray(value)) return value;
  return typeof value === "object" ? value : [value];
};

const scalarText = z.preprocess(
  (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
  z.string("must be a string"),
);

/** A list of identifiers in either form; a single identifier is a list of one. */
export const identifiers = z.preprocess(
  (value) => {
    const list = toList(value);
    return Array.isArray(list) ? list.filter((item) => item !== "" && item !== null) : list;
  },
  z
    .array(z.string("must be an identifier"), "must be a list of identifiers")
    .max(1000, "is too long"),
);

export const identifier = z.preprocess(blankToNull, z.string("must be an identifier").nullish());

/** The URL of a calendar; `webcal:` is what calendar programs call https. */
export const calendarUrl = <Text extends z.ZodType>(text: Text) =>
  z.preprocess(
    (value) => (typeof value === "string" ? value.trim().replace(/^webcals?:/i, "https:") : value),
    text,
  );

/** A list of strings (tags, keys), without blanks and duplicates. */
export const words = z.preprocess(
  toList,
  z
    .array(scalarText, "must be a list of strings")
    .max(100, "has more than 100 elements")
    .transform((list) => [
      ...new Set(list.map((word) => word.trim()).filter((word) => word !== "")),
    ])
    .refine(
      (list) => list.every((word) => word.length <= 255),
      "has an element over 255 characters",
    ),
);

/** Form-encoded clients send lists as objects with numbered keys: `{"0": a, "1": b}`. */
const toRecords = (value: unknown) => {
  if (value === null || value === "") return [];
  if (typeof value !== "object" || Array.isArray(value)) return value;
  const isNumbered = Object.keys(value as object).every((key) => /^\d{1,4}$/.test(key));
  return isNumbered ? Object.values(value as object) : value;
};

/** A nested `*_attributes` list, of at most `most` entries. */
export const recordList = <Entry extends z.ZodType>(entry: Entry, most: number) =>
  z.preprocess(
    toRecords,
    z.array(entry, "must be a list of objects").max(most, `has more than ${most} elements`),
  );

type NestedEntry = Readonly<Record<string, unknown>>;
type WrongPath = { error: string; path: string[]; when: (entry: { value: unknown }) => boolean };

/** Requires the parameter in nested entries without an `id`, which add a record. */
export const neededToAdd = (name: string): [(entry: NestedEntry) => boolean, WrongPath] => [
  (entry) => entry.id != null || entry[name] !== undefined,
  {
    error: "can't be blank",
    path: [name],
    // Runs even if the entry has other errors, so that all are reported at once.
    when: ({ value }) => typeof value === "object" && value !== null,
  },
];

/** Reads `start_time` and `end_time` as aliases of `start_datetime` and `end_datetime`. */
export const readTimeAliases = (parameters: unknown) => {
  const { start_time, end_time, ...rest } = parameters as Record<string, unknown>;
  return {
    ...(start_time !== undefined && { start_datetime: start_time }),
    ...(end_time !== undefined && { end_datetime: end_time }),
    ...rest,
  };
};

/** An object with arbitrary keys; null is an empty one. */
export const hash = z.preprocess(
  (value) => value ?? {},
  z
    .record(z.string(), z.unknown(), "must be an object")
    .refine((value) => JSON.stringify(value).length <= 16_384, "is larger than 16 KiB"),
);

/** ISO 8601 with an offset → epoch ms. */
export const instant = z
  .string({ error: (issue) => (issue.input == null ? "can't be blank" : "must be a date-time") })
  .transform((text, context) => {
    const at = parseInstant(text);
    if (at === null) {
      context.addIssue({ code: "custom", message: "must be an ISO 8601 date-time with an offset" });
      return z.NEVER;
    }
    return at;
  })
  .meta({ format: "date-time" });

const isDate = (text: string) => parseDate(text) !== null;

/** A local date. */
export const date = z
  .string({ error: (issue) => (issue.input == null ? "can't be blank" : "must be a date") })
  .refine((text) => text.trim() !== "", "can't be blank")
  .refine((text) => text.trim() === "" || isDate(text), "must be a date as YYYY-MM-DD")
  .meta({ format: "date" });

/** A local date that may be omitted, null or empty. */
export const optionalDate = z.preprocess(blankToNull, date.nullish());

/** An instant that may be omitted, null or empty. */
export const optionalInstant = z.preprocess(blankToNull, instant.nullish());
