// Badges for states. Each contains a word, so that colour is never the only sign.
import type { Child } from "hono/jsx";
import { statusWord } from "../../domain/shared/words.ts";

export type Tone = "neutral" | "good" | "busy" | "bad" | "warn" | "quiet";

/** Neutral is the look of a badge without a class of its tone; lists have many. */
const toned = (look: string, tone: Tone) => (tone === "neutral" ? look : `${look} ${tone}`);

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: Child }) => (
  <span class={toned("badge", tone)}>{children}</span>
);

const STATUS: Readonly<Record<string, Tone>> = {
  queued: "neutral",
  open: "neutral",
  acknowledged: "busy",
  snoozed: "quiet",
  resolved: "good",
  dropped: "bad",
  suppressed: "quiet",
  closed: "quiet",
  errored: "bad",
  rejected: "warn",
  timed_out: "warn",
  cancelled: "quiet",
  sent: "busy",
  delivered: "good",
  failed: "bad",
  skipped: "quiet",
};

/** The state of an alert, a workflow, a broadcast or a notification, as the API names it. */
export const StatusBadge = ({ status }: { readonly status: string }) => (
  <span class={toned("badge state", STATUS[status] ?? "neutral")}>{statusWord(status)}</span>
);

/** The state of a broadcast; unlike an open alert, an open broadcast is not a problem. One without responses is sent. */
export const BroadcastBadge = ({
  of: { status, response_requested: isAsking },
}: {
  readonly of: { readonly status: string; readonly response_requested: boolean };
}) => (
  <span class={`badge state ${status === "open" ? "good" : "quiet"}`}>
    {status === "closed" && !isAsking ? "sent" : status}
  </span>
);

/** The urgency as a word with bars, which the style sheet draws. */
export const UrgencyBadge = ({ urgency }: { readonly urgency: string }) => (
  <span class={`urgency ${urgency}`}>{urgency}</span>
);

/** `SEV-2 incident`. */
export const IncidentBadge = ({ severity }: { readonly severity: string | null }) => (
  <Badge tone="bad">
    {severity && severity !== "SEV-UNKNOWN" ? `${severity} incident` : "incident"}
  </Badge>
);

/** Marks a test page or a fire drill; nothing for a real alert. */
export const ExerciseBadge = ({ exercise }: { readonly exercise: string | null }) =>
  exercise === null ? null : <Badge tone="busy">{exercise === "drill" ? "drill" : "test"}</Badge>;
