// Describes a content change for the alert's timeline. Pure.
import { type AlertContent, incidentOf } from "./alert.ts";
import type { ContentChanges } from "./commands.ts";

const MAX_QUOTE_LENGTH = 120;

const quoted = (text: string) =>
  `“${text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…` : text}”`;

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** `title (was “Disk full”), urgency (high → critical), incident (SEV-2)`, or `nothing`. */
export function describeChanges(before: AlertContent, changes: ContentChanges): string {
  const { title, description, urgency, tags, meta } = { ...before, ...changes };
  const parts = [
    title !== before.title && `title (was ${quoted(before.title)})`,
    description !== before.description && "description",
    urgency !== before.urgency && `urgency (${before.urgency} → ${urgency})`,
    !isEqual(tags, before.tags) && "tags",
    ...incidentChanges(before.meta, meta),
    !isEqual(withoutIncident(meta), withoutIncident(before.meta)) && "meta",
  ].filter((it) => it !== false);
  return parts.length === 0 ? "nothing" : parts.join(", ");
}

type Meta = AlertContent["meta"];

function incidentChanges(before: Meta, after: Meta): readonly (string | false)[] {
  const [was, is] = [incidentOf(before), incidentOf(after)];
  const severity = is.incident_severity;
  return [
    is.incident && !was.incident && `incident (${severity})`,
    !is.incident && was.incident && "no incident any more",
    is.incident &&
      was.incident &&
      severity !== was.incident_severity &&
      `incident severity (${was.incident_severity} → ${severity})`,
    is.incident_message !== was.incident_message && "incident message",
  ];
}

const withoutIncident = ({
  incident: _,
  incident_severity: __,
  incident_message: ___,
  ...rest
}: Meta) => rest;

/** The first link of an alert's or an event's additional data. */
export const linkOf = ({ additionalData }: Pick<AlertContent, "additionalData">): string | null =>
  additionalData.find(({ format }) => format === "link")?.value ?? null;
