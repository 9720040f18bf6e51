// The model's people of a series with later versions: these change likewise, and go on with its turns (contract 4, Rosters).
import { type Line, walk } from "../../../support/oncall/roster-reference.ts";
import { beginOf, occurrencesIn, type Series, type State } from "./model.ts";
import {
  changePeople,
  effectiveAt,
  HORIZON,
  isSameRoster,
  likewise,
  newestRoster,
  putPeople,
  type When,
} from "./people.ts";

type Put = { readonly line: Line; readonly when: When | null; readonly keepsPlans: boolean };

/** `PUT` of the people of one version. */
export function putPeopleOf(state: State, key: string, put: Put, now: number): State {
  const own = state.series.find((it) => it.key === key);
  if (!own) throw new Error(`no series ${key}`);
  const later = state.series
    .filter((it) => it.chain === own.chain && beginOf(it) > beginOf(own))
    .toSorted((one, other) => beginOf(one) - beginOf(other));
  // Its next handoff may be where the next version begins.
  const endless = later.length > 0 && own.cutAt !== null ? { ...own, cutAt: null } : own;
  const { line, when, keepsPlans } = put;
  const is = putPeople(endless, line, when, now, keepsPlans);
  const changed = new Map([[key, { ...is, cutAt: own.cutAt }]]);
  const { rotates } = newestRoster(own);
  // What replaces what is planned does so in later versions, whose people may be others.
  const isAsRead =
    keepsPlans && when === null && isSameRoster(newestRoster(own), { rotates, line });
  const at = effectiveAt(endless, when ?? (rotates ? "next_handoff" : "now"), now);
  let [before, after, cutAt] = [endless, is, own.cutAt];
  for (const next of isAsRead ? [] : later) {
    if (cutAt === null) break;
    const follows = follow(before, after, next, { at, cutAt, keepsPlans });
    if (follows === null) break;
    changed.set(next.key, follows);
    [before, after, cutAt] = [{ ...next, cutAt: null }, { ...follows, cutAt: null }, next.cutAt];
  }
  return { ...state, series: state.series.map((it) => changed.get(it.key) ?? it) };
}

type Following = { readonly at: number; readonly cutAt: number; readonly keepsPlans: boolean };

/** The next version after the people of the one before it changed; null: it stays. */
function follow(
  before: Series,
  after: Series,
  next: Series,
  { at, cutAt, keepsPlans }: Following,
): Series | null {
  const isThere = (it: Series) =>
    occurrencesIn(it, cutAt + HORIZON).some(({ startAt }) => startAt === cutAt);
  if (!isThere(after)) return null;
  const from = Math.max(at, cutAt);
  const rosterAt = (it: Series) => it.changes.findLast((change) => change.at <= from) ?? it.first;
  const [was, is] = [rosterAt(before), rosterAt(after)];
  if (isSameRoster(was, is) && keepsPlans) return null;
  const all = occurrencesIn(after, cutAt + HORIZON);
  const first = at > cutAt ? next.first : walk(after.first, all, after.changes, cutAt).standing;
  const begin = Math.max(at, occurrencesIn(next, beginOf(next) + HORIZON)[0]?.startAt ?? at);
  const own = next.changes.findLast((it) => it.at <= begin) ?? next.first;
  const roster = keepsPlans ? { ...own, line: likewise(was.line, is.line, own.line) } : is;
  const started = { ...next, first, changes: next.changes.filter((it) => it.at < begin) };
  const begun = changePeople(started, { rotates: roster.rotates, line: roster.line }, begin);
  if (!keepsPlans) return begun;
  return next.changes
    .filter((it) => it.at > begin)
    .reduce(
      (kept, plan) =>
        changePeople(kept, { ...plan, line: likewise(was.line, is.line, plan.line) }, plan.at),
      begun,
    );
}
