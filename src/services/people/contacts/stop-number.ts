import { blockNumber, readUnblockedOwners } from "../../../db/people/phone-rows.ts";
import type { Connection } from "../../../db/shared/database.ts";
import { maskedAddress } from "../../../domain/people/masked-address.ts";
import { securityNotices } from "../../access/security-notices.ts";

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
  await blockNumber(db, number, true, now, (await Promise.all(writes)).flat());
}
