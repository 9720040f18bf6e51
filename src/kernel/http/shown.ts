// What an operation answers when it does what it was asked: declared with its route, by names of the contract, for the
// reference to be made of and for the tests to hold every answer against.
import type { AnswerName, AnswerNamed } from "../contract/answers.ts";
import type { List } from "../contract/list.ts";
import type { Attributes } from "../db/attributes.ts";
import type { Aliases } from "../db/list-query.ts";
import type { RecordsFor, Shown, Typed } from "./route.ts";

type Shows<Body> = Shown & Typed<Body>;

/** The record, 200; or what this operation shows of it. */
export const one = <Name extends AnswerName, Wider extends AnswerName = Name>(
  records: RecordsFor<Name>,
  shows?: Wider,
): Shows<AnswerNamed<Wider>> => ({
  kind: "record",
  status: 200,
  records,
  shows,
});

/** The record that was made, 201; or what this operation shows of it. */
export const made = <Name extends AnswerName, Wider extends AnswerName = Name>(
  records: RecordsFor<Name>,
  shows?: Wider,
): Shows<AnswerNamed<Wider>> => ({
  kind: "record",
  status: 201,
  records,
  shows,
});

/** A page of records, 200. */
export const many = <Name extends AnswerName>(
  records: RecordsFor<Name>,
  aliases: Aliases = {},
): Shows<List<AnswerNamed<Name>>> => ({
  kind: "list",
  records,
  aliases,
});

/** A page of what has no table, 200. */
export const manyOf = <Name extends AnswerName>(
  shows: Name,
  attributes: Attributes,
): Shows<List<AnswerNamed<Name>>> => ({
  kind: "list_of",
  shows,
  attributes,
});

/** A body that is no record. */
export const exactly = <Name extends AnswerName>(
  shows: Name,
  status: 200 | 201 = 200,
): Shows<AnswerNamed<Name>> => ({
  kind: "body",
  status,
  shows,
});

/** A list without an envelope, 200. */
export const bareList = <Name extends AnswerName>(
  shows: Name,
): Shows<readonly AnswerNamed<Name>[]> => ({ kind: "bare_list", shows });

/** A CSV file, 200. */
export const csv: Shows<string> = { kind: "csv" };

/** A YAML file, 200. */
export const yaml: Shows<string> = { kind: "yaml" };

/** No body, 204. */
export const noBody: Shows<null> = { kind: "nothing" };

/** Nothing but a refusal, always. */
export const onlyRefusals: Shows<null> = { kind: "refusal" };
