// Applies `setval` and `incident` to an alert's content. Template output is only known here: an
// invalid value (a blank title, an unknown urgency) leaves the content unchanged and adds a
// timeline note.
import {
  ALERT_URGENCIES,
  type AlertContent,
  INCIDENT_SEVERITIES,
  type LogEntry,
  severityOf,
} from "../../alerts/alert.ts";
import type { WorkBudget } from "../conditions/work-budget.ts";
import type { RouterAction, ValueTemplates } from "./router-rules.ts";

type Content = Omit<AlertContent, "additionalData">;
type Note = Pick<LogEntry, "level" | "message">;

type ContentUpdate = { readonly content: Content; readonly notes: readonly Note[] };

/** In characters, as for alerts created through the API. */
const MAX_TITLE = 1024;
const MAX_DESCRIPTION = 65_536;
const MAX_TAG = 255;
const MAX_MESSAGE = 1024;

/** Applies `setval`. */
export function applyValues(
  content: Content,
  { values }: Extract<RouterAction, { type: "setval" }>,
  view: unknown,
  work: WorkBudget,
): ContentUpdate {
  const notes: Note[] = [];
  const changed = {
    ...titleOf(values, view, work, notes),
    ...(values.description && {
      description: values.description(view, work).slice(0, MAX_DESCRIPTION),
    }),
    ...urgencyOf(values, view, work, notes),
    ...(values.tags && { tags: tagsOf(values.tags.map((tag) => tag(view, work))) }),
  };
  const names = Object.keys(changed);
  if (names.length > 0) notes.unshift({ level: "info", message: `set ${names.join(", ")}` });
  return { content: { ...content, ...changed }, notes };
}

function titleOf({ title }: ValueTemplates, view: unknown, work: WorkBudget, notes: Note[]) {
  if (!title) return {};
  const text = title(view, work).trim().slice(0, MAX_TITLE);
  if (text !== "") return { title: text };
  notes.push({ level: "warn", message: "the title it set is blank: left as it was" });
  return {};
}

function urgencyOf({ urgency }: ValueTemplates, view: unknown, work: WorkBudget, notes: Note[]) {
  if (!urgency) return {};
  const text = urgency(view, work).trim().toLowerCase();
  const known = ALERT_URGENCIES.find((one) => one === text);
  if (known) return { urgency: known };
  notes.push({ level: "warn", message: "the urgency it set is none: left as it was" });
  return {};
}

function tagsOf(tags: readonly string[]): readonly string[] {
  const trimmed = tags.map((tag) => tag.trim().slice(0, MAX_TAG)).filter((tag) => tag !== "");
  return [...new Set(trimmed)];
}

/** Applies `incident`: flags the alert. An invalid severity becomes `SEV-UNKNOWN`. */
export function applyIncident(
  content: Content,
  { severity, message }: Extract<RouterAction, { type: "incident" }>,
  view: unknown,
  work: WorkBudget,
): ContentUpdate {
  const severityText = severity ? severityOf(severity(view, work)) : "";
  const known = INCIDENT_SEVERITIES.find((one) => one === severityText) ?? "SEV-UNKNOWN";
  const meta = {
    ...content.meta,
    incident: true,
    incident_severity: known,
    ...(message && { incident_message: message(view, work).slice(0, MAX_MESSAGE) }),
  };
  return {
    content: { ...content, meta },
    notes: [{ level: "info", message: `flagged as an incident, ${known}` }],
  };
}
