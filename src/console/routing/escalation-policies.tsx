// Escalation policies: layers with their timeouts, repeats and reassignment.
import { TIMEOUT_UNITS } from "../../domain/alerts/escalation.ts";
import type { EscalationPolicy } from "../../features/routing/escalation-policies/contract.ts";
import { CreateEscalationPolicy } from "../../features/routing/escalation-policies/parameters.ts";
import { changedParameters } from "../../kernel/console/changed.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { Notice, Panel } from "../../kernel/console/panel.tsx";
import { Table } from "../../kernel/console/table.tsx";
import { fieldText, type Values } from "../../kernel/console/values.ts";
import { mayChangeAssigned, whySharedIsFixed } from "../access/reach.ts";
import { allByName, type ReadBy } from "../api.ts";
import type { Api } from "../api-client.ts";
import { choicesOf, peopleChoices } from "../choices.ts";
import { readNames } from "../names.ts";
import { LayersPicture, spanText, stepsOf } from "../oncall/layers.tsx";
import type { ConsolePage } from "../page.ts";
import type { ShownForm } from "../record-pages.tsx";
import { isAdmin, resourcePages, teamFirst } from "../resource-pages.tsx";

const read = (api: Api) => allByName({ names: readNames(api) });
type PolicyFormData = ReadBy<typeof read>;

const BLANK_LAYERS = 2;

/** The rows of the form: the policy's layers or the submitted ones, and a few blank ones. */
function rowsOf(values: Values): readonly Values[] {
  const all = Object.values(
    (values.layers ?? values.escalation_layers ?? {}) as object,
  ) as Values[];
  const filled = all.filter((row) => fieldText(row, "timeout") !== "");
  return [...filled, ...Array.from({ length: BLANK_LAYERS }, () => ({}))];
}

const LayerRow = ({ row, at }: { readonly row: Values; readonly at: number }) => (
  <li class="layer-row">
    <input type="hidden" name={`layers[${at}][id]`} value={fieldText(row, "id")} />
    <label>
      <span class="word">Layer</span>
      <input
        aria-label="Layer"
        type="number"
        min={1}
        max={100}
        name={`layers[${at}][layer]`}
        value={fieldText(row, "layer") || String(at + 1)}
      />
    </label>
    <label>
      <span class="word">Timeout</span>
      <input
        aria-label="Timeout"
        type="number"
        min={1}
        name={`layers[${at}][timeout]`}
        value={fieldText(row, "timeout")}
        placeholder="–"
      />
    </label>
    <select name={`layers[${at}][timeout_unit]`} aria-label="Timeout unit">
      {TIMEOUT_UNITS.map((value) => (
        <option value={value} selected={value === (fieldText(row, "timeout_unit") || "minutes")}>
          {value}
        </option>
      ))}
    </select>
  </li>
);

const Layers = ({ values }: ShownForm<EscalationPolicy, PolicyFormData>) => (
  <fieldset class="group">
    <legend>Layers</legend>
    <p class="help">Each row is a layer with its timeout. To remove a layer, clear its timeout.</p>
    <ol class="stack">
      {rowsOf(values).map((row, at) => (
        <LayerRow row={row} at={at} />
      ))}
    </ol>
  </fieldset>
);

/** A layer with a timeout is updated or added; a layer with an empty timeout is removed. */
function layersOf(form: Values): readonly Values[] {
  const sent = form.layers;
  const rows = typeof sent === "object" && sent !== null ? (Object.values(sent) as Values[]) : [];
  return rows.flatMap((row): readonly Values[] => {
    const id = fieldText(row, "id");
    const timeout = fieldText(row, "timeout");
    if (timeout === "") return id === "" ? [] : [{ id, _destroy: true }];
    const layer = { layer: fieldText(row, "layer"), timeout };
    return [{ ...(id && { id }), ...layer, timeout_unit: fieldText(row, "timeout_unit") }];
  });
}

const FORM: DeclaredForm<ShownForm<EscalationPolicy, PolicyFormData>> = declareForm(
  CreateEscalationPolicy,
  [
    { name: "name", label: "Name" },
    { draw: Layers, body: (form) => ({ escalation_layers_attributes: layersOf(form) }) },
    {
      name: "repeat",
      label: "Repeat after the last layer",
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

const Chart = ({ record }: ShownForm<EscalationPolicy, PolicyFormData>) =>
  record === null ? null : (
    <Panel title="Escalation steps" id="picture">
      <LayersPicture layers={record.escalation_layers} repeat={record.repeat} />
      <Table
        label="Escalation steps"
        numbers
        rows={stepsOf(record.escalation_layers, record.repeat)}
        columns={[
          { title: "Layer", cell: ({ layer }) => layer },
          { title: "Pass", cell: ({ pass }) => pass },
          { title: "Starts after", cell: ({ from }) => spanText(from) },
          { title: "Ends after", cell: ({ to }) => spanText(to) },
        ]}
      />
    </Panel>
  );

export const escalationPoliciesPages: readonly ConsolePage[] = resourcePages<
  EscalationPolicy,
  PolicyFormData
>({
  path: "/escalation_policies",
  calls: (api) => api.records("/escalation_policies"),
  title: "Escalation policies",
  one: "escalation policy",
  lead: "An escalation policy notifies one layer after another until somebody acknowledges the alert.",
  read,
  columns: ({ names }) => [
    {
      title: "Used by",
      cell: (it) => it.team_ids.map(names.of).join(", ") || "no teams",
      by: (it) => it.team_ids.map(names.of).join(", "),
    },
    {
      title: "Layers",
      cell: (it) =>
        it.escalation_layers.map((layer) => spanText(stepsOf([layer], 0)[0]?.to ?? 0)).join(" → "),
    },
    { title: "Passes", kind: "number", cell: (it) => it.repeat + 1, by: (it) => it.repeat },
  ],
  empty: "An escalation policy decides how long each layer has to respond. A new team gets one.",
  before: teamFirst,
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
  above: ({ visit, record, around: { names } }) => {
    const why = record && whySharedIsFixed(visit, names, "escalation_policy_id", record.id);
    return why ? (
      <Notice tone="neutral" title="Shared with other teams.">
        {why}
      </Notice>
    ) : null;
  },
  beside: Chart,
  deleting: "Delete this escalation policy? Teams that use it are left without one.",
});
