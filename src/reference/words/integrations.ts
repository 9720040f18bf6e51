// The words of integrations, routers, rules and the receiver.
import type { Words } from "../word.ts";

const NOBODY: readonly string[] = [];

export const INTEGRATION_WORDS: Words = {
  // ── Integrations, routers, rules ──
  integration_type_id: [
    "The id or the name of a type that `GET /integration_types` lists.",
    "webhook",
  ],
  "Integration.integration_type_id": [
    "The id of the type; requests also accept its name.",
    "webhook",
  ],
  integration_type: ["The type."],
  integration_ids: ["The affected integrations."],
  router_ids: ["The routers that the integration's alerts go through.", NOBODY, "shown only"],
  options: ["The options of the type. In requests each is a parameter `option_<key>`."],
  "Integration.options": [
    "The options by key. A secret reads back as `***`. In requests each is a parameter `option_<key>`.",
    { token: "***", capture_additional_data: false },
    "shown only",
  ],
  warnings: ["Probable mistakes in templates: variables that are always empty.", [], "shown only"],
  intake_key: [
    "The key for senders that only accept a key. Visible to admins and to admins of the integration's teams; never to a read-only key.",
    "9f2c41d07ab35e6810c4d2f3a5b6e718",
    "shown only",
  ],
  "IntegrationType.title": ["The display name of the type.", "Webhook"],
  "IntegrationTypeName.title": ["The display name of the type.", "Webhook"],
  "IntegrationType.description": ["The description of the type.", "Any tool that can send JSON."],
  supports: ["The events that senders of this type can send."],
  create: ["Whether events can create alerts.", true],
  acknowledge: ["Whether events can acknowledge alerts.", true],
  resolve: ["Whether events can resolve alerts.", true],
  type: ["The type of the value.", "secret"],
  required: ["Whether the option is required."],
  default: ["The default value.", null],
  help: ["The help text.", "When set, senders must pass it in the header service-token."],
  what: ["The credential to rotate.", "token"],
  overlap: ["The number of seconds for which the previous credential is still accepted.", 86_400],
  "RotatedCredential.value": [
    "The new credential.",
    "tok_4be1a0c93f7d5582ab60e91c7d34f0a6b2c1d8e7",
  ],
  previous_valid_until: ["Until when the previous credential is accepted; null if it is not."],
  rules: [
    "A YAML or JSON document: `rules: [{ match, actions }]`. The first matching rule decides.",
    "rules:\n  - match: { alert.urgency: low }\n    actions: [{ type: ignore }]\n",
  ],
  default_receiver_team_id: ["The team that receives alerts without a matching rule."],
  default_receiver_router_id: [
    "The router that receives alerts without a matching rule.",
    null,
    "shown only",
  ],
  default_receiver_account_user_id: [
    "The person who receives alerts without a matching rule.",
    null,
    "shown only",
  ],

  // ── Trying an integration ──
  payload: ["The body of the request: JSON or raw text.", { status: "firing" }],
  headers: ["The headers of the request.", {}, "shown only"],
  params: ["The query parameters of the request.", {}, "shown only"],
  events: ["The events of the request."],
  "PreviewIntegration.pages": ["Whether to return `previews`.", true],
  previews: [
    "Who would be notified of the first alert that would be created. Empty without `pages`.",
  ],
  "PreviewedEvent.kind": ["The kind of the event.", "create"],
  reason: ["Why the event is ignored or refused.", null],
  "PreviewedEvent.title": ["The alert's title.", "Disk full on db-1"],
  "PreviewedEvent.urgency": ["The alert's urgency, from the sender or the integration.", "high"],
  "PreviewedEvent.tags": ["The alert's tags.", ["database"]],
  "PreviewedEvent.thirdparty_id": ["The sender's identifier.", "db-1-disk"],
  "PreviewedEvent.description": ["The alert's description.", null],
  "PreviewedEvent.dedup_keys": ["The alert's deduplication keys.", NOBODY],
  "IntegrationTest.thirdparty_id": [
    "The identifier of the test alert.",
    "test-01JJ5E6V7P8Q9R0STVWXYZ0123",
  ],
  "IntegrationTest.log_id": ["The log of the test event; null for outgoing integrations."],
  delivery_id: [
    "The delivery of the test message; null for integrations that receive events.",
    null,
  ],

  // ── What integrations tell others ──
  integration_id: ["The integration that sends the message."],
  "Delivery.event": ["The event.", "alert.open"],
  "Delivery.status": ["The status.", "delivered"],
  "Delivery.attempts": ["The number of attempts.", 1],
  "Delivery.reason": ["The reason for a failure: the receiver's response.", null],
  "Delivery.alert_id": ["The alert of the delivery."],
  "Delivery.queued_at": ["When the delivery was last queued."],
  "Delivery.failed_at": ["When the delivery failed permanently.", null],
  response_code: ["The status code of the receiver's last response.", 200],
  attempted_at: ["The time of the last attempt."],
  next_attempt_at: ["The time of the next automatic attempt.", null],
  secret: [
    "The signing secret of requests (Standard Webhooks).",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "shown only",
  ],

  // ── The receiver ──
  event_type: ["The type of the event.", "create"],
  Id: ["The sender's identifier. Repeated and later events find the alert by it.", "db-1-disk"],
  Title: ["The title. Required on `create`.", "Disk full on db-1"],
  Description: ["The description.", "Writes fail on db-1."],
  Tags: ["The tags.", ["database"]],
  Meta: ["Custom metadata. Can contain `incident`, `incident_severity` and `incident_message`."],
  Urgency: ["The urgency. Default: the integration's urgency.", "high", "shown only"],
  log_id: ["The log of this request."],
};
