// Small words that say in what state something is. Never by colour alone: the word is there.
import type { Child } from "hono/jsx";

export type Tone = "neutral" | "good" | "busy" | "bad" | "warn" | "quiet";

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: Child }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

const STATUS: Readonly<Record<string, Tone>> = {
  queued: "neutral",
  open: "bad",
  acknowledged: "busy",
  resolved: "good",
  dropped: "warn",
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

/** What a state is called where it is shown. */
const WORDS: Readonly<Record<string, string>> = {
  dropped: "unanswered",
  timed_out: "timed out",
};

/** The state of an alert, a workflow, a broadcast or a notification, as the API names it. */
export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={STATUS[status] ?? "neutral"}>{WORDS[status] ?? status.replaceAll("_", " ")}</Badge>
);

const URGENCY: Readonly<Record<string, Tone>> = {
  critical: "bad",
  high: "warn",
  medium: "neutral",
  low: "quiet",
  silent: "quiet",
};

export const UrgencyBadge = ({ urgency }: { readonly urgency: string }) => (
  <Badge tone={URGENCY[urgency] ?? "neutral"}>{urgency}</Badge>
);

/** `SEV-2 incident`. */
export const IncidentBadge = ({ severity }: { readonly severity: string | null }) => (
  <Badge tone="bad">
    {severity && severity !== "SEV-UNKNOWN" ? `${severity} incident` : "incident"}
  </Badge>
);
