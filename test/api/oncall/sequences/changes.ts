// What each change does to the model.
import type { Line, ReferenceRoster } from "../../../support/oncall/roster-reference.ts";
import { type Absence, serveAbsences } from "./absences.ts";
import { changeFollowing, changeRule, type RulePatch } from "./continuation.ts";
import {
  beginOf,
  EMPTY,
  type Override,
  piecesByHand,
  type Series,
  type State,
  shiftsIn,
} from "./model.ts";
import { leaveOverride, withoutGone } from "./overrides.ts";
import { effectiveAt, isIn, leaveSeries, type When } from "./people.ts";
import { type Hours, type Rule, touches } from "./recurrence.ts";
import { putPeopleOf } from "./versions.ts";

/** A change as plain data: a sequence can be printed, and written down as a case. Instants are epoch ms. */
export type Change =
  | { kind: "create"; key: string; rule: Rule; rotates: boolean; line: Line }
  | { kind: "people"; series: string; line: Line; when: When | null; keepsPlans?: boolean }
  | { kind: "rule"; series: string; patch: RulePatch }
  | { kind: "following"; series: string; key: string; at: number; patch: RulePatch; line?: Line }
  | {
      kind: "override";
      key: string;
      of: string;
      at: number;
      from: number;
      to: number;
      layer: number;
      people: string;
    }
  | { kind: "override_hours"; key: string; from: number; to: number }
  | { kind: "override_people"; key: string; people: string }
  | { kind: "exception" | "terminate" | "remove_part"; series: string; at: number }
  | { kind: "delete"; key: string }
  | { kind: "flush" }
  | { kind: "leave_account" | "leave_team"; person: string }
  | { kind: "undo" }
  | { kind: "race"; one: Change; other: Change }
  | {
      kind: "absence";
      key: string;
      person: string;
      from: number;
      to: number;
      instead: Absence["instead"];
    }
  | { kind: "end_absence"; key: string };

/** The schedule after a change that was made at an instant (epoch ms). */
export function applyChange(state: State, change: Change, now: number): State {
  switch (change.kind) {
    case "create": {
      const { key, rule, rotates, line } = change;
      const first: ReferenceRoster = { rotates: rotates && rule.unit !== null, line };
      const made: Series = {
        key,
        chain: key,
        rule,
        first,
        begins: null,
        cutAt: null,
        removed: [],
        changes: [],
      };
      return { ...state, series: [...state.series, made] };
    }
    case "people": {
      const { line, when, keepsPlans = false } = change;
      return putPeopleOf(state, change.series, { line, when, keepsPlans }, now);
    }
    case "rule": {
      const changed = withSeries(state, change.series, (it) => changeRule(it, change.patch));
      return withoutGone(state, changed, seriesOf(state, change.series).chain, false);
    }
    case "following":
      return changeFollowing(state, seriesOf(state, change.series), change, now);
    case "override":
      return addOverride(state, change, now);
    case "override_hours": {
      const { key, from, to } = change;
      return withOverride(state, key, (it) => [{ ...it, hours: [{ from, to }] }]);
    }
    case "override_people":
      return withOverride(state, change.key, (it) => handOver(it, change.people, now));
    case "exception": {
      const changed = withSeries(state, change.series, (it) => removeOccurrence(it, change.at));
      return withoutGone(state, changed, seriesOf(state, change.series).chain, true);
    }
    case "terminate": {
      const own = seriesOf(state, change.series);
      const isLater = (it: Series) => it.chain === own.chain && beginOf(it) > beginOf(own);
      const cut = withSeries(state, own.key, (it) => ({
        ...it,
        cutAt: Math.min(change.at, it.cutAt ?? change.at),
      }));
      // Later versions have later occurrences.
      const changed = { ...cut, series: cut.series.filter((it) => !isLater(it)) };
      return withoutGone(state, changed, own.chain, true);
    }
    case "remove_part":
      return removePart(state, seriesOf(state, change.series), change.at, now);
    case "delete": {
      const deleted = state.series.find(({ key }) => key === change.key);
      const left = {
        ...state,
        series: state.series.filter(({ key }) => key !== change.key),
        overrides: state.overrides.filter(({ key }) => key !== change.key),
      };
      return deleted ? withoutGone(state, left, deleted.chain, true) : left;
    }
    case "flush":
      return { ...EMPTY, absences: state.absences, made: state.made };
    case "leave_account":
      return leaveAccount(state, change.person, now);
    case "leave_team":
      return {
        ...state,
        series: state.series.map((it) =>
          it.first.rotates && isIn(it, change.person, now)
            ? leaveSeries(it, change.person, effectiveAt(it, "next_handoff", now))
            : it,
        ),
      };
    case "absence": {
      const { kind: _, ...absence } = change;
      const made = {
        ...absence,
        from: Math.max(now, absence.from),
        since: absence.from,
        decidedAt: now,
        order: state.made,
      };
      return { ...state, absences: [...state.absences, made], made: state.made + 1 };
    }
    case "end_absence":
      return {
        ...state,
        absences: state.absences.flatMap((it) =>
          it.key === change.key ? endAbsence(it, now) : it,
        ),
      };
    default:
      throw new Error(`${change.kind} is no change of its own`);
  }
}

