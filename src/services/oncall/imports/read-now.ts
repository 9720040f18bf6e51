// Has the object of a calendar read it now, and reads the record with the result.

import type { AnswerName, AnswerNamed } from "../../../contract/answers.ts";
import { type Records, selectRecord } from "../../../db/records/records.ts";
import { logFault } from "../../../db/shared/log-fault.ts";
import { first } from "../../../db/shared/select.ts";
import type { CalendarReaderStub } from "../../../objects/shared/rpc.ts";
import type { Context } from "../../shared/context.ts";

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
