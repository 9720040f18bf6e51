import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { markOpened, selectSubscribed } from "./seen-push-rows.ts";

/**
 * Notes that a browser has opened the console.
 *
 * @param endpoint the browser's address for push messages
 * @returns whether it is subscribed for the person
 */
export async function noteOpened(
  { db, now }: Pick<Context, "db" | "now">,
  accountUserId: string,
  endpoint: string,
): Promise<boolean> {
  const [found] = await batch(db, [
    selectSubscribed(accountUserId, endpoint),
    markOpened(accountUserId, endpoint, now),
  ]);
  return found.length > 0;
}
