// Sentry: webhooks of an internal integration, distinguished by a header, and the legacy webhook
// plugin, which has no such header.
import { datum } from "../reading/additional-data.ts";
import { type Payload, payloadAt, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import {
  createSenderType,
  missingField,
  type ReadContext,
  type Reading,
  readOther,
  readState,
} from "../sender-type.ts";

export const sentry = createSenderType({
  name: "sentry",
  title: "Sentry",
  description: "An internal integration of Sentry: issues, issue alerts, metric alerts, errors.",
  options: [
    {
      key: "client_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The client secret of the internal integration: requests must then be signed with it.",
    },
  ],
  // getsentry/sentry, sentry_apps webhooks: raises for these alone.
  repeats: [503, 504],
  // People, requests and traces: whoever sees the alert would see them.
  leavesOut:
    /\b(?:user|request|contexts|extra|modules|sdk|_meta|breadcrumbs|exception|stacktrace|metadata)\b/,
  says: ["acknowledge", "resolve"],
  authentication: {
    signature: { option: "client_secret", header: "sentry-hook-signature", encoding: "hex" },
  },
  read: (fields, context) => {
    const resource = context.request.headers["sentry-hook-resource"];
    if (resource === undefined) return readLegacy(fields, context);
    const action = textAt(fields, "action");
    const data = payloadAt(fields, "data");
    if (resource === "issue" || resource === "activity_alert") {
      return readIssue(fields, action, context);
    }
    if (resource === "event_alert") return readEvent(payloadAt(data, "event"), action, context);
    if (resource === "error") return readEvent(payloadAt(data, "error"), action, context);
    if (resource === "metric_alert") return readMetric(data, action);
    return readOther("sentry-hook-resource", resource, OTHER_RESOURCES);
  },
});

/** What Sentry reports besides troubles. */
const OTHER_RESOURCES = ["installation", "comment", "seer", "preprod_artifact"];

/**
 * Ownership rules assign issues the moment they are created, mostly to teams: an assignment says
 * that somebody is at work only if a user made it to a user.
 */
function isByHand(fields: Payload): boolean {
  const assignee = payloadAt(fields, "data", "issue", "assignedTo");
  return textAt(fields, "actor", "type") === "user" && textAt(assignee, "type") === "user";
}

function readIssue(fields: Payload, action: string | null, { options }: ReadContext): Reading {
  const issue = payloadAt(fields, "data", "issue");
  const kind = readState("action", action, {
    create: ["created", "unresolved", "triggered"],
    acknowledge: isByHand(fields) ? ["assigned"] : [],
    resolve: ["resolved", "archived", "ignored"],
    ignore: ["assigned", "unassigned"],
  });
  if (typeof kind !== "string") return kind;
  return {
    kind,
    thirdpartyId: textAt(issue, "id"),
    title: textAt(issue, "title"),
    description: textAt(issue, "web_url") ?? textAt(issue, "permalink"),
    urgency: urgencyOfWord(textAt(issue, "level"), options),
    additionalData: [
      ...datum("web_url", textAt(issue, "web_url"), "link"),
      ...datum("project", textAt(issue, "project", "slug")),
      ...datum("culprit", textAt(issue, "culprit")),
    ],
  };
}

/** Reads an issue alert's event or an error: both have the same fields. */
function readEvent(event: Payload, action: string | null, { options }: ReadContext): Reading {
  const kind = readState("action", action, {
    create: ["triggered", "created"],
    others: "create",
  });
  if (typeof kind !== "string") return kind;
  return {
    kind,
    thirdpartyId: textAt(event, "issue_id"),
    title: textAt(event, "title"),
    description: textAt(event, "web_url"),
    urgency: urgencyOfWord(textAt(event, "level"), options),
    additionalData: [
      ...datum("web_url", textAt(event, "web_url"), "link"),
      ...datum("environment", textAt(event, "environment")),
      ...datum("culprit", textAt(event, "culprit")),
    ],
  };
}

function readMetric(data: Payload, action: string | null): Reading {
  const kind = readState("action", action, {
    create: ["critical", "warning"],
    resolve: ["resolved"],
    others: "create",
  });
  if (typeof kind !== "string") return kind;
  return {
    kind,
    thirdpartyId: textAt(data, "metric_alert", "id"),
    title: textAt(data, "description_title") ?? textAt(data, "metric_alert", "title"),
    description: textAt(data, "description_text"),
    urgency: urgencyOfWord(action),
    additionalData: datum("web_url", textAt(data, "web_url"), "link"),
  };
}

function readLegacy(fields: Payload, { options }: ReadContext): Reading {
  const event = payloadAt(fields, "event");
  if (textAt(fields, "id") === null && textAt(event, "title") === null)
    return missingField("event");
  return {
    kind: "create",
    thirdpartyId: textAt(fields, "id"),
    title: textAt(event, "title") ?? textAt(fields, "message"),
    description: textAt(fields, "url"),
    urgency: urgencyOfWord(textAt(fields, "level"), options),
    additionalData: datum("url", textAt(fields, "url"), "link"),
  };
}
