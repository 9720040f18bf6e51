// The trail of what goes from one Tocsin to another: the accounts that it has come through. It ends loops: what an
// account has told itself, by whatever way, it does not listen to.
import { prefixIdOf } from "../domain/identifiers.ts";
import type { InboundEvent } from "./integration-type.ts";

export const TRAIL_HEADER = "tocsin-trail";

/** Longer than any trail that is told on. */
const MOST = 16;

const ACCOUNT = /^acc_[A-Za-z0-9_-]{14}$/;

/** The accounts that a request has come through, the first one first. */
export function trailIn(header: string | null): readonly string[] {
  const names = (header ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => ACCOUNT.test(name)).slice(0, MOST);
}

/** The trail of what this account tells. */
export const trailThrough = (trail: readonly string[], accountId: string): string =>
  [...trail, prefixIdOf("account", accountId)].join(", ");

/** What an account makes of events with a trail: nothing when it has come through it, else they carry it on. */
export function followed(
  events: readonly InboundEvent[],
  trail: readonly string[],
  accountId: string,
): readonly InboundEvent[] {
  if (trail.length === 0) return events;
  if (trail.includes(prefixIdOf("account", accountId))) {
    return [{ kind: "ignored", reason: "the event was sent by this account itself" }];
  }
  return events.map((event) =>
    event.kind === "create" || event.kind === "acknowledge" || event.kind === "resolve"
      ? { ...event, trail }
      : event,
  );
}
