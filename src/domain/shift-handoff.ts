// What changes at a shift's boundary: who goes off call and who comes on, layer by layer. Pure.
import { type OnCallEvent, onCallAt } from "./oncall.ts";

export type LayerHandoff = {
  readonly layer: number;
  /** Account user ids. */
  readonly off: readonly string[];
  readonly on: readonly string[];
};

function peopleByLayer(events: readonly OnCallEvent[], at: number): Map<number, Set<string>> {
  const layers = new Map<number, Set<string>>();
  for (const { layer, attendees } of onCallAt(events, at)) {
    const people = layers.get(layer) ?? new Set();
    for (const { attendeeId } of attendees) people.add(attendeeId);
    layers.set(layer, people);
  }
  return layers;
}

/** The layers on which somebody goes off or comes on at `boundary` (epoch ms), ascending; none = no handoff. */
export function handoffsAt(events: readonly OnCallEvent[], boundary: number): LayerHandoff[] {
  const before = peopleByLayer(events, boundary - 1);
  const after = peopleByLayer(events, boundary);
  const layers = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return layers.flatMap((layer) => {
    const was = before.get(layer) ?? new Set<string>();
    const is = after.get(layer) ?? new Set<string>();
    const off = [...was].filter((id) => !is.has(id));
    const on = [...is].filter((id) => !was.has(id));
    return off.length + on.length === 0 ? [] : [{ layer, off, on }];
  });
}

/** What the recipients are told. `nameOf` gives a person's name by account user id. */
export function handoffNotice(
  team: string,
  boundary: number,
  handoffs: readonly LayerHandoff[],
  nameOf: (id: string) => string,
): { readonly subject: string; readonly text: string } {
  const said = handoffs.map(({ layer, off, on }) => {
    const names = (ids: readonly string[]) =>
      ids.length === 0 ? "nobody" : ids.map(nameOf).join(", ");
    return `Layer ${layer}: ${names(on)} on call, ${names(off)} off call`;
  });
  return {
    subject: `On call for ${team}: ${said[0] ?? "no change"}`,
    text: `${[`On call for ${team} since ${new Date(boundary).toISOString()}`, "", ...said].join("\n")}\n`,
  };
}
