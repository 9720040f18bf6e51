// The outgoing webhook: `{type, timestamp, data}` to any address, signed by Standard Webhooks. `data` is the record as
// the API shows it; an alert has, beside it, the names that consumers of older services read.
import type { SaidOfAlert } from "../../domain/announcement.ts";
import type { Outgoing, Told } from "../integration-type.ts";
import { allEventsBut, outgoingType } from "../outgoing.ts";

const seconds = (value: unknown) =>
  typeof value === "string" ? Math.floor(Date.parse(value) / 1000) : null;

const first = (value: unknown) => (Array.isArray(value) ? (value[0] ?? null) : null);

const listOf = (value: unknown) => (Array.isArray(value) ? value : []);

function dataOfAlert({ url, event }: Told, said: SaidOfAlert): Record<string, unknown> {
  const { alert, by, detail, destinations, sourceName } = said;
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
    created: seconds(alert.created_at),
    acknowledged: seconds(alert.acknowledged_at),
    acknowledgedby: event === "alert.acknowledged" ? (by?.accountUserId ?? null) : null,
    resolved: seconds(alert.resolved_at),
    resolvedby: event === "alert.resolved" ? (by?.accountUserId ?? null) : null,
    destination_ids: [...teams, ...listOf(alert.destination_router_ids), ...people],
    d_team_id: first(teams),
    d_user_id: first(people),
    s_log_id: alert.source_log_id,
  };
}

function dataOf(told: Told): unknown {
  const { said } = told;
  switch (said.about) {
    case "alert":
      return dataOfAlert(told, said);
    case "comment":
      return said.comment;
    case "shift":
      return said.shift;
    case "test":
      return { name: said.name };
  }
}

const announce: Outgoing["announce"] = (told, options, secrets) => {
  const { username } = options;
  const password = secrets.password ?? "";
  const pair = Buffer.from(`${String(username)}:${password}`, "utf8").toString("base64");
  return {
    url: String(options.webhook_url),
    body: { type: told.event, timestamp: new Date(told.at).toISOString(), data: dataOf(told) },
    ...(typeof username === "string" && { headers: { Authorization: `Basic ${pair}` } }),
    signedWith: secrets.secret ?? null,
  };
};

export const outgoingWebhook = outgoingType({
  name: "outgoing_webhook",
  title: "Outgoing webhook",
  description:
    "Posts alert and comment events and shift reminders as JSON to a URL, signed as in Standard Webhooks " +
    "(webhook-id, webhook-timestamp, webhook-signature).",
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
      help: "For receivers that require basic authentication.",
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
    events: allEventsBut("alert.assigned"),
    addressOption: "webhook_url",
    signs: true,
    announce,
    // Whatever it answers may be mended within the day, a fault of the receiver's code too.
    refuses: () => false,
  },
});
