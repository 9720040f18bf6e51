// Trying an integration: what a payload would do, with nothing kept; and a test event that goes all the way
// (`contract.md` 2).
import * as z from "zod";
import type { RawRow } from "../db/attributes.ts";
import { statement } from "../db/database.ts";
import { newId } from "../db/identifiers.ts";
import { toIntegrationConfiguration } from "../db/integration-rows.ts";
import { insertDeliveries, selectDelivery } from "../db/outgoing-rows.ts";
import * as shape from "../db/shape.ts";
import { ALERT_URGENCIES } from "../domain/alert.ts";
import type { Announcement } from "../domain/announcement.ts";
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import { isRefusal, refuse, refuseFields } from "../domain/refusal.ts";
import { type Answer, found } from "../http/answers.ts";
import { notFound, pathIdentifier } from "../http/records.ts";
import { type ApiRequest, type Route, route } from "../http/route.ts";
import { exactly } from "../http/shown.ts";
import { readInbound } from "../integrations/inbound.ts";
import type { InboundEvent } from "../integrations/integration-type.ts";
import { interpret } from "../integrations/interpret.ts";
import { integrationInbox, outgoingObject } from "../objects/stubs.ts";
import { gatherOptions, mergeOptions } from "./integration-options.ts";
import { selectHeld, toHeld } from "./integration-records.ts";

// ── Shape ──

const texts = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()], "must be a text"),
);

const previewIntegration = z
  .preprocess(
    gatherOptions,
    z.object({
      payload: z.unknown().meta({
        type: ["object", "array", "string", "number", "boolean", "null"],
      }),
      headers: texts.optional(),
      params: texts.optional(),
      options: z.record(z.string(), z.unknown()),
    }),
  )
  .meta({
    omit: ["options"],
    patternProperties: { "^option_": { type: ["string", "boolean", "integer", "null"] } },
  });

const EVENT_KINDS = ["create", "acknowledge", "resolve", "note", "ignored", "invalid"];
const textOrNull = shape.orNull(shape.text);

const previewShape = shape.object("IntegrationPreview", {
  events: shape.listOf(
    shape.object("PreviewedEvent", {
      kind: shape.oneOf(EVENT_KINDS),
      reason: textOrNull,
      thirdparty_id: textOrNull,
      title: textOrNull,
      description: textOrNull,
      urgency: shape.orNull(shape.oneOf(ALERT_URGENCIES)),
      tags: shape.listOf(shape.text),
      dedup_keys: shape.listOf(shape.text),
      meta: shape.hash,
      additional_data: shape.listOf(shape.hash),
    }),
  ),
});

const testShape = shape.object("IntegrationTest", {
  log_id: textOrNull,
  thirdparty_id: textOrNull,
  delivery_id: textOrNull,
});

// ── Rules ──

const NOTHING = {
  reason: null,
  thirdparty_id: null,
  title: null,
  description: null,
  urgency: null,
  tags: [],
  dedup_keys: [],
  meta: {},
  additional_data: [],
};

function show(event: InboundEvent, urgency: string) {
  switch (event.kind) {
    case "ignored":
      return { ...NOTHING, kind: event.kind, reason: event.reason };
    case "invalid": {
      const reason = event.errors.map((error) => error.message).join("; ");
      return { ...NOTHING, kind: event.kind, reason };
    }
    case "note":
      return {
        ...NOTHING,
        kind: event.kind,
        thirdparty_id: event.thirdpartyId,
        reason: event.body,
      };
    case "create":
      return {
        ...NOTHING,
        kind: event.kind,
        thirdparty_id: event.thirdpartyId,
        title: event.title,
        description: event.description,
        urgency: event.urgency ?? urgency,
        tags: event.tags,
        dedup_keys: event.dedupKeys,
        meta: {
          ...event.meta,
          incident: event.incident,
          incident_severity: event.incidentSeverity,
          incident_message: event.incidentMessage,
        },
        additional_data: event.additionalData,
      };
    default: {
      const { kind, thirdpartyId, dedupKeys } = event;
      return { ...NOTHING, kind, thirdparty_id: thirdpartyId, dedup_keys: dedupKeys };
    }
  }
}

async function readHeld(request: ApiRequest<unknown>) {
  const identifier = pathIdentifier(request, "integration");
  if (isRefusal(identifier)) return identifier;
  const { db, actor } = request;
  const row = await statement(db, selectHeld(actor.accountId, identifier)).first<RawRow>();
  return row ?? notFound("integration");
}

// ── Routes ──

