// What an operation answers when it does what it was asked: declared with its route, by names of the contract, for the
// reference to be made of and for the tests to hold every answer against.
import type { AnswerName } from "../contract/answers.ts";
import type { Attributes } from "../db/records/attributes.ts";
import type { Aliases } from "../db/records/list-query.ts";
import type { RecordsFor, Shown } from "./route.ts";

/** The record, 200; or what this operation shows of it. */
export const one = (records: RecordsFor, shows?: AnswerName): Shown => ({
  kind: "record",
  status: 200,
  records,
  ...(shows && { shows }),
});

/** The record that was made, 201; or what this operation shows of it. */
export const made = (records: RecordsFor, shows?: AnswerName): Shown => ({
  kind: "record",
  status: 201,
  records,
  ...(shows && { shows }),
});

/** A page of records, 200. */
export const many = (records: RecordsFor, aliases: Aliases = {}): Shown => ({
  kind: "list",
  records,
  aliases,
});

/** A page of what has no table, 200. */
export const manyOf = (shows: AnswerName, attributes: Attributes): Shown => ({
  kind: "list_of",
  shows,
  attributes,
});

/** A body that is no record. */
export const exactly = (shows: AnswerName, status: 200 | 201 = 200): Shown => ({
  kind: "body",
  status,
  shows,
});

/** A list without an envelope, 200. */
export const bareList = (shows: AnswerName): Shown => ({ kind: "bare_list", shows });

/** A CSV file, 200. */
export const csv: Shown = { kind: "csv" };

/** A YAML file, 200. */
export const yaml: Shown = { kind: "yaml" };

/** No body, 204. */
export const noBody: Shown = { kind: "nothing" };

/** Nothing but a refusal, always. */
export const onlyRefusals: Shown = { kind: "refusal" };
