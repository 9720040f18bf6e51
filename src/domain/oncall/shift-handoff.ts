// Computes shift handoffs: who goes off and on call, layer by layer, and who is notified. Pure.
import type { OnCallSchedule } from "./absences/absence.ts";
import { nextBoundary, onCallAt } from "./oncall.ts";

export type LayerHandoff = {
  readonly layer: number;
  /** Account user ids. */
  readonly off: readonly string[];
  readonly on: readonly string[];
};

/** Account user ids on call, by layer; layers without anyone are omitted. */
export type OnCallLayers = Readonly<Record<number, readonly string[]>>;

/** Who is on call at an instant (epoch ms). */
function layersAt(schedule: OnCallSchedule, at: number): OnCallLayers {
  const layers: Record<number, string[]> = {};
  for (const { layer, attendees } of onCallAt(schedule, at)) {
    const people = layers[layer] ?? [];
    people.push(...attendees.map(({ attendeeId }) => attendeeId));
    layers[layer] = [...new Set(people)];
  }
  return layers;
}

/** The layers on which someone goes off or on call, ascending; empty = no handoff. */
function handoffsBetween(before: OnCallLayers, after: OnCallLayers): LayerHandoff[] {
  const layers = [...new Set([...Object.keys(before), ...Object.keys(after)].map(Number))];
  return layers
    .sort((a, b) => a - b)
    .flatMap((layer) => {
      const [previous, next] = [before[layer] ?? [], after[layer] ?? []];
      const off = previous.filter((id) => !next.includes(id));
      const on = next.filter((id) => !previous.includes(id));
      return off.length + on.length === 0 ? [] : [{ layer, off, on }];
    });
}

/** The same at `boundary` (epoch ms). */
export function handoffsAt(schedule: OnCallSchedule, boundary: number): LayerHandoff[] {
  return handoffsBetween(layersAt(schedule, boundary - 1), layersAt(schedule, boundary));
}

export type Handoff = {
  readonly at: number;
  readonly layers: readonly LayerHandoff[];
  /** Who is on call afterwards. */
  readonly onCall: OnCallLayers;
};

export type HandoffsSince = {
  readonly handoffs: readonly Handoff[];
  readonly onCall: OnCallLayers;
  /** The next boundary (epoch ms), possibly already due; null: none. */
  readonly nextAt: number | null;
};

/** Maximum number of boundaries processed per call, in case a timer fires late. */
const MAX_BOUNDARIES = 50;

/**
 * All changes of who is on call from the last check up to `now` (epoch ms): one handoff per due
 * boundary, and one for any remaining difference, such as an edited schedule.
 *
 * @param known who was on call at the last check; null: unknown, treated as unchanged
 * @param dueAt the boundary that was scheduled (epoch ms); null: none
 */
export function handoffsSince(
  schedule: OnCallSchedule,
  known: OnCallLayers | null,
  dueAt: number | null,
  now: number,
): HandoffsSince {
  const handoffs: Handoff[] = [];
  let onCall = known ?? layersAt(schedule, now);
  const check = (at: number) => {
    const after = layersAt(schedule, at);
    const layers = handoffsBetween(onCall, after);
    if (layers.length > 0) handoffs.push({ at, layers, onCall: after });
    onCall = after;
  };
  let boundary = known === null ? null : dueAt;
  for (let count = 0; boundary !== null && boundary <= now; count += 1) {
    if (count === MAX_BOUNDARIES) return { handoffs, onCall, nextAt: boundary };
    check(boundary);
    boundary = nextBoundary(schedule, boundary);
  }
  check(now);
  return { handoffs, onCall, nextAt: nextBoundary(schedule, now) };
}

/**
 * The recipients of `oncall_rotation` at a handoff: everyone on call afterwards and, for a layer
 * left without anyone, those who went off it.
 */
export function rotationRecipients({ layers, onCall }: Handoff): string[] {
  const emptied = layers.filter(({ layer }) => onCall[layer] === undefined);
  return [...new Set([...Object.values(onCall).flat(), ...emptied.flatMap(({ off }) => off)])];
}

/** The handoff message. `nameOf` returns a person's name by account user id. */
export function handoffNotice(
  team: string,
  { at, layers }: Pick<Handoff, "at" | "layers">,
  nameOf: (id: string) => string,
): { readonly subject: string; readonly text: string } {
  const lines = layers.map(({ layer, off, on }) => {
    const names = (ids: readonly string[]) =>
      ids.length === 0 ? "nobody" : ids.map(nameOf).join(", ");
    return `Step ${layer}: ${names(on)} on call, ${names(off)} off call`;
  });
  return {
    subject: `On call for ${team}: ${lines[0] ?? "no change"}`,
    text: `${[`On call for ${team} since ${new Date(at).toISOString()}`, "", ...lines].join("\n")}\n`,
  };
}
