import type { Event } from "../../features/oncall/events/contract.ts";
import { listedZone } from "./on-call-window.ts";

/** The zone of most of a schedule's events; the viewer's if it has none. */
export function zoneOfEvents(events: readonly Event[], otherwise: string): string {
  const counts = new Map<string, number>();
  for (const { time_zone } of events) counts.set(time_zone, (counts.get(time_zone) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? listedZone(otherwise);
}
