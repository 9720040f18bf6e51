// The people that a calendar event names: addresses of attendees and organizer, addresses in its
// texts, and what Tocsin's own feeds state.
import type { CalendarEntry } from "../../domain/oncall/imports/calendar-entry.ts";
import {
  type Component,
  firstOf,
  LAYER_PROPERTY,
  PEOPLE_PROPERTY,
  type Property,
  propertiesOf,
  textOf,
} from "./content-lines.ts";

/** Bounded, so that a long text without an address takes linear time. */
const ADDRESS = /[^\s<>()[\]\\,;:"'@|]{1,64}@[^\s<>()[\]\\,;:"'@|]{1,190}\.[a-z0-9-]{2,63}/gi;
const WHOLE_ADDRESS = new RegExp(`^${ADDRESS.source}$`, "i");

/** Limits per event. */
const MAX_ADDRESSES = 50;
const MAX_TEXT = 20_000;
const MAX_SUMMARY = 200;

const lower = (addresses: readonly string[]) => [
  ...new Set(addresses.map((it) => it.toLowerCase())),
];

const addressesIn = (text: string): readonly string[] =>
  lower(text.match(ADDRESS) ?? []).slice(0, MAX_ADDRESSES);

const parameterOf = ({ parameters }: Property, name: string): string =>
  (parameters.get(name) ?? "").toUpperCase();

/** The address of an ATTENDEE or ORGANIZER; some programs write it without `mailto:`. */
function addressOf({ value, parameters }: Property): string | null {
  const address = value.replace(/^mailto:/i, "").trim();
  if (WHOLE_ADDRESS.test(address)) return address.toLowerCase();
  const parameter = (parameters.get("email") ?? "").trim();
  return WHOLE_ADDRESS.test(parameter) ? parameter.toLowerCase() : null;
}

const isThing = (property: Property) =>
  ["RESOURCE", "ROOM"].includes(parameterOf(property, "cutype"));

const hasDeclined = (property: Property) =>
  parameterOf(property, "partstat") === "DECLINED" ||
  parameterOf(property, "role") === "NON-PARTICIPANT";

/** The summary as one line. */
export const summaryOf = (component: Component): string =>
  textOf(component, "summary")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, MAX_SUMMARY)
    .toWellFormed();

/** What Tocsin's own feeds state; null for other calendars. */
function onCallOf(component: Component): CalendarEntry["onCall"] {
  const people = textOf(component, PEOPLE_PROPERTY, MAX_TEXT);
  const layer = Number(textOf(component, LAYER_PROPERTY));
  if (people === "" || !Number.isInteger(layer) || layer < 1 || layer > 100) return null;
  return { people: people.split(/[\s,]+/).slice(0, MAX_ADDRESSES), layer };
}

/** What a calendar event says of its people. */
export type EventPeople = Pick<
  CalendarEntry,
  "summary" | "attendees" | "organizer" | "inSummary" | "inDescription" | "onCall"
>;

/** The people that a calendar event names. */
export function peopleOf(component: Component): EventPeople {
  const attendees = propertiesOf(component, "attendee")
    .filter((it) => !isThing(it) && !hasDeclined(it))
    .map(addressOf)
    .filter((it) => it !== null);
  const organizer = firstOf(component, "organizer");
  return {
    summary: summaryOf(component),
    attendees: lower(attendees).slice(0, MAX_ADDRESSES),
    organizer: organizer ? addressOf(organizer) : null,
    inSummary: addressesIn(textOf(component, "summary", MAX_TEXT)),
    inDescription: addressesIn(textOf(component, "description", MAX_TEXT)),
    onCall: onCallOf(component),
  };
}
