// The model's later versions of a series when one changes: their people change likewise, and its turns go on in them
// (contract 4, Rosters and Changes of a series).
import {
  type Line,
  type ReferenceRoster,
  type Standing,
  walk,
} from "../../../support/oncall/roster-reference.ts";
import { beginOf, occurrencesIn, type Series, type State } from "./model.ts";
import {
  changePeople,
  effectiveAt,
  HORIZON,
  isSameRoster,
  likewise,
  newestRoster,
  putPeople,
  turnAfter,
  type When,
} from "./people.ts";

type Put = { readonly line: Line; readonly when: When | null; readonly keepsPlans: boolean };

/** `PUT` of the people of one version. */
export function putPeopleOf(state: State, key: string, put: Put, now: number): State {
  const own = state.series.find((it) => it.key === key);
  if (!own) throw new Error(`no series ${key}`);
  const later = laterOf(state, own);
  const { line, when, keepsPlans } = put;
  const is = putPeople(own, line, when, now, keepsPlans, later);
  const { rotates } = newestRoster(own);
  const at = effectiveAt(own, when ?? (rotates ? "next_handoff" : "now"), now, later);
  // What replaces what is planned does so in later versions, whose people may be others.
  const isAsRead =
    keepsPlans && when === null && isSameRoster(newestRoster(own), { rotates, line });
  const changed = { ...state, series: state.series.map((it) => (it.key === key ? is : it)) };
  return isAsRead ? changed : changeLater(changed, later, { was: own, is, at, keepsPlans });
}

/** The versions after one, in order. */
export const laterOf = ({ series }: State, own: Series): readonly Series[] =>
  own.cutAt === null
    ? []
    : series
        .filter((it) => it.chain === own.chain && beginOf(it) > beginOf(own))
        .toSorted((one, other) => beginOf(one) - beginOf(other));

type VersionChange = {
  readonly was: Series;
  readonly is: Series;
  /** When new people serve. */
  readonly at: number;
  /** Whether what is planned changes likewise, instead of being replaced. */
  readonly keepsPlans: boolean;
};

/** The series after a version of one of them changed. */
export function changeLater(state: State, later: readonly Series[], change: VersionChange): State {
  const changed = new Map<string, Series>();
  let { was, is } = change;
  for (const next of later) {
    const follows = follow({ ...change, was, is }, next);
    if (follows === null) continue;
    changed.set(next.key, follows);
    [was, is] = [next, follows];
  }
  return { ...state, series: state.series.map((it) => changed.get(it.key) ?? it) };
}

/** The next version after the one before it changed; null: it never begins. */
function follow({ was, is, at, keepsPlans }: VersionChange, next: Series): Series | null {
  const [first] = occurrencesIn(next, beginOf(next) + HORIZON);
  if (!first) return null;
  const begin = Math.max(at, first.startAt);
  const isLater = at > first.startAt;
  const rosterAt = (it: Series) =>
    it.changes.findLast((change) => change.at <= Math.max(at, it.cutAt ?? at)) ?? it.first;
  const [before, after] = [rosterAt(was), rosterAt(is)];
  const own = next.changes.findLast((it) => it.at <= begin) ?? next.first;
  const plans = next.changes.filter((it) => it.at > begin);
  const isSame = keepsPlans
    ? isSameRoster(before, after)
    : isSameRoster(own, after) && plans.length === 0;
  if (isSame && (isLater || goesOnAs(was) === goesOnAs(is))) return next;
  const started: Series = {
    ...next,
    ...(!isLater && { first: standingOf(is), begins: { at: beginOf(next), turn: turnAfter(is) } }),
    // Whom it had before its first shift, nobody has served.
    changes: isLater ? next.changes.filter((it) => it.at < begin) : [],
  };
  const change = ({ rotates, line }: ReferenceRoster): ReferenceRoster => ({
    rotates,
    line: keepsPlans ? likewise(before.line, after.line, line) : line,
  });
  const begun = changePeople(started, change(keepsPlans ? own : after), begin);
  if (!keepsPlans) return begun;
  return plans.reduce((kept, plan) => changePeople(kept, change(plan), plan.at), begun);
}

/** Where the turns of a version stand at its end. */
function standingOf(series: Series): Standing {
  const end = series.cutAt ?? Number.POSITIVE_INFINITY;
  const all = occurrencesIn({ ...series, cutAt: null }, end + HORIZON);
  return walk(series.first, all, series.changes, end).standing;
}

/** Whose turn it is when the next version begins, as a text to compare. */
function goesOnAs(series: Series): string {
  const { rotates, line, position, turn } = standingOf(series);
  const ahead = turnAfter(series) - (turn ?? 0);
  const sorted = line.map((it) => it.toSorted());
  return JSON.stringify([
    rotates,
    sorted,
    (position + ahead) % Math.max(1, line.length),
    ahead === 0,
  ]);
}
