import { sql } from "drizzle-orm";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { containsTerms, searchTerms } from "../../../domain/shared/search-terms.ts";
import { batch, select } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { readTeamsOnCall } from "./read-teams-on-call.ts";

/** A team, and the names of who is on call on each layer now; no layers: nobody. */
export type OnCallNames = {
  readonly team: string;
  readonly layers: readonly { readonly layer: number; readonly names: readonly string[] }[];
};

/**
 * Reads who is on call now in the teams whose names contain a text in any case, by name.
 *
 * @param search empty: all teams
 */
export async function readOnCallNames(
  context: Context,
  search: string,
): Promise<readonly OnCallNames[] | Refusal> {
  const { db, actor, now } = context;
  const shown = await readTeamsOnCall(context, { from: now, to: now + 1 });
  if (isRefusal(shown)) return shown;
  const people = shown.flatMap(({ entries }) =>
    entries.flatMap(({ attendees }) => attendees.map((it) => it.attendee_id)),
  );
  const [teamRows, personRows] = await batch(db, [
    select(
      { id: teams.id, name: teams.name },
      sql`from ${teams} where ${teams.accountId} = ${actor.accountId}`,
    ),
    select(
      { id: accountUsers.id, name: users.name },
      sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
        where ${accountUsers.accountId} = ${actor.accountId}
          and ${accountUsers.id} in (select value from json_each(${JSON.stringify(people)}))`,
    ),
  ]);
  const names = new Map([...teamRows, ...personRows].map(({ id, name }) => [id, name]));
  return shown
    .map(({ team_id: id, entries }) => ({
      team: names.get(id) ?? "",
      layers: [...Map.groupBy(entries, ({ layer }) => layer)]
        .sort(([one], [other]) => one - other)
        .map(([layer, inside]) => ({
          layer,
          names: [
            ...new Set(
              inside.flatMap(({ attendees }) =>
                attendees.map((it) => names.get(it.attendee_id) ?? "somebody"),
              ),
            ),
          ],
        })),
    }))
    .filter(({ team }) => containsTerms(team, searchTerms(search)))
    .sort((one, other) => one.team.localeCompare(other.team, "en"));
}
