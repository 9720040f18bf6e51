// Jira's webhooks: a created issue creates an alert; a done or deleted issue resolves it.
import { datum } from "../reading/additional-data.ts";
import { type Payload, payloadAt, textAt, textOf, textsOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import {
  createSenderType,
  ignoreState,
  type ReadContext,
  type Reading,
  readState,
} from "../sender-type.ts";

export const jira = createSenderType({
  name: "jira",
  title: "Jira",
  description:
    "A webhook of Jira (Cloud, Server, Data Center) for issues created, updated, deleted.",
  options: [
    {
      key: "create_on_update",
      type: "boolean",
      required: false,
      default: false,
      help: "Also open alerts for updates of open issues.",
    },
    {
      key: "webhook_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The webhook's secret: requests must then be signed with it (X-Hub-Signature).",
    },
  ],
  // developer.atlassian.com, webhooks.
  repeats: [408, 409, 425, 429, "5xx"],
  // Records of the API with links to its further records.
  leavesOut:
    /avatarUrls|iconUrl|\.self$|timeZone|accountId|issue\.fields\.(?:comment|worklog|attachment|attachments)/,
  says: ["resolve"],
  authentication: {
    signature: {
      option: "webhook_secret",
      header: "x-hub-signature",
      encoding: "hex",
      prefix: "sha256=",
    },
  },
  read,
});

/** Events of Jira that are not about an issue as a whole. */
const OTHER_EVENTS = [
  ...["comment", "worklog", "attachment", "issuelink", "project", "user", "sprint", "board"]
    .concat("filter", "issuetype", "jira:version")
    .flatMap((of) => ["created", "updated", "deleted"].map((did) => `${of}_${did}`)),
  ...["jira:worklog_updated", "jira:version_released", "jira:version_unreleased"],
  ...["jira:version_moved", "jira:version_merged", "sprint_started", "sprint_closed"],
  ...["board_configuration_changed", "issue_property_set", "issue_property_deleted"],
];

function read(fields: Payload, { options }: ReadContext): Reading {
  const event = textAt(fields, "webhookEvent");
  const issue = payloadAt(fields, "issue");
  const eventKind = readState("webhookEvent", event, {
    create: ["jira:issue_created", "jira:issue_updated"],
    resolve: ["jira:issue_deleted"],
    ignore: OTHER_EVENTS,
  });
  if (typeof eventKind !== "string") return eventKind;
  const isDone = textAt(issue, "fields", "status", "statusCategory", "key") === "done";
  const isUpdate = event === "jira:issue_updated";
  if (isUpdate && !isDone && options.create_on_update !== true)
    return ignoreState("webhookEvent", "jira:issue_updated");
  const key = textAt(issue, "key");
  const text = issue.fields && payloadAt(issue, "fields").description;
  return {
    kind: isDone ? "resolve" : eventKind,
    thirdpartyId: textAt(issue, "id"),
    title: textAt(issue, "fields", "summary") ?? key,
    description: textOf(text),
    urgency: urgencyOfWord(textAt(issue, "fields", "priority", "name"), options),
    tags: textsOf(payloadAt(issue, "fields").labels),
    additionalData: [
      ...datum("key", key),
      ...datum("url", pageOf(textAt(issue, "self"), key), "link"),
      ...datum("project", textAt(issue, "fields", "project", "name")),
    ],
  };
}

/** The issue's page, on the host of its API URL. */
function pageOf(self: string | null, key: string | null): string | null {
  const origin = /^https?:\/\/[^/]+/.exec(self ?? "")?.[0];
  return origin && key ? `${origin}/browse/${key}` : null;
}
