// Outgoing events: what is announced to which outgoing integrations. Pure.

/** Alert events in lifecycle order, then comments and on-call shift changes. */
export const OUTGOING_EVENTS = [
  "alert.created",
  "alert.open",
  "alert.assigned",
  "alert.acknowledged",
  "alert.rejected",
  "alert.timeout",
  "alert.handoff",
  "alert.escalated",
  "alert.responders_requested",
  "alert.snoozed",
  "alert.merged",
  "alert.dropped",
  "alert.resolved",
  "alert.destroyed",
  "comment.created",
  "event_reminder.going_on_call",
  "event_reminder.going_off_call",
] as const;

/** `integration.test` is sent only to the integration under test. */
export type OutgoingEvent = (typeof OUTGOING_EVENTS)[number] | "integration.test";

/** The teams, routers and people an event concerns, by id. */
export type Audience = {
  readonly teamIds: readonly string[];
  readonly routerIds: readonly string[];
  readonly accountUserIds: readonly string[];
};

/** Payload of an alert event: the alert at the time of the event. */
export type AlertPayload = {
  readonly about: "alert";
  /** The record as the API returns it. */
  readonly alert: Readonly<Record<string, unknown>>;
  readonly sourceName: string;
  readonly destinations: readonly string[];
  /** The actor; null for a timer. */
  readonly by: { readonly accountUserId: string | null; readonly name: string } | null;
  /** The person concerned or the reason, as short text. */
  readonly detail: string | null;
};

export type CommentPayload = {
  readonly about: "comment";
  readonly comment: Readonly<Record<string, unknown>>;
  /** Title of the alert or broadcast commented on. */
  readonly on: string | null;
};

export type ShiftPayload = {
  readonly about: "shift";
  readonly shift: Readonly<Record<string, unknown>>;
  readonly personName: string;
  readonly teamNames: readonly string[];
  readonly layer: number;
  /** When the shift changes (epoch ms). */
  readonly at: number;
};

type TestPayload = { readonly about: "test"; readonly name: string };

export type AnnouncementPayload = AlertPayload | CommentPayload | ShiftPayload | TestPayload;

export type Announcement = {
  /** Identifies the announcement; makes redelivery idempotent. */
  readonly effectId: string;
  readonly event: OutgoingEvent;
  /** Epoch ms. */
  readonly at: number;
  /** The ordering key: announcements that share it are delivered by `at`, then `sequence`. */
  readonly lane: string;
  readonly sequence: number;
  readonly alertId: string | null;
  readonly audience: Audience;
  /** The integration that reported the event to us; it is not notified of it. */
  readonly from: string | null;
  /** The accounts the event passed through. */
  readonly trail: readonly string[];
  readonly payload: AnnouncementPayload;
};

/** An outgoing integration. */
export type AnnouncementTarget = {
  readonly id: string;
  readonly prefixId: string;
  readonly type: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly audience: Audience;
};

/** Limit on forwarding through accounts: prevents loops. */
const MAX_TRAIL_LENGTH = 8;

/** The name of the integration option that enables an event. */
export const eventOptionOf = (event: OutgoingEvent) => event.replaceAll(".", "_");

/**
 * Whether an outgoing integration receives an announcement: it shares a team, router or person with
 * the audience (or receives everything), did not report the event itself, and its options enable
 * the event.
 *
 * @param defaults the events that its type supports, each with whether it is enabled by default
 */
export function receivesAnnouncement(
  teller: AnnouncementTarget,
  { event, audience, from, trail }: Omit<Announcement, "payload">,
  defaults: Readonly<Partial<Record<OutgoingEvent, boolean>>>,
): boolean {
  if (!Object.hasOwn(defaults, event) || teller.id === from || trail.length >= MAX_TRAIL_LENGTH) {
    return false;
  }
  const isOn = teller.options[eventOptionOf(event)] ?? defaults[event];
  return (
    isOn === true && (teller.options.everything === true || overlaps(teller.audience, audience))
  );
}

function overlaps(one: Audience, other: Audience): boolean {
  const share = (key: keyof Audience) => one[key].some((id) => other[key].includes(id));
  return share("teamIds") || share("routerIds") || share("accountUserIds");
}
