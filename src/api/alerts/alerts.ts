// Alerts: created, answered and changed through their objects, read from D1 (contract 3).
import { sql } from "drizzle-orm";
import { CreateAlert, UpdateAlert } from "../../contract/alerts/alert-parameters.ts";
import { alertRecords, presentAlert } from "../../db/alerts/alert-rows.ts";
import { alerts, alertWorkflows } from "../../db/schema/alerts.ts";
import { teams } from "../../db/schema/oncall.ts";
import type {
  AlertDraft,
  ContentChanges,
  RequestedDestinations,
} from "../../domain/alerts/commands.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { isRefusal, refuseFields } from "../../domain/shared/refusal.ts";
import { type Answer, created, nothing } from "../../http/answers.ts";
import { listRecords, pathIdentifier, readRoutes } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, many, noBody, one } from "../../http/shown.ts";
import { createByKeys } from "../../objects/alerts/shared-keys.ts";
import type { CreateResult } from "../../objects/shared/rpc.ts";
import { alertObject } from "../../objects/shared/stubs.ts";
import { callerOf, commandAlert, destinationChecks, destinationsOf } from "./alert-command.ts";
import { workflowRecords } from "./alert-workflows.ts";

// ── Rules ──

const ALIASES = { tag_list: "tags", "meta.incident": "incident" };

/** The draft of an alert with these parameters and destinations, created by the caller. */
export function draftOf(
  request: Pick<ApiRequest<CreateAlert>, "actor" | "body" | "recordId">,
  destinations: RequestedDestinations,
): AlertDraft {
  const { actor, body, recordId } = request;
  return {
    id: recordId,
    accountId: actor.accountId,
    source: { type: "AccountUser", id: actor.accountUserId, name: actor.name, logId: null },
    thirdpartyId: body.thirdparty_id ?? null,
    dedupKeys: body.dedup_keys ?? [],
    destinations,
    title: body.title,
    description: body.description ?? null,
    urgency: body.urgency,
    tags: body.tags ?? body.tag_list ?? [],
    meta: body.meta,
    additionalData: [],
    log: null,
    maintenance: null,
    requestId: recordId,
    autoResolveMs: null,
  };
}

function changesOf(body: UpdateAlert): ContentChanges {
  const tags = body.tags ?? body.tag_list;
  return {
    ...(body.title !== undefined && { title: body.title }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.urgency !== undefined && { urgency: body.urgency }),
    ...(tags !== undefined && { tags }),
    ...(body.meta !== undefined && { meta: body.meta }),
  };
}

/** Creates the alert; with `dedup_keys` it may be counted as a duplicate of an unfinished one. */
function createAlert(env: Cloudflare.Env, draft: AlertDraft): Promise<CreateResult> {
  if (draft.dedupKeys.length > 0) return createByKeys(env, draft, [], "for_readers");
  return alertObject(env, prefixIdOf("alert", draft.id)).create(draft, [], "for_readers");
}

// ── Routes ──

/**
 * Creates an alert in one call: the new object reads the destinations, decides, commits and writes
 * to D1.
 */
async function create(request: ApiRequest<CreateAlert>): Promise<Answer> {
  const destinations = destinationsOf(request.body);
  if (!destinations.ok) return refuseFields(destinations.errors);
  const draft = draftOf(request, destinations.given);
  const result = await createAlert(request.env, draft);
  if (isRefusal(result)) return result;
  if (result.kind === "finished") throw new Error("a new alert has already finished");
  return created(presentAlert(result.alert));
}

const ANSWERS = {
  acknowledge: {
    summary: "Acknowledge an alert",
    description: `Allowed while the alert is \`open\`, \`dropped\` or \`suppressed\`; otherwise 409 with its current status. The caller's workflows become acknowledged; a caller without workflows acknowledges all of them.`,
  },
  reject: {
    summary: "Reject an alert",
    description: `Requires an open workflow of the caller. The status does not change. When everybody on a layer has rejected the alert, the next layer starts immediately.`,
  },
  resolve: {
    summary: "Resolve an alert",
    description: `Allowed while the alert is \`open\`, \`dropped\` or \`acknowledged\`; otherwise 409 with its current status.`,
  },
} as const;

const answers = (["acknowledge", "reject", "resolve"] as const).map((type) =>
  route({
    method: "POST",
    path: `/alerts/:id/${type}`,
    operation: `${type}Alert`,
    ...ANSWERS[type],
    shows: one(alertRecords),
    refuses: ["unavailable"],
    handle: (request) => commandAlert(request, { type, by: callerOf(request) }),
  }),
);

export const alertRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/alerts", "Alert", alertRecords, ALIASES),
  route({
    method: "POST",
    path: "/alerts",
    operation: "createAlert",
    summary: "Create an alert",
    shows: made(alertRecords),
    refuses: ["unavailable"],
    body: CreateAlert,
    makes: alertRecords,
    furtherChecks: (body) => destinationChecks(body),
    handle: create,
  }),
  ...updateRoutes({
    path: "/alerts/:id",
    operation: "updateAlert",
    summary: "Update an alert",
    shows: one(alertRecords),
    refuses: ["unavailable"],
    body: UpdateAlert,
    handle: (request) => {
      const changes = changesOf(request.body);
      return commandAlert(request, { type: "change", changes, by: callerOf(request) });
    },
  }),
  route({
    method: "DELETE",
    path: "/alerts/:id",
    operation: "deleteAlert",
    summary: "Delete an alert",
    shows: noBody,
    refuses: ["unavailable"],
    handle: (request) =>
      commandAlert(request, { type: "delete", by: callerOf(request) }, () => nothing),
  }),
  ...answers,
  route({
    method: "GET",
    path: "/alerts/:id/workflows",
    operation: "listAlertWorkflows",
    summary: "List an alert's workflows",
    shows: many(workflowRecords),
    handle: async (request) => {
      const identifier = pathIdentifier(request, "alert");
      if (isRefusal(identifier)) return identifier;
      return listRecords(request, workflowRecords, {
        below: {
          parent: alertRecords,
          identifier,
          scope: (alertId) => sql`${alertWorkflows.alertId} = (${alertId})`,
        },
      });
    },
  }),
  route({
    method: "GET",
    path: "/teams/:id/alerts",
    operation: "listTeamAlerts",
    summary: "List a team's alerts",
    shows: many(alertRecords, ALIASES),
    handle: async (request) => {
      const identifier = pathIdentifier(request, "team");
      if (isRefusal(identifier)) return identifier;
      const parent = {
        kind: "team",
        from: teams,
        accountId: teams.accountId,
        id: teams.id,
        prefixId: teams.prefixId,
      } as const;
      return listRecords(request, alertRecords, {
        aliases: ALIASES,
        below: {
          parent,
          identifier,
          scope: (
            teamId,
          ) => sql`${alerts.id} in (select ${alertWorkflows.alertId} from ${alertWorkflows}
            where ${alertWorkflows.accountId} = ${request.actor.accountId}
              and ${alertWorkflows.destinationId} = (${teamId}))`,
        },
      });
    },
  }),
];
