// Who is paged differently after an import: by other events, overrides and absences, by another
// schedule or policy of a team, by other layers of its policy, or since the team is new.
import { sql } from "drizzle-orm";
import { EMPTY_SCHEDULE } from "../../../domain/oncall/absences/absence.ts";
import {
  type AskedLayers,
  compareAsked,
} from "../../../domain/oncall/changes/on-call-comparison.ts";
import { schedulesAfter } from "../../../domain/oncall/changes/schedule-after.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { ComposedChange } from "../../change/compose.ts";
import { selectOnCall, toOnCallSchedules } from "../../oncall/on-call/oncall-rows.ts";
import { showWindow } from "../../oncall/on-call/preview-on-call-change.ts";
import type { ConfigurationOnCall, ConfiguredKind } from "./contract.ts";
import type { PlannedChange } from "./plan-import.ts";
import type { Configuration } from "./read-configuration.ts";
import type { AdminContext, Entry } from "./section.ts";

const DAYS_AHEAD = 42;

/** Which schedule a team's alerts follow, by its id, and which layers of it they ask. */
type Paging = { readonly scheduleId: string | null; readonly layers: readonly number[] };

/** The entries of a kind by key: as they are stored, and as they are after the changes. */
function entriesOf(
  kind: ConfiguredKind,
  stored: Configuration,
  planned: readonly PlannedChange[],
): { readonly before: ReadonlyMap<string, Entry>; readonly after: ReadonlyMap<string, Entry> } {
  const before = new Map((stored.get(kind) ?? []).map(({ key, entry }) => [key, entry]));
  const changed = planned.filter(({ section }) => section.kind === kind);
  const after = changed.map(({ key, entry }) => [key, { ...before.get(key), ...entry }] as const);
  return { before, after: new Map([...before, ...after]) };
}

function layersOf(policy: Entry | undefined): readonly number[] {
  const layers: readonly unknown[] = Array.isArray(policy?.layers) ? policy.layers : [];
  return layers.map((it) => Number((it as Entry).layer)).sort((one, other) => one - other);
}

/** The ids of a kind's records by key, those that the changes create among them. */
const idsOf = (
  kind: ConfiguredKind,
  stored: Configuration,
  planned: readonly PlannedChange[],
): ReadonlyMap<string, string> =>
  new Map([
    ...(stored.get(kind) ?? []).map(({ key, record }) => [key, record.id] as const),
    ...planned
      .filter(({ section }) => section.kind === kind)
      .map(({ key, id }) => [key, id] as const),
  ]);

/** Compares who is paged in the next weeks for each team for which something changes; for a new one nobody is before. */
export async function comparePaged(
  { db, actor, now }: AdminContext,
  planned: readonly PlannedChange[],
  composed: readonly ComposedChange[],
  stored: Configuration,
): Promise<readonly ConfigurationOnCall[]> {
  const ids = idsOf("schedule", stored, planned);
  const teams = entriesOf("team", stored, planned);
  const policies = entriesOf("escalation_policy", stored, planned);
  const pagingOf = (team: Entry | undefined, policy: ReadonlyMap<string, Entry>): Paging => ({
    scheduleId: ids.get(String(team?.schedule)) ?? null,
    layers: layersOf(policy.get(String(team?.escalation_policy))),
  });
  const effects = await Promise.all(
    composed.map(async ({ onCall, effect }) => onCall ?? (await effect?.())),
  );
  const changes = effects.flatMap((it) => it?.serving ?? []);
  const compared = [...idsOf("team", stored, planned)].flatMap(([key, id]) => {
    const from = pagingOf(teams.before.get(key), policies.before);
    const to = pagingOf(teams.after.get(key), policies.after);
    const isMoved = JSON.stringify(from) !== JSON.stringify(to);
    return isMoved || changes.length > 0 ? [{ id, from, to, isMoved }] : [];
  });
  if (compared.length === 0) return [];
  const named = JSON.stringify(
    compared.flatMap(({ from, to }) => [from.scheduleId, to.scheduleId]),
  );
  const here = sql`select value from json_each(${named}) where value is not null`;
  const [rows, absences, past] = await batch(db, selectOnCall(actor.accountId, here, now));
  const schedules = toOnCallSchedules(rows, absences, past);
  const afterwards = schedulesAfter(schedules, absences, changes, now);
  const before = ({ scheduleId, layers }: Paging): AskedLayers => ({
    schedule: schedules.get(scheduleId ?? "") ?? EMPTY_SCHEDULE,
    layers,
  });
  const after = ({ scheduleId, layers }: Paging): AskedLayers => ({
    schedule: scheduleId === null ? EMPTY_SCHEDULE : afterwards(scheduleId),
    layers,
  });
  return compared.flatMap(({ id, from, to, isMoved }) => {
    const windows = compareAsked(before(from), after(to), now, now + DAYS_AHEAD * DAY);
    return isMoved || windows.length > 0 ? [{ team_id: id, changes: windows.map(showWindow) }] : [];
  });
}
