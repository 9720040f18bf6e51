// The trail of an event between Tocsin deployments: the accounts that forwarded it, in a header. It
// prevents loops: an account ignores events that it has forwarded before.
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import type { InboundEvent } from "../integration-type.ts";

export const TRAIL_HEADER = "tocsin-trail";

/** Maximum length read, above that of any forwarded trail. */
const MAX_ACCOUNTS = 16;

const ACCOUNT = /^acc_[A-Za-z0-9_-]{14}$/;

/** The accounts that forwarded a request, first one first. */
export function parseTrail(header: string | null): readonly string[] {
  const names = (header ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => ACCOUNT.test(name)).slice(0, MAX_ACCOUNTS);
}

/** The trail to send: the received one and this account. */
export const extendTrail = (trail: readonly string[], accountId: string): string =>
  [...trail, prefixIdOf("account", accountId)].join(", ");

/** Ignores the events if this account is in the trail; else attaches the trail to them. */
export function applyTrail(
  events: readonly InboundEvent[],
  trail: readonly string[],
  accountId: string,
): readonly InboundEvent[] {
  if (trail.length === 0) return events;
  if (trail.includes(prefixIdOf("account", accountId))) {
    return [{ kind: "ignored", reason: "the event was sent by this account itself" }];
  }
  return events.map((event) =>
    event.kind === "ignored" || event.kind === "invalid" || event.kind === "note"
      ? event
      : { ...event, trail },
  );
}
