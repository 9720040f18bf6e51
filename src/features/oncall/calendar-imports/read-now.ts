// Has the object of a calendar read it now, and reads the record with the result.

import { logFault } from "../../../kernel/db/log-fault.ts";
import { type Records, selectRecord } from "../../../kernel/db/records.ts";
import { first } from "../../../kernel/db/select.ts";
import type { AnswerName, AnswerNamed } from "../../answers.ts";
import type { Context } from "../../change/context.ts";
import type { CalendarReaderStub } from "../../rpc.ts";

/**
 * Reads a calendar now.
 *
 * @returns the record after the reading, also if the calendar could not be read; null if it was
 *   deleted meanwhile
 */
export async function readNow<Name extends AnswerName>(
  { db, actor }: Context,
  records: Records<Name>,
  object: CalendarReaderStub,
  id: string,
): Promise<AnswerNamed<Name> | null> {
  const { accountId } = actor;
  try {
    await object.refresh({ id, accountId });
  } catch (error) {
    // Its alarm reads it later: the record is written.
    logFault("a calendar is not read", error);
  }
  return first(db, selectRecord(records, accountId, { form: "id", value: id }));
}
