// The people that a calendar event names: addresses of attendees and organizer, addresses in its
// texts, and what Tocsin's own feeds state.
import type ICAL from "ical.js";
import type { CalendarEntry } from "../../domain/oncall/imports/calendar-entry.ts";

/** The properties with which Tocsin's feeds name the people on call and their layer. */
export const PEOPLE_PROPERTY = "x-tocsin-on-call";
export const LAYER_PROPERTY = "x-tocsin-layer";

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
  lower(text.slice(0, MAX_TEXT).match(ADDRESS) ?? []).slice(0, MAX_ADDRESSES);

const parameterOf = (property: ICAL.Property, name: string): string =>
  String(property.getParameter(name) ?? "").toUpperCase();

/** The address of an ATTENDEE or ORGANIZER; some programs write it without `mailto:`. */
function addressOf(property: ICAL.Property): string | null {
  const value = String(property.getFirstValue() ?? "").trim();
  const address = value.replace(/^mailto:/i, "").trim();
  if (WHOLE_ADDRESS.test(address)) return address.toLowerCase();
  const parameter = String(property.getParameter("email") ?? "").trim();
  return WHOLE_ADDRESS.test(parameter) ? parameter.toLowerCase() : null;
}

const isThing = (property: ICAL.Property) =>
  ["RESOURCE", "ROOM"].includes(parameterOf(property, "cutype"));

const hasDeclined = (property: ICAL.Property) =>
  parameterOf(property, "partstat") === "DECLINED" ||
  parameterOf(property, "role") === "NON-PARTICIPANT";

const textOf = (component: ICAL.Component, name: string): string =>
  String(component.getFirstPropertyValue(name) ?? "");

/** The summary as one line. */
export const summaryOf = (component: ICAL.Component): string =>
  textOf(component, "summary")
    .slice(0, MAX_TEXT)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, MAX_SUMMARY)
    .toWellFormed();

/** What Tocsin's own feeds state; null for other calendars. */
function onCallOf(component: ICAL.Component): CalendarEntry["onCall"] {
  const people = textOf(component, PEOPLE_PROPERTY);
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
export function peopleOf(component: ICAL.Component): EventPeople {
  const attendees = component
    .getAllProperties("attendee")
    .filter((it) => !isThing(it) && !hasDeclined(it))
    .map(addressOf)
    .filter((it) => it !== null);
  const organizer = component.getFirstProperty("organizer");
  return {
    summary: summaryOf(component),
    attendees: lower(attendees).slice(0, MAX_ADDRESSES),
    organizer: organizer && addressOf(organizer),
    inSummary: addressesIn(textOf(component, "summary")),
    inDescription: addressesIn(textOf(component, "description")),
    onCall: onCallOf(component),
  };
}
