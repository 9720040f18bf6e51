// Escalation policies: layers with their timeouts, repeats and reassignment.
import { formatInstant, SECOND } from "../../domain/shared/time.ts";
import type { EscalationPolicy } from "../../features/routing/escalation-policies/contract.ts";
import { CreateEscalationPolicy } from "../../features/routing/escalation-policies/parameters.ts";
import { changedParameters } from "../../kernel/console/changed.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { mayChangeAssigned, whySharedIsFixed } from "../access/reach.ts";
import type { Api } from "../api-client.ts";
import { choicesOf, peopleChoices } from "../choices.ts";
import { SharedNotice } from "../oncall/schedule-notices.tsx";
import type { ConsolePage } from "../page.ts";
import { allByName, type ReadBy, readNames } from "../reads.ts";
import { recordPages, type ShownForm } from "../record-pages.tsx";
import { isAdmin } from "../resource-pages.tsx";
import { EscalationSteps, layersOf } from "./escalation-steps.tsx";

/** The form also shows who is on call now. */
const read = (api: Api, isForm: boolean, now: number) =>
  allByName({
    names: readNames(api),
    onCall: isForm
      ? api.get("/oncall", { start: formatInstant(now), end: formatInstant(now + SECOND) })
      : [],
  });
type PolicyFormData = ReadBy<typeof read>;

const Steps = ({ visit, values, record, around }: ShownForm<EscalationPolicy, PolicyFormData>) => (
  <EscalationSteps
    {...{ visit, values, ...around }}
    to={record ? `/escalation_policies/${record.prefix_id}` : "/escalation_policies"}
    teamIds={record?.team_ids ?? []}
  />
);

const FORM: DeclaredForm<ShownForm<EscalationPolicy, PolicyFormData>> = declareForm(
  CreateEscalationPolicy,
  [
    { name: "name", label: "Name" },
    { draw: Steps, body: (form) => ({ escalation_layers_attributes: layersOf(form) }) },
    {
      name: "repeat",
      label: "Repeat after the last step",
      choices: ["never", "once", "twice", "three times"].map((label, times) => ({
        value: String(times),
        label,
      })),
      otherwise: "0",
    },
    {
      name: "reassign_team_ids",
      label: "Reassign to teams",
      choices: ({ around }) => choicesOf(around.names.teams),
      source: "teams",
    },
    {
      name: "reassign_account_user_ids",
      label: "Reassign to people",
      choices: ({ around }) => peopleChoices(around.names),
      source: "people",
    },
  ],
);

export const escalationPoliciesPages: readonly ConsolePage[] = recordPages<
  EscalationPolicy,
  PolicyFormData
>({
  path: "/escalation_policies",
  calls: (api) => api.records("/escalation_policies"),
  title: "Escalation policies",
  one: "escalation policy",
  listedAt: { to: "/on-call#shared", label: "On call" },
  read,
  form: FORM,
  changesOf: (body, policy) =>
    changedParameters(body, {
      ...policy,
      escalation_layers_attributes: policy.escalation_layers.map(
        ({ id, layer, timeout, timeout_unit }) => ({ id, layer, timeout, timeout_unit }),
      ),
    }),
  blank: () => ({
    layers: [5, 10, 15].map((timeout, at) => ({ layer: at + 1, timeout, timeout_unit: "minutes" })),
  }),
  mayChange: (visit, policy, { names }) =>
    policy === null
      ? isAdmin(visit)
      : mayChangeAssigned(visit, names, "escalation_policy_id", policy.id),
  above: ({ visit, record, around: { names } }) => (
    <SharedNotice
      why={record && whySharedIsFixed(visit, names, "escalation_policy_id", record.id)}
    />
  ),
  mayDelete: isAdmin,
  deleting: "Delete this escalation policy? Teams that use it are left without one.",
});
