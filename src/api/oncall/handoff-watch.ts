// After a write that may change who is on call, the objects that notify others of it look again.

import { sql } from "drizzle-orm";
import { schedules } from "../../db/schema/oncall.ts";
import { statement } from "../../db/shared/database.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import type { ApiRequest, Route } from "../../http/route.ts";
import { notifyChanges } from "../../objects/shared/notify-changes.ts";
import { scheduleObject } from "../../objects/shared/stubs.ts";

/** The same routes; after an answer the changes of who is on call that their writes made are notified. */
export function watched(routes: readonly Route[]): readonly Route[] {
  return routes.map((route) => {
    if (route.method === "GET") return route;
    const notifying = async (request: ApiRequest) => {
      const answer = await route.handle(request);
      const { env, actor } = request;
      // After the answer: nobody waits for what others are told.
      request.waitUntil(scheduler.wait(1).then(() => notifyChanges(env, actor.accountId)));
      return answer;
    };
    return { ...route, handle: notifying };
  });
}

/** Schedules told at a time. */
const AT_ONCE = 20;

/** Has every schedule of an account look again: who is told of shifts, and how long before, has changed. */
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
