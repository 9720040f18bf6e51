// Quiet hours: when held notifications are sent.
import { DAY, instantOf, localOf, MINUTE, zoneOf } from "../../shared/time.ts";

/**
 * The next instant (epoch ms, after `now`) at which the zone's wall clock shows a time of day.
 *
 * @param until minutes since midnight
 * @param zoneName a listed or IANA name
 */
export function holdEndsAt(until: number, zoneName: string, now: number): number {
  const zone = zoneOf(zoneName);
  const today = Math.floor(localOf(zone, now) / DAY) * DAY + until * MINUTE;
  const at = instantOf(zone, today);
  return at > now ? at : instantOf(zone, today + DAY);
}
