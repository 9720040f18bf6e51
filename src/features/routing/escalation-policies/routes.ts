// The routes of escalation policies: how an alert moves through the layers of a team's schedule
// (contract 2, Escalation policies).

import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, noBody, one } from "../../../kernel/http/shown.ts";
import { administersPolicy } from "../../access/permissions/team-reach.ts";
import { handleChange } from "../../change/handle-change.ts";
import { escalationPolicyRecords } from "./escalation-policy-records.ts";
import { changeLayers } from "./layer-changes.ts";
import { CreateEscalationPolicy, UpdateEscalationPolicy } from "./parameters.ts";
import { referencesOf } from "./policy-writes.ts";
import { createEscalationPolicy, deleteEscalationPolicy, updateEscalationPolicy } from "./verbs.ts";

export const escalationPolicyRoutes = [
  ...readRoutes("/escalation_policies", "EscalationPolicy", escalationPolicyRecords),
  route({
    method: "POST",
    path: "/escalation_policies",
    operation: "createEscalationPolicy",
    allow: "admin",
    summary: "Create an escalation policy",
    shows: made(escalationPolicyRecords),
    body: CreateEscalationPolicy,
    furtherChecks: (body) => ({
      faults: changeLayers([], body.escalation_layers_attributes ?? [], () => "").errors,
      references: referencesOf(body),
    }),
    makes: escalationPolicyRecords,
    handle: handleChange(created, (request) =>
      createEscalationPolicy(request, request.recordId, request.body),
    ),
  }),
  ...updateRoutes({
    path: "/escalation_policies/:id",
    operation: "updateEscalationPolicy",
    allow: administersPolicy,
    summary: "Update an escalation policy",
    shows: one(escalationPolicyRecords),
    body: UpdateEscalationPolicy,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: onRecord(
      "escalation_policy",
      handleChange(found, (request, identifier) =>
        updateEscalationPolicy(request, identifier, request.body),
      ),
    ),
  }),
  route({
    method: "DELETE",
    path: "/escalation_policies/:id",
    operation: "deleteEscalationPolicy",
    allow: "admin",
    summary: "Delete an escalation policy",
    shows: noBody,
    refuses: ["conflict"],
    handle: onRecord(
      "escalation_policy",
      handleChange(deleted, (request, identifier) => deleteEscalationPolicy(request, identifier)),
    ),
  }),
];
