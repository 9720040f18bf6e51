// The model's overrides when people leave, and when what they override changes (contract 4, Overrides).
import { DAY } from "./clock.ts";
import { areRelated, type Override, type Series, type State, shiftsIn } from "./model.ts";
import { type Hours, subtract, touches } from "./recurrence.ts";

const within = ({ hours }: Override, from: number, to: number): Hours[] =>
  hours
    .map((it) => ({ from: Math.max(it.from, from), to: Math.min(it.to, to) }))
    .filter((it) => it.from < it.to);

/** What a person served before an instant stays; from then on the hours return to those they replaced. */
export const leaveOverride = (override: Override, person: string, now: number): Override[] => {
  const people = override.people.replace(person, "");
  const after = { ...override, people, hours: within(override, now, Number.POSITIVE_INFINITY) };
  return [{ ...override, hours: within(override, 0, now) }, after].filter(
    ({ hours }) => hours.length > 0,
  );
};

/** The occurrences in which an override has hours. */
const overriddenIn = (series: Series, { hours }: Override) =>
  shiftsIn(series, Math.max(...hours.map(({ to }) => to))).filter((it) =>
    hours.some((own) => touches(own, { from: it.startAt, to: it.endAt })),
  );

/** Overrides of overrides that are gone are gone, too. */
export function withoutOrphans(state: State): State {
  const keys = new Set([...state.series, ...state.overrides].map(({ key }) => key));
  const overrides = state.overrides.filter(({ parent }) => parent === null || keys.has(parent));
  const left = { ...state, overrides };
  return overrides.length === state.overrides.length ? left : withoutOrphans(left);
}

/** Removes the overrides of a series that apply to none of its occurrences any more. */
export function withApplying(state: State, series: Series): State {
  const applies = (it: Override) =>
    shiftsIn(series, it.of + DAY).some(({ startAt }) => startAt === it.of) ||
    overriddenIn(series, it).length > 0;
  const overrides = state.overrides.filter((it) => it.parent !== series.key || applies(it));
  return withoutOrphans({ ...state, overrides });
}

/** A series was continued by another: overrides go with their occurrences, or become plain shifts. */
export function splitOverrides(
  state: State,
  series: Series,
  before: Series | null,
  after: Series,
): State {
  const others = state.series.filter(({ key }) => key !== series.key);
  const all = [...others, ...(before ? [before] : []), after];
  const overrides = state.overrides.flatMap((it) =>
    before && it.parent === series.key ? splitOverride(it, before, after) : [it],
  );
  return regroup({ ...state, series: all, overrides }, series.key, (it) => {
    const ofLater = overriddenIn(after, it).length > 0 ? [after.key] : [];
    const ofEarlier = before && overriddenIn(before, it).length > 0 ? [before.key] : [];
    return [...ofLater, ...ofEarlier];
  });
}

/** An override of occurrences of both series becomes one of each, unless these overlap. */
function splitOverride(override: Override, before: Series, after: Series): Override[] {
  const [earlier, later] = [overriddenIn(before, override), overriddenIn(after, override)];
  const boundary = Math.min(...later.map(({ startAt }) => startAt));
  const isApart = earlier.every(({ endAt }) => endAt <= boundary);
  if (earlier.length === 0 || later.length === 0 || !isApart) return [override];
  const rest = within(override, boundary, Number.POSITIVE_INFINITY);
  return [
    { ...override, hours: within(override, 0, boundary) },
    { ...override, key: `${override.key} later`, of: boundary, hours: rest },
  ];
}

/** A series lost an occurrence: what overrides nothing else becomes a plain shift. */
export const keepAsShifts = (state: State, series: Series): State =>
  regroup(state, series.key, (it) => (overriddenIn(series, it).length > 0 ? [series.key] : []));

/**
 * Decides anew which series the overrides of one replace; none: they are plain shifts. Of two that no longer replace
 * the same, the newer takes precedence no more: the older gives up the hours, so that the same people stay on call.
 */
function regroup(state: State, key: string, decide: (it: Override) => string[]): State {
  const before = state.overrides;
  const after = new Map<string, Override>();
  for (const it of before) {
    const above = it.parent === null ? undefined : after.get(it.parent);
    if (above) after.set(it.key, { ...it, replaces: above.replaces });
    else if (it.parent !== key) after.set(it.key, it);
    else {
      const replaces = decide(it);
      const parent = replaces[0] ?? null;
      after.set(it.key, { ...it, parent, replaces: parent === null ? [it.key] : replaces });
    }
  }
  const now = before.map((it) => ({ ...it, ...placeOf(after.get(it.key) ?? it) }));
  const overrides = now.map((it, index) => {
    const lost = now.filter((newer, other) => {
      const [was, wasNewer] = [before[index], before[other]];
      const isNewer = newer.order > it.order && newer.people !== "";
      return isNewer && was && wasNewer && areRelated(wasNewer, was) && !areRelated(newer, it);
    });
    const over = lost.flatMap(({ hours }) => hours);
    return { ...it, hours: it.hours.flatMap((hours) => subtract(hours, over)) };
  });
  return { ...state, overrides: overrides.filter(({ hours }) => hours.length > 0) };
}

const placeOf = ({ parent, replaces }: Override) => ({ parent, replaces });
