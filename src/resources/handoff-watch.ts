// After a write that may move a schedule's next handoff, its object is told to look again. What only takes somebody
// away needs no telling: the object wakes at the boundary it knew, and sees.

import { sql } from "drizzle-orm";
import { statement } from "../db/database.ts";
import { schedules } from "../db/schema/oncall.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import type { Answer } from "../http/answers.ts";
import type { ApiRequest, Route } from "../http/route.ts";
import { scheduleObject } from "../objects/stubs.ts";

function schedulesIn(answer: Answer): string[] {
  if (answer.kind !== "record") return [];
  const record = answer.record as { schedule_ids?: unknown; schedule_id?: unknown };
  const ids = Array.isArray(record.schedule_ids) ? record.schedule_ids : [record.schedule_id];
  return ids.filter((id) => typeof id === "string");
}

/** Has the schedules of a written event or team look again when their next handoff is. */
async function lookAgain(request: ApiRequest, answer: Answer): Promise<void> {
  const { env, actor } = request;
  for (const id of schedulesIn(answer)) {
    const object = scheduleObject(env, prefixIdOf("schedule", id));
    await object.watch({ id, accountId: actor.accountId });
  }
}

/** The same routes; their writes have the schedules concerned look again, after the answer. */
export function watched(routes: readonly Route[]): readonly Route[] {
  return routes.map((route) =>
    route.method === "GET"
      ? route
      : {
          ...route,
          handle: async (request: ApiRequest) => {
            const answer = await route.handle(request);
            request.waitUntil(
              lookAgain(request, answer).catch((error: unknown) =>
                console.error({ message: "a schedule was not told", error: String(error) }),
              ),
            );
            return answer;
          },
        },
  );
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
