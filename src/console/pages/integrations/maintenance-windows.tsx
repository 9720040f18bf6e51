// Maintenance windows: while one is active, alerts of its integrations are stored and notify
// nobody.
import type { Integration } from "../../../contract/integrations/integration.ts";
import type { MaintenanceWindow } from "../../../contract/integrations/maintenance-window.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { HOUR, parseInstant } from "../../../domain/shared/time.ts";
import { TIME_ZONE_NAMES } from "../../../domain/shared/time-zones.ts";
import type { Api } from "../../api-client.ts";
import { listedZone, wallOf } from "../../oncall/on-call-window.ts";
import type { ConsolePage } from "../../page.ts";
import { Badge } from "../../parts/shared/badge.tsx";
import { SelectField, TextArea, TextField } from "../../parts/shared/form.tsx";
import { Moment } from "../../parts/shared/moment.tsx";
import { choicesOf, PickMany } from "../../parts/shared/pick-many.tsx";
import { changedParameters } from "../../shared/changed.ts";
import { resourcePages, type Shown, type Values } from "../../shared/resource-pages.tsx";
import { fieldText, listOf } from "../../shared/values.ts";

type Around = { readonly integrations: readonly Integration[] };

async function read(api: Api): Promise<Around | Refusal> {
  const integrations = await api.every("/integrations");
  return isRefusal(integrations) ? integrations : { integrations };
}

/** A time in the format of a `datetime-local` field, in the window's time zone. */
function timeOf(values: Values, name: string): string {
  const text = fieldText(values, name);
  const at = parseInstant(text);
  return at === null ? text : wallOf(at, fieldText(values, "time_zone") || "UTC");
}

const Fields = ({ values, refusal, around }: Shown<MaintenanceWindow, Around>) => (
  <>
    <TextField
      name="name"
      label="Name"
      value={fieldText(values, "name")}
      refusal={refusal}
      required
    />
    <div class="side-by-side">
      <TextField
        name="start_datetime"
        label="Start"
        type="datetime-local"
        value={timeOf(values, "start_datetime")}
        refusal={refusal}
        required
      />
      <TextField
        name="end_datetime"
        label="End"
        type="datetime-local"
        value={timeOf(values, "end_datetime")}
        refusal={refusal}
        required
      />
      <SelectField
        name="time_zone"
        label="Time zone"
        choices={[...new Set([...TIME_ZONE_NAMES, fieldText(values, "time_zone") || "UTC"])].map(
          (name) => ({ value: name, label: name }),
        )}
        value={fieldText(values, "time_zone")}
        refusal={refusal}
      />
    </div>
    <PickMany
      name="integration_ids"
      label="Integrations"
      choices={choicesOf(around.integrations)}
      chosen={listOf(values, "integration_ids")}
      refusal={refusal}
      none="No integrations yet."
    />
    <TextArea
      name="description"
      label="Description"
      value={fieldText(values, "description")}
      refusal={refusal}
    />
  </>
);

const State = ({ window, now }: { readonly window: MaintenanceWindow; readonly now: number }) => {
  if (Date.parse(window.end_datetime) <= now) return <Badge tone="quiet">ended</Badge>;
  if (Date.parse(window.start_datetime) > now) return <Badge tone="neutral">planned</Badge>;
  return <Badge tone="warn">active</Badge>;
};

export const maintenanceWindowsPages: readonly ConsolePage[] = resourcePages<
  MaintenanceWindow,
  Around
>({
  path: "/maintenance_windows",
  calls: {
    list: (api) => api.every("/maintenance_windows"),
    read: (api, id) => api.get("/maintenance_windows/:id", { id }),
    create: (api, body) => api.post("/maintenance_windows", body),
    update: (api, id, body) => api.put("/maintenance_windows/:id", { ...body, id }),
    remove: (api, id) => api.delete("/maintenance_windows/:id", { id }),
  },
  title: "Maintenance windows",
  one: "maintenance window",
  lead: "Periods in which alerts of the chosen integrations notify nobody.",
  read,
  columns: (_around, { session, now }) => [
    { title: "Status", cell: (it) => <State window={it} now={now} /> },
    {
      title: "Start",
      cell: (it) => <Moment at={it.start_datetime} zone={session.timeZone} now={now} />,
    },
    {
      title: "End",
      cell: (it) => <Moment at={it.end_datetime} zone={session.timeZone} now={now} />,
    },
  ],
  empty: "During a maintenance window, alerts are stored and visible, but notify nobody.",
  before: ({ integrations }) =>
    integrations.length > 0
      ? null
      : {
          text: "Create an integration first.",
          to: "/integrations",
          label: "Create integration",
        },
  fields: Fields,
  parameters: ["name", "start_datetime", "end_datetime", "time_zone", "integration_ids"],
  bodyOf: (form) => ({
    name: fieldText(form, "name"),
    description: fieldText(form, "description"),
    start_datetime: fieldText(form, "start_datetime").replace("T", " "),
    end_datetime: fieldText(form, "end_datetime").replace("T", " "),
    time_zone: fieldText(form, "time_zone"),
    integration_ids: listOf(form, "integration_ids"),
  }),
  changesOf: (body, window) => {
    const wall = (at: string) => wallOf(Date.parse(at), window.time_zone).replace("T", " ");
    const { start_datetime, end_datetime, time_zone } = body;
    const changes = changedParameters(body, {
      ...window,
      start_datetime: wall(window.start_datetime),
      end_datetime: wall(window.end_datetime),
    });
    // The times are wall-clock times: a change of zone changes the instants.
    return "time_zone" in changes
      ? { ...changes, start_datetime, end_datetime, time_zone }
      : changes;
  },
  blank: ({ session, now }) => {
    const zone = listedZone(session.timeZone);
    const next = Math.ceil(now / HOUR) * HOUR;
    return {
      time_zone: zone,
      start_datetime: wallOf(next, zone),
      end_datetime: wallOf(next + HOUR, zone),
    };
  },
  deleting: "Delete this maintenance window? If it is active, new alerts notify people again.",
});
