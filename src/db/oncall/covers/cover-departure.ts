// Ends the covers of a person who leaves the account. Covers by that person are decided anew once the
// person has left.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { covers } from "../../schema/calendars/covers.ts";
import type { Connection } from "../../shared/database.ts";
import { batch } from "../../shared/select.ts";
import { selectCoverState, toCover, toCoverState } from "./cover-state.ts";
import { planStored, releaseOverrides, writePlan } from "./cover-writes.ts";

type DepartureWrites = {
  readonly preconditions: readonly SQL[];
  readonly writes: readonly SQLWrapper[];
};

/**
 * Takes back the covers of a person from `now` (epoch ms) on. The preconditions go before all other
 * writes of events. The deletion of the membership deletes the covers themselves.
 */
export async function coverDepartureWrites(
  db: Connection,
  accountId: string,
  person: string,
  now: number,
): Promise<DepartureWrites> {
  const scope = { accountId, now };
  const [stored, events, away] = await batch(db, selectCoverState(scope));
  const state = toCoverState(scope, stored, events, away);
  const own = stored.filter(({ accountUserId }) => accountUserId === person);
  const ids = sql`select ${covers.id} from ${covers}
    where ${covers.accountId} = ${accountId} and ${covers.accountUserId} = ${person}`;
  const release = releaseOverrides(accountId, ids);
  if (own.length === 0) return { preconditions: [], writes: [release] };
  const others = stored.filter(({ accountUserId }) => accountUserId !== person).map(toCover);
  const plan = planStored(state, now, { covers: others });
  return {
    preconditions: state.unchanged,
    writes: [...writePlan(accountId, plan, now), release],
  };
}
