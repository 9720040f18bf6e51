// Which integrations tell of something: those whose type can, whose options let it, and whom it concerns. Pure.
import { type Announcement, type Teller, tells } from "../domain/announcement.ts";
import { integrationTypeNamed, integrationTypes } from "./registry.ts";

/** The names of the types that tell others. */
export const OUTGOING_TYPES: readonly string[] = integrationTypes
  .filter((type) => type.outgoing !== undefined)
  .map((type) => type.name);

/** Those of an account's integrations that are to tell of it. */
export function tellersOf(
  tellers: readonly Teller[],
  announcement: Omit<Announcement, "said">,
): readonly Teller[] {
  return tellers.filter((teller) => {
    const events = integrationTypeNamed(teller.type)?.outgoing?.events;
    return events !== undefined && tells(teller, announcement, events);
  });
}

/** How long before a shift changes an integration tells of it (ms); null when it does not. */
export function reminderLead({ type, options }: Teller): number | null {
  const events = integrationTypeNamed(type)?.outgoing?.events ?? {};
  const isOn = (["going_on_call", "going_off_call"] as const).some(
    (it) => options[`event_reminder_${it}`] ?? events[`event_reminder.${it}`],
  );
  const minutes = options.reminder_minutes;
  return isOn ? (typeof minutes === "number" ? minutes : 0) * 60_000 : null;
}
