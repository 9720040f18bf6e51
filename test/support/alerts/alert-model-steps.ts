// What the reference model of an alert concludes from its workflows.
import type { ModelCaller, ModelWorkflow } from "./alert-model-types.ts";

/** The workflows that a caller's acknowledgement concerns: their own, else all. */
export function concernedBy(
  by: ModelCaller,
  workflows: readonly ModelWorkflow[],
): readonly ModelWorkflow[] {
  const own = workflows.filter(
    (it) => by.id !== null && [...it.everAsked, ...it.of.members].includes(by.id),
  );
  return (own.length > 0 ? own : workflows).filter((it) =>
    it.requested ? it.state === "open" : it.state !== "acknowledged",
  );
}

/** The next layer with anybody left, and the layers without. */
function nextLayer(workflow: ModelWorkflow, now: number) {
  const { of, rejected, layer: from, pass: first } = workflow;
  const skipped: string[] = [];
  for (let pass = first; pass <= of.repeat + 1; pass += 1) {
    const isWholePass = pass > first || from === null;
    for (const [i, { people, minutes }] of of.layers.entries()) {
      const layer = i + 1;
      if (!isWholePass && layer <= (from ?? 0)) continue;
      const onCall = now < of.until ? people : [];
      const asked = onCall.filter((one) => !rejected.includes(one));
      if (asked.length > 0) return { skipped, found: { layer, pass, asked, minutes } };
      const why = onCall.length === 0 ? "nobody is on call" : "everybody on call has passed it on";
      skipped.push(`${of.name}, step ${layer}: ${why}, skipped`);
    }
    if (isWholePass) break;
  }
  return { skipped, found: null };
}

/** The next layer, or the same one if somebody was notified of news alone and others are on it. */
export function followingLayer(workflow: ModelWorkflow, now: number) {
  const onwards = nextLayer(workflow, now);
  const { by, layer, of, rejected } = workflow;
  if (by === null) return onwards;
  const onCall = layer !== null && now < of.until ? (of.layers[layer - 1]?.people ?? []) : [];
  const others = onCall.filter((one) => one !== by && !rejected.includes(one));
  if (others.length === 0 && onwards.found !== null) return onwards;
  return nextLayer({ ...workflow, layer: layer === null ? null : layer - 1 }, now);
}

/** The timeline's entry of a layer that is notified until `due` (epoch ms). */
export function layerText(
  { of, layer, pass, asked }: ModelWorkflow,
  due: number,
  nameOf: (person: string) => string,
  isSilent: boolean,
): string {
  const where = `${of.name}, step ${layer}${pass > 1 ? `, pass ${pass}` : ""}`;
  const people = asked.map((one) => `${nameOf(one)} (${of.reason})`).join(", ");
  const verb = isSilent ? "would notify" : "notifying";
  return `${where}: ${verb} ${people}; next step at ${new Date(due).toISOString()}`;
}
