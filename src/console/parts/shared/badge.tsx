// Small words that say in what state something is. Never by colour alone: the word is there.
import type { Child } from "hono/jsx";
import { statusWord } from "../../../domain/shared/status-word.ts";

export type Tone = "neutral" | "good" | "busy" | "bad" | "warn" | "quiet";

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: Child }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

const STATUS: Readonly<Record<string, Tone>> = {
  queued: "neutral",
  open: "bad",
  acknowledged: "busy",
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
  <span class={`badge state ${STATUS[status] ?? "neutral"}`}>{statusWord(status)}</span>
);

/** The state of a broadcast: an open one is nothing bad. */
export const BroadcastBadge = ({ status }: { readonly status: string }) => (
  <span class={`badge state ${status === "open" ? "good" : "quiet"}`}>{status}</span>
);

/** From the least urgent to the most: as many bars as its place. */
const URGENCIES = ["silent", "low", "medium", "high", "critical"];

/** How urgent, as a word with bars beside it: the more, the taller. */
export const UrgencyBadge = ({ urgency }: { readonly urgency: string }) => (
  <span class={`urgency ${urgency}`}>
    <svg viewBox="0 0 16 12" aria-hidden="true" focusable="false">
      {[1, 2, 3, 4].map((bar) => (
        <rect
          class={bar <= URGENCIES.indexOf(urgency) ? "on" : undefined}
          x={(bar - 1) * 4}
          y={12 - bar * 3}
          width="3"
          height={bar * 3}
          rx="1"
        />
      ))}
    </svg>
    {urgency}
  </span>
);

/** `SEV-2 incident`. */
export const IncidentBadge = ({ severity }: { readonly severity: string | null }) => (
  <Badge tone="bad">
    {severity && severity !== "SEV-UNKNOWN" ? `${severity} incident` : "incident"}
  </Badge>
);
