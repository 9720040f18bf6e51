// The choices of fields.
import { ALERT_URGENCIES } from "../domain/alerts/alert.ts";
import { TIME_ZONE_NAMES } from "../domain/shared/time-zones.ts";
import type { HolidayRegion } from "../features/oncall/holidays/contract.ts";
import type { Choice } from "../kernel/console/choice.ts";
import type { Names } from "./reads.ts";

export const choicesOf = (
  records: readonly { readonly id: string; readonly name: string }[],
): readonly Choice[] => records.map(({ id, name }) => ({ value: id, label: name }));

export const peopleChoices = ({ people }: Pick<Names, "people">): readonly Choice[] =>
  people.map(({ id, user }) => ({ value: id, label: user.name }));

export const asChoices = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: value }));

/** The most urgent first. */
export const URGENCIES = asChoices(ALERT_URGENCIES.toReversed());

/** The time zones, and a zone of which the list has only another name. */
export const zoneChoices = (zone: string): readonly Choice[] =>
  asChoices([...new Set([...TIME_ZONE_NAMES, zone])]);

/** The regions with public holidays by name: `Germany`, `Germany, Bayern, Stadt Augsburg`. */
export function regionChoices(regions: readonly HolidayRegion[]): readonly Choice[] {
  const byCode = new Map(regions.map((region) => [region.code, region]));
  const labelOf = ({ name, parent_code }: HolidayRegion): string => {
    const parent = parent_code === null ? undefined : byCode.get(parent_code);
    return parent ? `${labelOf(parent)}, ${name}` : name;
  };
  const byLabel = new Intl.Collator("en").compare;
  return regions
    .map((region) => ({ value: region.code, label: labelOf(region) }))
    .toSorted((one, other) => byLabel(one.label, other.label));
}
