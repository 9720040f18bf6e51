// The model's changes of a rule: of a whole series, or from one occurrence on (contract 4, Changes of a series).
import {
  type Line,
  type ReferenceOccurrence,
  walk,
} from "../../../support/oncall/roster-reference.ts";
import { addMonths, DAY, dateOf, instantOf, localOf } from "./clock.ts";
import { occurrencesIn, type Series, type State } from "./model.ts";
import { withoutGone } from "./overrides.ts";
import { changePeople, HORIZON, isSameRoster, newestRoster } from "./people.ts";
import type { Rule } from "./recurrence.ts";
import { changeLater, laterOf } from "./versions.ts";

/** Fields of a rule; start and end are those of the first occurrence that changes. */
export type RulePatch = Partial<Omit<Rule, "unit" | "skipsAway">>;

/** Another rule for the whole series, from its first occurrence on. */
export function changeRule(series: Series, patch: RulePatch): Series {
  const rule = { ...series.rule, ...patch };
  const by = localOf(rule.zone, rule.start) - localOf(series.rule.zone, series.rule.start);
  const changed = { ...series, rule };
  return { ...changed, removed: carryRemoved(series, changed, by) };
}

/** Each removed occurrence becomes the one that replaces it: moved alike on the wall clock, else of that date. */
function carryRemoved(before: Series, after: Series, by: number): number[] {
  const { zone, unit } = after.rule;
  const until = Math.max(0, ...before.removed) + 9 * DAY;
  const starts = occurrencesIn({ ...after, removed: [] }, until).map(({ startAt }) => startAt);
  return before.removed.flatMap((at) => {
    const local = localOf(before.rule.zone, at) + by;
    const isThere = (it: number) => starts.includes(it);
    const exact = [...(by === 0 ? [at] : []), instantOf(zone, local)].find(isThere);
    const ofDate = starts.find((it) => dateOf(localOf(zone, it)) === dateOf(local));
    return exact ?? (unit === "hourly" ? [] : (ofDate ?? []));
  });
}

/** Another rule, or other people, from one occurrence on, as another version that goes on with the turns. */
export function changeFollowing(
  state: State,
  series: Series,
  change: {
    readonly key: string;
    readonly at: number;
    readonly patch: RulePatch;
    readonly line?: Line;
  },
  now: number,
): State {
  const { key, at, patch, line } = change;
  const all = occurrencesIn(series, at + HORIZON);
  const occurrence = all.find(({ startAt, isRemoved }) => startAt === at && !isRemoved);
  if (!occurrence) throw new Error(`no occurrence at ${at}`);
  const newest = newestRoster(series);
  const roster = { rotates: newest.rotates, line: line ?? newest.line };
  const isReplaced = line && series.changes.some((it) => it.at > Math.max(now, at));
  const isSame = isSameRoster(roster, newest) && !isReplaced;
  const isFirst = all[0] === occurrence;
  const { rule, by } = continueRule(series, occurrence, patch);
  const moved = (instant: number) =>
    by === 0 ? instant : instantOf(rule.zone, localOf(series.rule.zone, instant) + by);
  const handoffs = new Set(all.map(({ startAt }) => startAt));
  const started: Series = {
    ...{ key: isFirst ? series.key : key, chain: series.chain, rule, removed: [] },
    begins: { at: patch.start ?? at, turn: occurrence.turn },
    cutAt: series.cutAt === null ? null : moved(series.cutAt),
    first: walk(series.first, all, series.changes, at).standing,
    // What is planned for a handoff moves with it.
    changes: decided(series, now)
      .filter((it) => it.at >= at)
      .map((it) => (handoffs.has(it.at) ? { ...it, at: moved(it.at) } : it)),
  };
  const ahead = { ...series, removed: series.removed.filter((it) => it > at) };
  const carried = { ...started, removed: carryRemoved(ahead, started, by) };
  // New people serve from the first occurrence on, but never before now.
  const from = Math.max(now, occurrencesIn(carried, at + HORIZON)[0]?.startAt ?? now);
  const isAnew = isFirst && series.begins === null && from >= now && from === (patch.start ?? at);
  const changed = changePeople(isAnew ? { ...carried, begins: null } : carried, roster, from);
  const after = isSame ? carried : { ...changed, begins: carried.begins };
  const others = state.series.filter((it) => it.key !== series.key);
  const before = isFirst ? [] : [{ ...series, cutAt: at }];
  const changedState = { ...state, series: [...others, ...before, after] };
  const later = laterOf(state, series);
  const people = { was: series, is: after, at: from, keepsPlans: line === undefined };
  const followed = changeLater(changedState, later, people);
  const isStill = isSame && later.every((it) => followed.series.includes(it));
  if (isStill && Object.keys(patch).length === 0) return state;
  return withoutGone(state, followed, series.chain, false);
}

/** The changes of people; those that have taken effect stay as they were decided, whatever the hours become. */
const decided = (series: Series, now: number) =>
  series.changes.map((it) => {
    if (it.at > now) return it;
    const isInside = occurrencesIn(series, it.at).some(({ endAt }) => endAt > it.at);
    return { isInside, isBetween: !isInside, ...it };
  });

/**
 * The rule from an occurrence on, and by how much its starts move on the wall clock (ms). It goes on counting from
 * where the old one counts from; with another number of days, hours or months, from the occurrence, and of weeks, from
 * the first day of the week that the occurrence is in.
 */
function continueRule(series: Series, occurrence: ReferenceOccurrence, patch: RulePatch) {
  const old = series.rule;
  const { startAt, endAt } = occurrence;
  const edited: Rule = { ...old, start: startAt, end: endAt, ...patch };
  const { zone, start, end } = edited;
  const first = localOf(old.zone, old.start);
  // As the rule says, apart from clock changes.
  const nominal = dateOf(localOf(old.zone, startAt)) + first - dateOf(first);
  const isZone = zone !== old.zone;
  const by = isZone || start !== startAt ? localOf(zone, start) - nominal : 0;
  const endBy = isZone || end !== endAt ? localOf(zone, end) - localOf(old.zone, endAt) : 0;
  // A rule does not count from times that a change of clocks skips.
  const from = (localStart: number, localEnd: number): Rule => {
    const counted = { start: instantOf(zone, localStart), end: instantOf(zone, localEnd) };
    const isExact =
      localOf(zone, counted.start) === localStart && localOf(zone, counted.end) === localEnd;
    return isExact ? { ...edited, ...counted } : edited;
  };
  if (old.unit === "hourly")
    return { rule: edited, by: localOf(zone, start) - localOf(old.zone, startAt) };
  if (edited.every !== old.every) {
    if (old.unit !== "weekly") return { rule: edited, by };
    const inWeek = (dateOf(nominal) - dateOf(first)) % (old.every * 7 * DAY);
    return { rule: from(localOf(zone, start) - inWeek, localOf(zone, end) - inWeek), by };
  }
  if (by === 0 && endBy === 0) return { rule: { ...edited, start: old.start, end: old.end }, by };
  const isOtherDay = dateOf(nominal + by) !== dateOf(nominal);
  const isWholeMonths = [1, 2, 3].some((it) => addMonths(first, it) === localOf(old.zone, old.end));
  const isAnew = old.unit === "monthly" && (isOtherDay || (isWholeMonths && by !== endBy));
  const last = localOf(old.zone, old.end);
  return { rule: isAnew ? edited : from(first + by, last + endBy), by };
}
