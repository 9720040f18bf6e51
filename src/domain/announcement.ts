// What happens in an account and is told to other services: the events, and which integrations they concern. Pure.

/** In the order in which they can happen to an alert; then what people write and when their shifts change. */
export const OUTGOING_EVENTS = [
  "alert.created",
  "alert.open",
  "alert.assigned",
  "alert.acknowledged",
  "alert.rejected",
  "alert.timeout",
  "alert.handoff",
  "alert.dropped",
  "alert.resolved",
  "alert.destroyed",
  "comment.created",
  "event_reminder.going_on_call",
  "event_reminder.going_off_call",
] as const;

/** `integration.test` is told to whoever asks for it, and to nobody else. */
export type OutgoingEvent = (typeof OUTGOING_EVENTS)[number] | "integration.test";

/** Whom something concerns, by id. */
export type Audience = {
  readonly teamIds: readonly string[];
  readonly routerIds: readonly string[];
  readonly accountUserIds: readonly string[];
};

/** An alert as it was when it happened. */
export type SaidOfAlert = {
  readonly about: "alert";
  /** The record as the API shows it. */
  readonly alert: Readonly<Record<string, unknown>>;
  readonly sourceName: string;
  readonly destinations: readonly string[];
  /** Who did it; null for what time did. */
  readonly by: { readonly accountUserId: string | null; readonly name: string } | null;
  /** Whom it concerns, or why, in a few words. */
  readonly detail: string | null;
};

export type SaidOfComment = {
  readonly about: "comment";
  readonly comment: Readonly<Record<string, unknown>>;
  /** The title of the alert or broadcast that it is on. */
  readonly on: string | null;
};

export type SaidOfShift = {
  readonly about: "shift";
  readonly shift: Readonly<Record<string, unknown>>;
  readonly personName: string;
  readonly teamNames: readonly string[];
  readonly layer: number;
  /** When the shift changes (epoch ms). */
  readonly at: number;
};

type SaidOfNothing = { readonly about: "test"; readonly name: string };

export type Said = SaidOfAlert | SaidOfComment | SaidOfShift | SaidOfNothing;

export type Announcement = {
  /** Known by this wherever copies of it travel. */
  readonly effectId: string;
  readonly event: OutgoingEvent;
  /** Epoch ms. */
  readonly at: number;
  /** What is said of one thing is said in order: by `at`, then by this. */
  readonly lane: string;
  readonly sequence: number;
  readonly alertId: string | null;
  readonly audience: Audience;
  /** The integration that said it to us: it is not told. */
  readonly from: string | null;
  /** The accounts it has come through. */
  readonly trail: readonly string[];
  readonly said: Said;
};

/** An integration that tells others. */
export type Teller = {
  readonly id: string;
  readonly prefixId: string;
  readonly type: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly audience: Audience;
};

/** Through more accounts than this nothing is told on. */
const LONGEST_TRAIL = 8;

/** The option that says whether an integration tells of an event. */
export const optionOfEvent = (event: OutgoingEvent) => event.replaceAll(".", "_");

/**
 * Whether an integration is to tell of it: somebody it names is concerned, it did not say so itself, and its options
 * let it.
 *
 * @param defaults the events that its type tells of, and whether it does when nothing else is said
 */
export function tells(
  teller: Teller,
  { event, audience, from, trail }: Omit<Announcement, "said">,
  defaults: Readonly<Partial<Record<OutgoingEvent, boolean>>>,
): boolean {
  if (!Object.hasOwn(defaults, event) || teller.id === from || trail.length >= LONGEST_TRAIL) {
    return false;
  }
  const isOn = teller.options[optionOfEvent(event)] ?? defaults[event];
  return isOn === true && (teller.options.everything === true || meet(teller.audience, audience));
}

function meet(one: Audience, other: Audience): boolean {
  const share = (key: keyof Audience) => one[key].some((id) => other[key].includes(id));
  return share("teamIds") || share("routerIds") || share("accountUserIds");
}
