// Generates sequences of changes. It needs the model alone: a sequence is plain data, and can be repeated, cut short
// and written down.
import { applyChange, type Change } from "./changes.ts";
import { clockChanges, DAY, HOUR, ZONES } from "./clock.ts";
import { Draw, type Place, randomOf } from "./draw.ts";
import {
  drawAbsence,
  drawFollowing,
  drawOverride,
  drawPeople,
  drawRule,
  drawShift,
  movedOverride,
} from "./draw-changes.ts";
import { drawCreate, drawSome } from "./draw-series.ts";
import { EMPTY, piecesByHand, type State, shiftsIn } from "./model.ts";
import { touches } from "./recurrence.ts";

/** A change, and how long after the one before it (ms). */
export type Step = { readonly after: number; readonly change: Change };

export type Sequence = {
  /** When it begins (epoch ms). */
  readonly start: number;
  readonly steps: readonly Step[];
};

export const PEOPLE = "ABCDEF";

/** Changes with how often they are drawn, relative to each other. */
const KINDS: readonly [Change["kind"], number][] = [
  ["create", 14],
  ["people", 20],
  ["rule", 8],
  ["following", 16],
  ["override", 22],
  ["override_hours", 4],
  ["override_people", 3],
  ["exception", 7],
  ["terminate", 4],
  ["remove_part", 5],
  ["delete", 4],
  ["flush", 1],
  ["leave_account", 2],
  ["leave_team", 3],
  ["undo", 9],
  ["race", 5],
  ["absence", 12],
  ["end_absence", 4],
];

/** A sequence of a length for a seed, which begins in the weeks before a change of clocks or the end of February. */
export function generate(seed: number, length: number): Sequence {
  const draw = new Draw(randomOf(seed));
  const zone = draw.one(Object.keys(ZONES)) ?? "UTC";
  const changes = clockChanges(zone, Date.UTC(2031, 1, 1), Date.UTC(2032, 1, 1));
  const ends = [Date.UTC(2031, 1, 26), Date.UTC(2032, 1, 27)];
  const near = (draw.chance(0.7) ? draw.one(changes) : draw.one(ends)) ?? Date.UTC(2031, 2, 1);
  const start =
    Math.floor((near - draw.upTo(20 * 24) * HOUR) / HOUR) * HOUR +
    draw.upTo(1) * 1_000 * draw.upTo(3599);
  const steps: Step[] = [];
  let [state, now, present] = [EMPTY, start, PEOPLE];
  let before: State | null = null;
  for (let tries = 0; steps.length < length && tries < 20 * length; tries++) {
    const after = steps.length === 0 ? 0 : (draw.one([1_000, HOUR, 5 * HOUR, DAY, 3 * DAY]) ?? 0);
    const place = { state, now: now + after, zone, present, draw, key: `s${steps.length}` };
    const change = drawChange(
      place,
      steps.length === 0 || before === null ? null : (steps.at(-1)?.change ?? null),
    );
    if (!change) continue;
    try {
      const next = change.kind === "undo" ? (before ?? state) : applied(state, change, now + after);
      if (
        next.series.some(
          (it) => shiftsIn(it, now + 90 * DAY).length === 0 && !state.series.includes(it),
        )
      )
        continue;
      if (change.kind === "leave_account") present = present.replace(change.person, "");
      if (change.kind === "leave_team") present = present.replace(change.person, "");
      before = isUndoable(change) ? state : null;
      [state, now] = [next, now + after];
      steps.push({ after, change });
    } catch {
      // Of two changes at once one would have been refused: another is drawn.
    }
  }
  return { start, steps };
}

const isUndoable = ({ kind }: Change) =>
  !["undo", "race", "leave_account", "leave_team", "absence", "end_absence"].includes(kind);

const applied = (state: State, change: Change, now: number): State =>
  change.kind === "race"
    ? applyChange(applyChange(state, change.one, now), change.other, now)
    : applyChange(state, change, now);

function drawChange(place: Place, last: Change | null): Change | null {
  const { draw, state } = place;
  const total = KINDS.reduce((sum, [, weight]) => sum + weight, 0);
  let at = draw.random() * total;
  const kind =
    KINDS.find(([, weight]) => {
      at -= weight;
      return at < 0;
    })?.[0] ?? "create";
  if (state.series.length === 0 && kind !== "undo") return drawCreate(place);
  if (kind === "undo") return last ? { kind } : null;
  if (kind !== "race") return drawOne(place, kind);
  const kinds = ["people", "override", "exception", "following", "override_people"] as const;
  const one = drawOne(place, draw.one(kinds) ?? "people");
  const other = drawOne({ ...place, key: `${place.key}r` }, draw.one(kinds) ?? "override");
  return one && other ? { kind, one, other } : null;
}

function drawOne(place: Place, kind: Change["kind"]): Change | null {
  const { state, now, draw, present } = place;
  const series = draw.one(state.series);
  const override = draw.one(
    state.overrides.filter(
      (it) =>
        it.people !== "" &&
        !it.key.includes(" ") &&
        it.hours.length === 1 &&
        (it.hours[0]?.from ?? 0) > now,
    ),
  );
  switch (kind) {
    case "create":
      return state.series.length > 3 ? null : drawCreate(place);
    case "people":
      return series ? drawPeople(place, series) : null;
    case "rule":
      return series ? drawRule(place, series) : null;
    case "following":
      return series ? drawFollowing(place, series) : null;
    case "override":
      return drawOverride(place, draw.chance(0.3) ? override : undefined, series);
    case "override_hours":
      return override ? movedOverride(place, override) : null;
    case "override_people":
      return override ? { kind, key: override.key, people: drawSome(place, 2) } : null;
    case "exception":
    case "terminate": {
      const shift = series && drawShift(place, series);
      return shift && series.rule.unit !== null
        ? { kind, series: series.key, at: shift.startAt }
        : null;
    }
    case "remove_part": {
      const shift = series && drawShift(place, series);
      if (!shift || shift.startAt <= now) return null;
      const parts = piecesByHand(state, shift.endAt).filter(
        (it) =>
          it.series === series.key &&
          it.byHandAt === null &&
          it.from >= shift.startAt &&
          it.to <= shift.endAt &&
          it.who !== "",
      );
      const isAlone =
        shiftsIn(series, shift.endAt).filter((it) =>
          touches({ from: it.startAt, to: it.endAt }, { from: shift.startAt, to: shift.endAt }),
        ).length === 1;
      const part = draw.one(parts);
      return part && isAlone && series.rule.unit !== null
        ? { kind, series: series.key, at: part.from }
        : null;
    }
    case "delete": {
      const key = draw.chance(0.5) ? override?.key : series?.key;
      return key === undefined ? null : { kind, key };
    }
    case "flush":
      return { kind };
    case "leave_account":
    case "leave_team": {
      const person = draw.one([...present.slice(2)]);
      if (person === undefined) return null;
      const isAlone = state.series.some((it) =>
        [it.first, ...it.changes].some(({ line }) => line.flat().join("") === person),
      );
      return isAlone ? null : { kind, person };
    }
    case "absence":
      return drawAbsence(place);
    case "end_absence": {
      const absence = draw.one(state.absences.filter(({ to }) => to > now));
      return absence ? { kind, key: absence.key } : null;
    }
    default:
      return null;
  }
}