async function preview(request: ApiRequest<z.output<typeof previewIntegration>>): Promise<Answer> {
  const row = await readHeld(request);
  if (isRefusal(row)) return row;
  const { type, ...held } = toHeld(row);
  const { urgency } = toIntegrationConfiguration(row);
  if (type === null) return refuse("conflict", "the integration's type is no more");
  const { payload, headers = {}, params = {} } = request.body;
  const { options, errors } = mergeOptions(type, held, request.body.options);
  if (errors.length > 0) return refuseFields(errors);
  const url = new URL(`${request.origin}/integration/${request.params.id ?? ""}`);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, String(value));
  const text = typeof payload === "string" ? payload : JSON.stringify(payload ?? null);
  const isJson = typeof payload !== "string";
  const given = new Headers(isJson ? { "content-type": "application/json" } : {});
  for (const [name, value] of Object.entries(headers)) setHeader(given, name, String(value));
  const inbound = readInbound("POST", url, given, new TextEncoder().encode(text));
  const events = interpret(type, inbound, options);
  return found({ events: events.map((event) => show(event, urgency)) });
}

/** A name or value that no header can have is left out. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    return;
  }
}

/** A test message to whom the integration tells. */
async function tellTest(
  { env, db, now }: ApiRequest,
  { id, accountId, prefixId, name, enabled }: IntegrationConfiguration,
): Promise<Answer> {
  if (!enabled) return refuse("conflict", "the integration is disabled");
  const effectId = `test:${newId(now)}`;
  const announcement: Announcement = {
    effectId,
    event: "integration.test",
    at: now,
    lane: effectId,
    sequence: 0,
    alertId: null,
    audience: { teamIds: [], routerIds: [], accountUserIds: [] },
    from: null,
    trail: [],
    said: { about: "test", name },
  };
  const queries = [
    insertDeliveries(accountId, [{ integrationId: id, announcement }], now),
    selectDelivery(id, effectId),
  ];
  const results = await db.batch<RawRow>(queries.map((query) => statement(db, query)));
  await outgoingObject(env, prefixId).look();
  const deliveryId = String(results[1]?.results[0]?.id);
  return found({ log_id: null, thirdparty_id: null, delivery_id: deliveryId });
}

/** A test event through the integration's inbox, by the caller's right instead of the sender's token. */
async function sendTest(request: ApiRequest): Promise<Answer> {
  const row = await readHeld(request);
  if (isRefusal(row)) return row;
  const configuration = toIntegrationConfiguration(row);
  const { prefixId, name } = configuration;
  if (toHeld(row).type?.outgoing !== undefined) return tellTest(request, configuration);
  const { now, env, origin, requestId } = request;
  const thirdpartyId = `test-${newId(now)}`;
  const event = {
    event_type: "create",
    Id: thirdpartyId,
    Title: `Test of ${name}`,
    Description: "A test event: whoever gets this would get this integration's alerts.",
    Tags: ["test"],
  };
  const received = await integrationInbox(env, prefixId)
    .receive({
      method: "POST",
      url: `${origin}/integration/${prefixId}`,
      headers: [["content-type", "application/json"]],
      body: new TextEncoder().encode(JSON.stringify(event)),
      remoteIp: null,
      proof: "caller",
      readAs: "webhook",
    })
    .catch((error: unknown) => {
      console.error({ message: "an inbox failed", requestId, error: String(error).slice(0, 200) });
      return refuse("unavailable", "the integration cannot be reached; try again");
    });
  if (received.kind === "unknown") return notFound("integration");
  if (received.kind === "accepted") {
    return found({ log_id: received.logId, thirdparty_id: thirdpartyId, delivery_id: null });
  }
  const isDisabled = received.reason === "not_supported";
  return isDisabled ? refuse("conflict", "the integration is disabled") : received;
}

export const integrationTrialRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/integrations/:id/preview",
    operation: "previewIntegration",
    summary: "Preview what a payload would do",
    description: `What the integration would make of a request with this \`payload\` (JSON, or a text as it would be
      sent), \`headers\` and \`params\` (its query). Options may be given to try them before they are saved. Nothing
      is kept, and no token is asked for.`,
    shows: exactly(previewShape),
    refuses: ["conflict"],
    allow: "admin",
    body: previewIntegration,
    handle: preview,
  }),
  route({
    method: "POST",
    path: "/integrations/:id/test",
    operation: "testIntegration",
    summary: "Send a test event",
    description: `Sends a test event through the integration, as a sender would: an alert is made, people are paged,
      and the log has it. It is found by its \`thirdparty_id\`. An integration that tells others sends a test
      message: what came of it is the delivery's to say.`,
    shows: exactly(testShape),
    refuses: ["conflict", "unavailable"],
    allow: "admin",
    body: z.object({}),
    handle: sendTest,
  }),
];
