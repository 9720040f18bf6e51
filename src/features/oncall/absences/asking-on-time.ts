// An absence that asks, as its object reads it.
import type { Connection } from "../../../kernel/db/database.ts";
import { batch } from "../../../kernel/db/select.ts";
import { expireAsking } from "./asking-writes.ts";
import { type AskingAbsence, askingOf, selectStoredAbsence } from "./stored-absences.ts";

/**
 * Reads an absence for which people are or were asked, once it has noted that nobody accepted in time,
 * if so; null: there is none.
 */
export async function readAskingOnTime(
  db: Connection,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  now: number,
): Promise<AskingAbsence | null> {
  const [, [absence]] = await batch(db, [
    expireAsking(accountId, id, now),
    selectStoredAbsence(accountId, { form: "id", value: id }),
  ]);
  return askingOf(absence);
}