function seriesOf({ series }: State, key: string): Series {
  const found = series.find((it) => it.key === key);
  if (!found) throw new Error(`no series ${key}`);
  return found;
}

function withSeries(state: State, key: string, change: (it: Series) => Series): State {
  const changed = change(seriesOf(state, key));
  return { ...state, series: state.series.map((it) => (it.key === key ? changed : it)) };
}

const withOverride = (state: State, key: string, change: (it: Override) => Override[]): State => ({
  ...state,
  overrides: state.overrides.flatMap((it) => (it.key === key ? change(it) : it)),
});

/** An override is newer than all others, and of the series of the one that it is made of. */
function addOverride(state: State, change: Change & { kind: "override" }, now: number): State {
  const { key, of, at, from, to, layer, people } = change;
  const above = state.overrides.find((it) => it.key === of);
  const series = above ? null : seriesOf(state, of);
  const shift = series && shiftsIn(series, at + 1).find(({ startAt }) => startAt === at);
  if (series && (!shift || !touches({ from, to }, { from: shift.startAt, to: shift.endAt }))) {
    throw new Error(`${of} has nothing to override`);
  }
  const made: Override = {
    ...{ key, layer, people, madeAt: now, order: state.made, isEmpty: false },
    ...{ hours: [{ from, to }], chain: above?.chain ?? series?.chain ?? of },
    priority: above?.priority ?? series?.rule.priority ?? 0,
  };
  return { ...state, overrides: [...state.overrides, made], made: state.made + 1 };
}

/** Other people serve an override from now on. */
function handOver(override: Override, people: string, now: number): Override[] {
  const parts = (from: number, to: number) =>
    override.hours
      .map((it) => ({ from: Math.max(it.from, from), to: Math.min(it.to, to) }))
      .filter((it) => it.from < it.to);
  return [
    { ...override, hours: parts(0, now) },
    { ...override, hours: parts(now, Number.POSITIVE_INFINITY), people },
  ].filter(({ hours }) => hours.length > 0);
}

/** Removes an occurrence. Nobody's turn changes by it, neither of people who are planned from within it. */
function removeOccurrence(series: Series, at: number): Series {
  const shift = shiftsIn(series, at + 1).find(({ startAt }) => startAt === at);
  if (!shift) throw new Error(`no occurrence at ${at}`);
  const changes = series.changes.map((it) =>
    it.at > at && it.at < shift.endAt ? { ...it, isInside: true } : it,
  );
  return { ...series, changes, removed: [...series.removed, at] };
}

/** Removes the part of an occurrence that starts at an instant: nobody is on call in its hours. */
function removePart(state: State, series: Series, at: number, now: number): State {
  const shift = shiftsIn(series, at + 1).findLast(({ startAt }) => startAt <= at);
  if (!shift) throw new Error(`no occurrence at ${at}`);
  const whole: Hours = { from: shift.startAt, to: shift.endAt };
  const own = serveAbsences(piecesByHand(state, whole.to), state, whole)
    .filter((it) => it.series === series.key && it.byHandAt === null && touches(it, whole))
    .toSorted((one, other) => one.from - other.from);
  let part = own.findLast(({ from }) => from <= at);
  if (!part || part.to <= at || part.who === "") throw new Error(`nobody serves at ${at}`);
  for (const it of own) {
    const isSame = it.who === part.who && it.absent === part.absent;
    if (it.from === part.to && isSame) part = { ...part, to: it.to };
  }
  const made: Override = {
    ...{ key: `${series.key} without ${at}`, chain: series.chain, layer: series.rule.layer },
    ...{ people: "", isEmpty: true, madeAt: now, order: state.made },
    ...{ hours: [{ from: part.from, to: part.to }], priority: series.rule.priority },
  };
  return { ...state, overrides: [...state.overrides, made], made: state.made + 1 };
}

const leaveAccount = (state: State, person: string, now: number): State => ({
  ...state,
  series: state.series.map((it) => (isIn(it, person, now) ? leaveSeries(it, person, now) : it)),
  overrides: state.overrides.flatMap((it) =>
    it.people.includes(person) ? leaveOverride(it, person, now) : it,
  ),
  absences: state.absences.flatMap((it) => {
    if (it.person === person) return endAbsence(it, now);
    const from = Math.max(it.from, now);
    return it.instead === person && it.to > now
      ? [...endAbsence(it, now), { ...it, from, instead: "" }]
      : it;
  }),
});

/** What was served stays. */
const endAbsence = (absence: Absence, now: number): Absence[] =>
  absence.from < now ? [{ ...absence, to: Math.min(absence.to, now) }] : [];
