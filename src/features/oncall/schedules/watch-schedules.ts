// Reschedules shift notifications.
import { sql } from "drizzle-orm";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { all, select } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { schedules } from "../../schema/oncall.ts";
import { scheduleObject } from "../../stubs.ts";

/** Schedule objects called in parallel. */
const AT_ONCE = 20;

/**
 * Reschedules the shift notifications of every schedule of the account, after a change of who is
 * notified of shifts or how long before. Throws if D1 or an object does.
 */
export async function watchSchedules({ db, env, actor }: Context): Promise<void> {
  const { accountId } = actor;
  const here = sql`from ${schedules} where ${schedules.accountId} = ${accountId}`;
  const found = await all(db, select({ id: schedules.id }, here));
  for (let i = 0; i < found.length; i += AT_ONCE) {
    await Promise.all(
      found
        .slice(i, i + AT_ONCE)
        .map(({ id }) =>
          scheduleObject(env, prefixIdOf("schedule", id)).watch({ id, accountId }, []),
        ),
    );
  }
}
