// What changes when people go off call and on call, layer by layer, and who is notified of it. Pure.

import type { OnCallEvent } from "./on-call-event.ts";
import { nextBoundary, onCallAt } from "./oncall.ts";

export type LayerHandoff = {
  readonly layer: number;
  /** Account user ids. */
  readonly off: readonly string[];
  readonly on: readonly string[];
};

/** Who is on call: account user ids by layer; a layer without anybody is left out. */
export type OnCallLayers = Readonly<Record<number, readonly string[]>>;

/** Who is on call at an instant (epoch ms). */
function layersAt(events: readonly OnCallEvent[], at: number): OnCallLayers {
  const layers: Record<number, string[]> = {};
  for (const { layer, attendees } of onCallAt(events, at)) {
    const people = layers[layer] ?? [];
    people.push(...attendees.map(({ attendeeId }) => attendeeId));
    layers[layer] = [...new Set(people)];
  }
  return layers;
}

/** The layers on which somebody goes off or comes on, ascending; none = no handoff. */
function handoffsBetween(before: OnCallLayers, after: OnCallLayers): LayerHandoff[] {
  const layers = [...new Set([...Object.keys(before), ...Object.keys(after)].map(Number))];
  return layers
    .sort((a, b) => a - b)
    .flatMap((layer) => {
      const [was, is] = [before[layer] ?? [], after[layer] ?? []];
      const off = was.filter((id) => !is.includes(id));
      const on = is.filter((id) => !was.includes(id));
      return off.length + on.length === 0 ? [] : [{ layer, off, on }];
    });
}

/** The layers on which somebody goes off or comes on at `boundary` (epoch ms), ascending; none = no handoff. */
export function handoffsAt(events: readonly OnCallEvent[], boundary: number): LayerHandoff[] {
  return handoffsBetween(layersAt(events, boundary - 1), layersAt(events, boundary));
}

export type Handoff = {
  readonly at: number;
  readonly layers: readonly LayerHandoff[];
  /** Who is on call from then on. */
  readonly onCall: OnCallLayers;
};

export type HandoffsSince = {
  readonly handoffs: readonly Handoff[];
  readonly onCall: OnCallLayers;
  /** The next boundary (epoch ms), which may be due already; null: there is none. */
  readonly nextAt: number | null;
};

/** Boundaries worked through in one go, should a timer come that late. */
const MOST_AT_ONCE = 50;

/**
 * Every change of who is on call since it was `known`, up to `now` (epoch ms): those at the
 * boundaries that are due, and, whatever made it, the difference that remains.
 *
 * @param known who was on call when this was last asked; null: not known, nothing has changed
 * @param dueAt the boundary that was waited for (epoch ms); null: none
 */
export function handoffsSince(
  events: readonly OnCallEvent[],
  known: OnCallLayers | null,
  dueAt: number | null,
  now: number,
): HandoffsSince {
  const handoffs: Handoff[] = [];
  let onCall = known ?? layersAt(events, now);
  const look = (at: number) => {
    const after = layersAt(events, at);
    const layers = handoffsBetween(onCall, after);
    if (layers.length > 0) handoffs.push({ at, layers, onCall: after });
    onCall = after;
  };
  let boundary = known === null ? null : dueAt;
  for (let looked = 0; boundary !== null && boundary <= now; looked += 1) {
    if (looked === MOST_AT_ONCE) return { handoffs, onCall, nextAt: boundary };
    look(boundary);
    boundary = nextBoundary(events, boundary);
  }
  look(now);
  return { handoffs, onCall, nextAt: nextBoundary(events, now) };
}

/**
 * Whom `oncall_rotation` means at a handoff: everybody on call from then on, and, where a layer is
 * left without anybody, those who went off it.
 */
export function rotationAt({ layers, onCall }: Handoff): string[] {
  const intoGap = layers.filter(({ layer }) => onCall[layer] === undefined);
  return [...new Set([...Object.values(onCall).flat(), ...intoGap.flatMap(({ off }) => off)])];
}

/** What the recipients are told. `nameOf` gives a person's name by account user id. */
export function handoffNotice(
  team: string,
  { at, layers }: Pick<Handoff, "at" | "layers">,
  nameOf: (id: string) => string,
): { readonly subject: string; readonly text: string } {
  const said = layers.map(({ layer, off, on }) => {
    const names = (ids: readonly string[]) =>
      ids.length === 0 ? "nobody" : ids.map(nameOf).join(", ");
    return `Layer ${layer}: ${names(on)} on call, ${names(off)} off call`;
  });
  return {
    subject: `On call for ${team}: ${said[0] ?? "no change"}`,
    text: `${[`On call for ${team} since ${new Date(at).toISOString()}`, "", ...said].join("\n")}\n`,
  };
}
