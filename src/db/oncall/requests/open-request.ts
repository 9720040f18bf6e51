// A request for cover as its object reads it.
import type { Connection } from "../../shared/database.ts";
import { batch } from "../../shared/select.ts";
import { type StoredRequest, selectRequest } from "./request-rows.ts";
import { expireRequest } from "./request-writes.ts";

/** Reads a request once it has noted that it has expired, if it has; null: there is none. */
export async function readRequestOnTime(
  db: Connection,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  now: number,
): Promise<StoredRequest | null> {
  const [, [request]] = await batch(db, [
    expireRequest(accountId, id, now),
    selectRequest(accountId, { form: "id", value: id }),
  ]);
  return request ?? null;
}
