// Draws changes of series and overrides that a schedule has.
import type { Line } from "../../../support/oncall/roster-reference.ts";
import type { Change } from "./changes.ts";
import { DAY, HOUR, instantOf, localOf } from "./clock.ts";
import type { RulePatch } from "./continuation.ts";
import type { Place } from "./draw.ts";
import { drawLine, drawSome, OFFICE } from "./draw-series.ts";
import { type Override, type Series, shiftsIn } from "./model.ts";
import { newestRoster, type When } from "./people.ts";
import { occurrencesOf, type Rule, touches } from "./recurrence.ts";

/** An occurrence, most often one to come. */
export function drawShift({ draw, now }: Place, series: Series, share = 0.85) {
  const all = shiftsIn(series, now + 40 * DAY);
  const ahead = all.filter(({ startAt }) => startAt > now);
  return draw.one(draw.chance(share) && ahead.length > 0 ? ahead.slice(0, 8) : all.slice(-20));
}

export function drawPeople(place: Place, series: Series): Change | null {
  const { draw, now, present } = place;
  const newest = newestRoster(series);
  const hasPlans = series.changes.some(({ at }) => at > now);
  if (hasPlans && draw.chance(0.5)) return drawLikewise(place, series);
  const kept = newest.line.map((it) => it.filter((person) => present.includes(person)));
  const others = [...present].filter((it) => !kept.flat().includes(it));
  const joined = draw.one(others);
  const variants: Line[] = [
    drawLine(present, draw, newest.rotates),
    kept.toReversed(),
    kept.slice(1),
    joined === undefined ? kept : [...kept, [joined]],
    joined === undefined ? kept : [[joined], ...kept],
    series.first.line.map((it) => it.filter((person) => present.includes(person))),
  ];
  const line =
    draw
      .one(variants)
      ?.filter((it, index, all) => it.length > 0 || (newest.rotates && index === all.length - 1)) ??
    [];
  if (line.flat().length === 0) return null;
  const shift = drawShift(place, series, 1);
  const instants: (When | null)[] = [
    null,
    null,
    null,
    "now",
    "now",
    "next_handoff",
    "after_full_rotation",
  ];
  const when =
    draw.one([...instants, now + (1 + draw.upTo(200)) * HOUR, shift?.startAt ?? null]) ?? null;
  if (typeof when === "number" && when <= now) return null;
  return { kind: "people", series: series.key, line, when };
}

/** Somebody leaves now, or joins at the end: also what is planned for later. */
function drawLikewise({ draw, now, present }: Place, series: Series): Change | null {
  const { line } = series.changes.findLast(({ at }) => at <= now) ?? series.first;
  const plans = series.changes.filter(({ at }) => at > now);
  const everybody = [line, ...plans.map((it) => it.line)].flat(2);
  const joined = draw.one([...present].filter((it) => !everybody.includes(it)));
  const isLeft = (all: Line) => all.flat().some((it) => !line[0]?.includes(it));
  const changed = joined !== undefined && draw.chance(0.5) ? [...line, [joined]] : line.slice(1);
  if (changed.length < line.length && ![line, ...plans.map((it) => it.line)].every(isLeft))
    return null;
  return { kind: "people", series: series.key, line: changed, when: "now", keepsPlans: true };
}

export function drawRule(place: Place, series: Series): Change | null {
  const { draw, now } = place;
  const { rule, changes, begins } = series;
  const isSimple = changes.length === 0 && begins === null && series.cutAt === null;
  const by = (draw.one([-2, -1, 1, 3]) ?? 1) * HOUR;
  const moved = (at: number) => instantOf(rule.zone, localOf(rule.zone, at) + by);
  const patches: (RulePatch | null)[] = [
    { layer: 3 - rule.layer > 0 ? 3 - rule.layer : 1 },
    { priority: 1 - rule.priority },
    rule.unit === null ? null : { lastDay: now + (8 + draw.upTo(40)) * DAY },
    isSimple ? { start: moved(rule.start), end: moved(rule.end) } : null,
    isSimple && rule.unit !== null && rule.unit !== "hourly" ? { every: 3 - rule.every } : null,
    rule.unit === "daily" && isSimple
      ? { days: rule.days.length > 0 ? [] : [1, 2, 3, 4, 5] }
      : null,
    rule.unit === "weekly" ? { restrictions: rule.restrictions.length > 0 ? [] : [OFFICE] } : null,
  ];
  const patch = draw.one(patches) ?? null;
  if (patch?.priority === 0 && newestRoster(series).line.flat().length === 0) return null;
  if (!patch || !hasOccurrence({ ...rule, ...patch })) return null;
  return { kind: "rule", series: series.key, patch };
}

