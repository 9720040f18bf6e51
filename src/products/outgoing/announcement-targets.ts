// Selects the outgoing integrations for an announcement, by their types, options and scope. Pure.
import {
  type Announcement,
  type AnnouncementTarget,
  receivesAnnouncement,
} from "../../domain/integrations/announcement.ts";
import { integrationTypeNamed, integrationTypes } from "../registry.ts";

/** The names of the outgoing types. */
export const OUTGOING_TYPE_NAMES: readonly string[] = integrationTypes
  .filter((type) => type.outgoing !== undefined)
  .map((type) => type.name);

/** The integrations of an account that receive an announcement. */
export function selectTargets(
  targets: readonly AnnouncementTarget[],
  announcement: Omit<Announcement, "payload">,
): readonly AnnouncementTarget[] {
  return targets.filter((target) => {
    const events = integrationTypeNamed(target.type)?.outgoing?.events;
    return events !== undefined && receivesAnnouncement(target, announcement, events);
  });
}

/**
 * How long before a shift changes an integration sends its reminder (ms); null if it sends none.
 */
export function reminderLeadMs({ type, options }: AnnouncementTarget): number | null {
  const events = integrationTypeNamed(type)?.outgoing?.events ?? {};
  const isOn = (["going_on_call", "going_off_call"] as const).some(
    (it) => options[`event_reminder_${it}`] ?? events[`event_reminder.${it}`],
  );
  const minutes = options.reminder_minutes;
  return isOn ? (typeof minutes === "number" ? minutes : 0) * 60_000 : null;
}
