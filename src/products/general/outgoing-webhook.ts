// The outgoing webhook: posts `{type, timestamp, data}` to any URL, signed by Standard Webhooks.
// `data` is the record in API format; an alert also has the field names of older services.
import type { AlertPayload } from "../../domain/integrations/announcement.ts";
import type { Outgoing, OutgoingMessage } from "../integration-type.ts";
import { allEventsExcept, createOutgoingType } from "../outgoing/outgoing-type.ts";

const epochSeconds = (value: unknown) =>
  typeof value === "string" ? Math.floor(Date.parse(value) / 1000) : null;

const first = (value: unknown) => (Array.isArray(value) ? (value[0] ?? null) : null);

const listOf = (value: unknown) => (Array.isArray(value) ? value : []);

function dataOfAlert(
  { url, event }: OutgoingMessage,
  payload: AlertPayload,
): Record<string, unknown> {
  const { alert, by, detail, destinations, sourceName } = payload;
  const teams = listOf(alert.destination_team_ids);
  const people = listOf(alert.destination_account_user_ids);
  return {
    ...alert,
    url,
    source_name: sourceName,
    destination_names: destinations,
    by: by === null ? null : { account_user_id: by.accountUserId, name: by.name },
    detail,
    sid: alert.prefix_id,
    createdAt: alert.created_at,
    updatedAt: alert.updated_at,
    created: epochSeconds(alert.created_at),
    acknowledged: epochSeconds(alert.acknowledged_at),
    acknowledgedby: event === "alert.acknowledged" ? (by?.accountUserId ?? null) : null,
    resolved: epochSeconds(alert.resolved_at),
    resolvedby: event === "alert.resolved" ? (by?.accountUserId ?? null) : null,
    destination_ids: [...teams, ...listOf(alert.destination_router_ids), ...people],
    d_team_id: first(teams),
    d_user_id: first(people),
    s_log_id: alert.source_log_id,
  };
}

function dataOf(message: OutgoingMessage): unknown {
  const { payload } = message;
  switch (payload.about) {
    case "alert":
      return dataOfAlert(message, payload);
    case "comment":
      return payload.comment;
    case "shift":
      return payload.shift;
    case "test":
      return { name: payload.name };
  }
}

const announce: Outgoing["announce"] = (message, options, secrets) => {
  const { username } = options;
  const password = secrets.password ?? "";
  const pair = Buffer.from(`${String(username)}:${password}`, "utf8").toString("base64");
  return {
    url: String(options.webhook_url),
    body: {
      type: message.event,
      timestamp: new Date(message.at).toISOString(),
      data: dataOf(message),
    },
    ...(typeof username === "string" && { headers: { Authorization: `Basic ${pair}` } }),
    signedWith: secrets.secret ?? null,
  };
};

export const outgoingWebhook = createOutgoingType({
  name: "outgoing_webhook",
  title: "Outgoing webhook",
  description:
    "Posts alerts, comments and shift reminders as JSON to a URL, signed as in Standard Webhooks.",
  options: [
    {
      key: "webhook_url",
      type: "string",
      required: true,
      default: null,
      help: "The https URL that receives the events, with a public host name. Only admins see it.",
      adminsOnly: true,
    },
    {
      key: "secret",
      type: "secret",
      required: false,
      default: null,
      help:
        "The signing secret: whsec_ and 24 to 64 bytes in base64. If empty, one is generated; " +
        "POST /integrations/:id/secret generates another and shows it once.",
    },
    {
      key: "username",
      type: "string",
      required: false,
      default: null,
      help: "If the URL requires basic authentication.",
    },
    {
      key: "password",
      type: "secret",
      required: false,
      default: null,
      help: "The password for basic authentication.",
    },
  ],
  outgoing: {
    events: allEventsExcept("alert.assigned"),
    addressOption: "webhook_url",
    signs: true,
    announce,
    // Always retried: any error, even a fault in the receiver's code, can be fixed within the day.
    refuses: () => false,
  },
});
