// A plan in words: who is on call now, until when, and who follows.
import { capitalized } from "../../../domain/shared/words.ts";
import {
  type DoubleShift,
  gapsOf,
  type PlannedLayer,
  type RotationPlan,
  type ShownChange,
} from "./planned-shifts.ts";

export type Wording = {
  readonly nameOf: (id: string) => string;
  /** A day and a time, such as `Mon 23 Nov 09:00`. */
  readonly timeOf: (at: number) => string;
};

/** `Ada`, `Ada and Mo`, `Ada, Mo and Grace`; `nobody` for none. */
export function namesText(people: readonly string[], { nameOf }: Wording): string {
  const names = people.map(nameOf);
  const last = names.pop();
  if (last === undefined) return "nobody";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

/**
 * `Mo is on call now and stays until Mon 23 Nov 09:00; then Ada.`
 *
 * @param isLater whether the plan does not begin now
 */
export function layerText(
  { shifts }: PlannedLayer,
  to: number,
  wording: Wording,
  isLater = false,
): string {
  const [first, second] = shifts;
  if (!first) return "";
  const names = capitalized(namesText(first.people, wording));
  const are = first.people.length > 1 ? "are" : "is";
  if (first.until >= to) return `${names} ${are} on call for the whole time.`;
  const until = wording.timeOf(first.until);
  const next = second ? namesText(second.people, wording) : "nobody";
  if (isLater) return `${names} ${are} on call until ${until}; then ${next}.`;
  if (first.people.length === 0) return `Nobody is on call now; from ${until} ${next}.`;
  const stay = first.people.length > 1 ? "stay" : "stays";
  return `${names} ${are} on call now and ${stay} until ${until}; then ${next}.`;
}

/** How much of a layer is without anybody; null if nothing is. */
export function gapText(layer: PlannedLayer, wording: Wording): string | null {
  const gaps = gapsOf(layer);
  const [first] = gaps;
  if (!first) return null;
  const times = spanText(first, layer.shifts.at(-1)?.until ?? first.until, wording);
  if (gaps.length === 1) return `Nobody is on call ${times}.`;
  return `Nobody is on call ${gaps.length} times, first ${times}.`;
}

/** `Ada is on steps 1 and 2 at once Mon 23 Nov 09:00 – Mon 30 Nov 09:00.`, of one person's in the order of time. */
export function doubleText(doubles: readonly DoubleShift[], to: number, wording: Wording): string {
  const [first] = doubles;
  if (!first) return "";
  const layers = [...new Set(doubles.flatMap((it) => it.layers))].sort((a, b) => a - b).map(String);
  const steps = namesText(layers, { ...wording, nameOf: (layer) => layer });
  const times = spanText(first, to, wording);
  const when = doubles.length === 1 ? times : `${doubles.length} times, first ${times}`;
  return `${wording.nameOf(first.person)} is on steps ${steps} at once ${when}.`;
}

type Span = { readonly from: number; readonly until: number };

/** `Mon 23 Nov 09:00 – Mon 30 Nov 09:00`, or `from Mon 23 Nov 09:00 on` to the end of the plan. */
export const spanText = ({ from, until }: Span, to: number, { timeOf }: Wording): string =>
  until < to ? `${timeOf(from)} – ${timeOf(until)}` : `from ${timeOf(from)} on`;

/** `Mon 23 Nov 09:00 – Mon 30 Nov 09:00: Ada instead of Mo`. */
export function changeText(change: ShownChange, to: number, wording: Wording): string {
  const { people, before } = change;
  const times = capitalized(spanText(change, to, wording));
  return `${times}: ${namesText(people, wording)} instead of ${namesText(before, wording)}`;
}

/** The changes that take somebody off call, or put another person on: not those that close a gap. */
export const replacements = ({ changes }: RotationPlan): readonly ShownChange[] =>
  changes.filter(({ before }) => before.length > 0);
