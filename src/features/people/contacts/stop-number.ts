import { maskedAddress } from "../../../domain/people/masked-address.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { isFull } from "../../../kernel/db/outage.ts";
import { securityNotices } from "../../access/sessions/security-notices.ts";
import { blockNumber, readUnblockedOwners } from "./phone-rows.ts";

/**
 * Stops all SMS to a number, as a message from it asks. Senders' numbers can be forged, so everybody who
 * has the number is told by e-mail.
 *
 * @param now epoch ms
 */
export async function stopNumber(
  env: Cloudflare.Env,
  db: Connection,
  number: string,
  now: number,
): Promise<void> {
  const owners = await readUnblockedOwners(db, number);
  const notice = { kind: "phone_stopped", detail: maskedAddress(number) } as const;
  const writes = owners.map(({ userId }) =>
    securityNotices(env, { userId, accountId: null, byUserId: null }, [notice], now),
  );
  const notices = (await Promise.all(writes)).flat();
  try {
    await blockNumber(db, number, true, now, notices);
  } catch (error) {
    // A full database may still take a change of a row, which matters most.
    if (notices.length === 0 || !isFull(error)) throw error;
    await blockNumber(db, number, true, now);
    console.error({ message: "a number was stopped, of which nobody could be told by e-mail" });
  }
}
