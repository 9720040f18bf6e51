// The words of integrations, routers, rules and the receiver.
import type { Words } from "../word.ts";

const NOBODY: readonly string[] = [];

export const INTEGRATION_WORDS: Words = {
  // ── Integrations, routers, rules ──
  integration_type_id: [
    "An id, or the name, of a type that `GET /integration_types` lists.",
    "webhook",
  ],
  "Integration.integration_type_id": [
    "The id of its type, or, in requests, the type's name.",
    "webhook",
  ],
  integration_type: ["Its type."],
  integration_ids: ["The integrations concerned."],
  router_ids: ["Routers its alerts go through.", NOBODY, "shown only"],
  options: ["The type's options; in requests each is a parameter `option_<key>`."],
  "Integration.options": [
    "The type's options by key; a secret that is set reads `***`. In requests each is a parameter `option_<key>`.",
    { token: "***", capture_additional_data: false },
    "shown only",
  ],
  warnings: [
    "What will not work as it is probably meant: names in templates that are always empty. Empty when there is nothing.",
    [],
    "shown only",
  ],
  intake_key: [
    "For senders that can only be given a key. Shown to admins and to admins of the integration's teams; never to a read-only key.",
    "9f2c41d07ab35e6810c4d2f3a5b6e718",
    "shown only",
  ],
  "IntegrationType.title": ["The type's name for people.", "Webhook"],
  "IntegrationTypeName.title": ["The type's name for people.", "Webhook"],
  "IntegrationType.description": ["What it is for.", "Any tool that can send JSON."],
  supports: ["Which events its senders send."],
  create: ["Events that create alerts.", true],
  acknowledge: ["Events that acknowledge alerts.", true],
  resolve: ["Events that resolve alerts.", true],
  type: ["The kind of value.", "secret"],
  required: ["Whether it has to be given."],
  default: ["What it is when not given.", null],
  help: ["What it is for.", "When set, senders must pass it in the header service-token."],
  what: ["Which of the two is replaced.", "token"],
  overlap: ["For how many seconds the one before is still accepted.", 86_400],
  "RotatedCredential.value": ["The new one.", "tok_4be1a0c93f7d5582ab60e91c7d34f0a6b2c1d8e7"],
  previous_valid_until: ["Until when the one before is accepted; null: no longer."],
  rules: [
    "A YAML or JSON document: `rules: [{ match, actions }]`, the first match wins.",
    "rules:\n  - match: { alert.urgency: low }\n    actions: [{ type: ignore }]\n",
  ],
  default_receiver_team_id: ["The team that gets what no rule sends elsewhere."],
  default_receiver_router_id: ["The router that gets it.", null, "shown only"],
  default_receiver_account_user_id: ["The person who gets it.", null, "shown only"],

  // ── Trying an integration ──
  payload: ["What the sender would send: JSON, or a text as it is.", { status: "firing" }],
  headers: ["Headers of the request.", {}, "shown only"],
  params: ["Parameters of the request's query.", {}, "shown only"],
  events: ["What the request says, one by one."],
  "PreviewIntegration.pages": ["Whether `previews` is to say who would be paged.", true],
  previews: [
    "Who would be paged by the first alert that would be created; empty unless asked for.",
  ],
  "PreviewedEvent.kind": ["What would happen.", "create"],
  reason: ["Why nothing would.", null],
  "PreviewedEvent.title": ["The alert's title.", "Disk full on db-1"],
  "PreviewedEvent.urgency": ["The alert's urgency: the sender's or the integration's.", "high"],
  "PreviewedEvent.tags": ["The alert's tags.", ["database"]],
  "PreviewedEvent.thirdparty_id": ["What the sender calls it.", "db-1-disk"],
  "PreviewedEvent.description": ["The alert's description.", null],
  "PreviewedEvent.dedup_keys": ["The alert's keys.", NOBODY],
  "IntegrationTest.thirdparty_id": [
    "By this the alert is found.",
    "test-01JJ5E6V7P8Q9R0STVWXYZ0123",
  ],
  "IntegrationTest.log_id": ["The log of the test event; null for what tells others."],
  delivery_id: ["The delivery of the test message; null for what takes events.", null],

  // ── What integrations tell others ──
  integration_id: ["The integration that tells it."],
  "Delivery.event": ["What happened.", "alert.open"],
  "Delivery.status": ["How far it got.", "delivered"],
  "Delivery.attempts": ["How often it was sent.", 1],
  "Delivery.reason": ["Why it has not arrived: what the receiver answered.", null],
  "Delivery.alert_id": ["The alert that it is about."],
  "Delivery.queued_at": ["When it was queued, the last time."],
  "Delivery.failed_at": ["When it was given up.", null],
  response_code: ["The receiver's last answer.", 200],
  attempted_at: ["When it was last sent."],
  next_attempt_at: ["When it is sent again by itself.", null],
  secret: [
    "What requests are signed with, by Standard Webhooks.",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "shown only",
  ],

  // ── The receiver ──
  event_type: ["What happened.", "create"],
  Id: ["What the sender calls it: repeats and later events find the alert by it.", "db-1-disk"],
  Title: ["Required on `create`.", "Disk full on db-1"],
  Description: ["A longer text.", "Writes fail on db-1."],
  Tags: ["Tags.", ["database"]],
  Meta: ["A free hash; may carry `incident`, `incident_severity`, `incident_message`."],
  Urgency: ["How urgent it is; without it, the integration's.", "high", "shown only"],
  log_id: ["The log of this request."],
};
