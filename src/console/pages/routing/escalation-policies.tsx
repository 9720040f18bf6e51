// Escalation policies: layers with their timeouts, repeats and reassignment.
import type { EscalationPolicy } from "../../../contract/routing/escalation-policy.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { mayChangeAssigned, whySharedIsFixed } from "../../access/reach.ts";
import type { Api } from "../../api-client.ts";
import type { ConsolePage } from "../../page.ts";
import { LayersPicture, spanText, stepsOf } from "../../parts/oncall/layers.tsx";
import { SelectField, TextField } from "../../parts/shared/form.tsx";
import { Notice, Panel } from "../../parts/shared/panel.tsx";
import { choicesOf, PickMany } from "../../parts/shared/pick-many.tsx";
import { Table } from "../../parts/shared/table.tsx";
import { changedParameters } from "../../shared/changed.ts";
import { type Names, readNames } from "../../shared/names.ts";
import {
  isAdmin,
  resourcePages,
  type Shown,
  teamFirst,
  type Values,
} from "../../shared/resource-pages.tsx";
import { fieldText, listOf } from "../../shared/values.ts";

type Around = { readonly names: Names };

async function read(api: Api): Promise<Around | Refusal> {
  const names = await readNames(api);
  return isRefusal(names) ? names : { names };
}

const UNITS = ["seconds", "minutes", "hours", "days"].map((value) => ({ value, label: value }));
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
      {UNITS.map(({ value }) => (
        <option value={value} selected={value === (fieldText(row, "timeout_unit") || "minutes")}>
          {value}
        </option>
      ))}
    </select>
  </li>
);

const Fields = ({ values, refusal, around: { names } }: Shown<EscalationPolicy, Around>) => (
  <>
    <TextField
      name="name"
      label="Name"
      value={fieldText(values, "name")}
      refusal={refusal}
      required
    />
    <fieldset class="group">
      <legend>Layers</legend>
      <p class="help">
        Each row is a layer with its timeout. To remove a layer, clear its timeout.
      </p>
      <ol class="stack">
        {rowsOf(values).map((row, at) => (
          <LayerRow row={row} at={at} />
        ))}
      </ol>
    </fieldset>
    <SelectField
      name="repeat"
      label="Repeat after the last layer"
      choices={[
        { value: "0", label: "never" },
        { value: "1", label: "once" },
        { value: "2", label: "twice" },
        { value: "3", label: "three times" },
      ]}
      value={fieldText(values, "repeat") || "0"}
      refusal={refusal}
    />
    <PickMany
      name="reassign_team_ids"
      label="Reassign to teams"
      choices={choicesOf(names.teams)}
      chosen={listOf(values, "reassign_team_ids")}
      refusal={refusal}
    />
    <PickMany
      name="reassign_account_user_ids"
      label="Reassign to people"
      choices={names.people.map(({ id, user }) => ({ value: id, label: user.name }))}
      chosen={listOf(values, "reassign_account_user_ids")}
      refusal={refusal}
    />
  </>
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

const Chart = ({ record }: Shown<EscalationPolicy, Around>) =>
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
  Around
>({
  path: "/escalation_policies",
  calls: {
    list: (api) => api.every("/escalation_policies"),
    read: (api, id) => api.get("/escalation_policies/:id", { id }),
    create: (api, body) => api.post("/escalation_policies", body),
    update: (api, id, body) => api.put("/escalation_policies/:id", { ...body, id }),
    remove: (api, id) => api.delete("/escalation_policies/:id", { id }),
  },
  title: "Escalation policies",
  one: "escalation policy",
  lead: "An escalation policy notifies one layer after another until somebody acknowledges the alert.",
  read,
  columns: ({ names }) => [
    { title: "Used by", cell: (it) => it.team_ids.map(names.of).join(", ") || "no teams" },
    {
      title: "Layers",
      cell: (it) =>
        it.escalation_layers.map((layer) => spanText(stepsOf([layer], 0)[0]?.to ?? 0)).join(" → "),
    },
    { title: "Passes", kind: "number", cell: (it) => it.repeat + 1 },
  ],
  empty: "An escalation policy decides how long each layer has to respond. A new team gets one.",
  before: teamFirst,
  fields: Fields,
  parameters: ["name", "repeat", "reassign_team_ids", "reassign_account_user_ids"],
  bodyOf: (form) => ({
    name: fieldText(form, "name"),
    repeat: fieldText(form, "repeat"),
    reassign_team_ids: listOf(form, "reassign_team_ids"),
    reassign_account_user_ids: listOf(form, "reassign_account_user_ids"),
    escalation_layers_attributes: layersOf(form),
  }),
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
