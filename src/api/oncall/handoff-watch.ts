// Notifies the schedule objects after a write that may change who is on call.

import { sql } from "drizzle-orm";
import { schedules } from "../../db/schema/oncall.ts";
import { statement } from "../../db/shared/database.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import type { ApiRequest, DeclaredRoute } from "../../http/route.ts";
import { notifyChanges } from "../../objects/shared/notify-changes.ts";
import { scheduleObject } from "../../objects/shared/stubs.ts";

/** Wraps routes: after the response of a write, notifies of the on-call changes it made. */
export function watched(routes: readonly DeclaredRoute[]): readonly DeclaredRoute[] {
  return routes.map((route) => {
    if (route.method === "GET") return route;
    const notifying = async (request: ApiRequest) => {
      const answer = await route.handle(request);
      const { env, actor } = request;
      // After the response: the caller does not wait for notifications.
      request.waitUntil(scheduler.wait(1).then(() => notifyChanges(env, actor.accountId)));
      return answer;
    };
    return { ...route, handle: notifying };
  });
}

/** Schedule objects called in parallel. */
const AT_ONCE = 20;

/**
 * Reschedules the shift notifications of every schedule of the account, after a change of who is
 * notified of shifts or how long before.
 */
export async function watchAll({ db, env, actor }: ApiRequest<unknown>): Promise<void> {
  const { accountId } = actor;
  const query = sql`select ${schedules.id} as id from ${schedules}
    where ${schedules.accountId} = ${accountId}`;
  const { results } = await statement(db, query).all<{ id: string }>();
  for (let i = 0; i < results.length; i += AT_ONCE) {
    await Promise.all(
      results
        .slice(i, i + AT_ONCE)
        .map(({ id }) => scheduleObject(env, prefixIdOf("schedule", id)).watch({ id, accountId })),
    );
  }
}
