// The choices of fields.
import { ALERT_URGENCIES } from "../../domain/alerts/alert.ts";
import { TIME_ZONE_NAMES } from "../../domain/shared/time-zones.ts";
import type { Choice } from "../parts/shared/form.tsx";
import type { Names } from "../shared/names.ts";

/** Records by name. */
export const choicesOf = (
  records: readonly { readonly id: string; readonly name: string }[],
): readonly Choice[] => records.map(({ id, name }) => ({ value: id, label: name }));

/** The members by name. */
export const peopleChoices = ({ people }: Pick<Names, "people">): readonly Choice[] =>
  people.map(({ id, user }) => ({ value: id, label: user.name }));

/** Values that are their own labels. */
export const asChoices = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: value }));

/** The most urgent first. */
export const URGENCIES = asChoices(ALERT_URGENCIES.toReversed());

/** The time zones, and a zone of which the list has only another name. */
export const zoneChoices = (zone: string): readonly Choice[] =>
  asChoices([...new Set([...TIME_ZONE_NAMES, zone])]);