const hasOccurrence = (rule: Rule) =>
  rule.end > rule.start && occurrencesOf(rule, rule.start + 60 * DAY).length > 0;

export function drawFollowing(place: Place, series: Series): Change | null {
  const { draw, key, present } = place;
  const { rule } = series;
  const shift = drawShift(place, series, 0.9);
  if (!shift || rule.unit === null) return null;
  const by = (draw.one([-3, -1, 1, 2]) ?? 1) * HOUR;
  const moved = (at: number) => instantOf(rule.zone, localOf(rule.zone, at) + by);
  const patches: (RulePatch | null)[] = [
    { layer: rule.layer === 1 ? 2 : 1 },
    { start: moved(shift.startAt), end: moved(shift.endAt) },
    { end: moved(shift.endAt) },
    rule.unit === "hourly" ? null : { every: 3 - rule.every },
    rule.unit === "daily" ? { days: rule.days.length > 0 ? [] : [1, 2, 3, 4, 5] } : null,
    rule.unit === "weekly" ? { restrictions: rule.restrictions.length > 0 ? [] : [OFFICE] } : null,
  ];
  const isPeople = draw.chance(0.25) && newestRoster(series).line.flat().length > 0;
  const patch = isPeople ? {} : draw.one(patches);
  const line = isPeople ? drawLine(present, draw, newestRoster(series).rotates) : undefined;
  if (!patch) return null;
  return {
    kind: "following",
    series: series.key,
    key,
    at: shift.startAt,
    patch,
    ...(line && { line }),
  };
}

export function drawOverride(
  place: Place,
  override: Override | undefined,
  series: Series | undefined,
): Change | null {
  const { draw, key } = place;
  const shift = series && drawShift(place, series);
  const hours = override ? override.hours[0] : shift && { from: shift.startAt, to: shift.endAt };
  if (!hours || !series) return null;
  const length = hours.to - hours.from;
  const step = length > 2 * DAY ? DAY : HOUR;
  const from = hours.from + (draw.upTo(Math.floor(length / step) + 1) - 2) * step;
  const to = from + (1 + draw.upTo(Math.floor((length * 1.3) / step))) * step;
  if (!touches({ from, to }, hours)) return null;
  const layer = draw.chance(0.85) ? (override?.layer ?? series.rule.layer) : 2;
  const of = override?.key ?? series.key;
  return { kind: "override", key, of, at: hours.from, from, to, layer, people: drawSome(place, 2) };
}

export function movedOverride({ draw }: Place, override: Override): Change | null {
  const [hours] = override.hours;
  if (!hours) return null;
  const from = hours.from + draw.upTo(1) * HOUR;
  return {
    kind: "override_hours",
    key: override.key,
    from,
    to: Math.max(from, hours.to) + draw.upTo(3) * HOUR,
  };
}

/** An absence; two covers of a person do not share time. */
export function drawAbsence({ draw, state, now, present, key }: Place): Change | null {
  const [person, other] = draw.some([...present], 2);
  if (person === undefined || other === undefined) return null;
  const from = now + (draw.upTo(10 * 24) - 24) * HOUR;
  const to = Math.max(now, from) + (1 + draw.upTo(12 * 24)) * HOUR;
  const instead = draw.one([other, "next", "next", "nobody", "skip", "skip"]) ?? "next";
  const own = state.absences.filter((it) => it.person === person && it.instead !== "skip");
  if (instead !== "skip" && own.some((it) => touches(it, { from, to }))) return null;
  return { kind: "absence", key, person, from, to, instead };
}
