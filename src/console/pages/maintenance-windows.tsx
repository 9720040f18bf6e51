// Maintenance windows: while one is open, what its integrations send is kept, and nobody is paged.
import type { Integration } from "../../contract/integrations/integration.ts";
import type { MaintenanceWindow } from "../../contract/integrations/maintenance-window.ts";
import { isRefusal, type Refusal } from "../../domain/refusal.ts";
import { HOUR, parseInstant } from "../../domain/time.ts";
import { TIME_ZONE_NAMES } from "../../domain/time-zones.ts";
import type { Api } from "../api.ts";
import { changedParameters } from "../changed.ts";
import { listedZone, wallOf } from "../on-call-window.ts";
import type { ConsolePage } from "../page.ts";
import { Badge } from "../parts/badge.tsx";
import { SelectField, TextArea, TextField } from "../parts/form.tsx";
import { Moment } from "../parts/moment.tsx";
import { choicesOf, PickMany } from "../parts/pick-many.tsx";
import { resourcePages, type Shown, type Values } from "../resource-pages.tsx";
import { fieldText, listOf } from "../values.ts";

type Around = { readonly integrations: readonly Integration[] };

async function read(api: Api): Promise<Around | Refusal> {
  const integrations = await api.every("/integrations");
  return isRefusal(integrations) ? integrations : { integrations };
}

/** A time as a browser's field has it, on the window's own clock. */
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
        label="From"
        type="datetime-local"
        value={timeOf(values, "start_datetime")}
        refusal={refusal}
        required
      />
      <TextField
        name="end_datetime"
        label="Until"
        type="datetime-local"
        value={timeOf(values, "end_datetime")}
        refusal={refusal}
        required
      />
      <SelectField
        name="time_zone"
        label="On the clock of"
        choices={[...new Set([...TIME_ZONE_NAMES, fieldText(values, "time_zone") || "UTC"])].map(
          (name) => ({ value: name, label: name }),
        )}
        value={fieldText(values, "time_zone")}
        refusal={refusal}
      />
    </div>
    <PickMany
      name="integration_ids"
      label="Of these integrations"
      choices={choicesOf(around.integrations)}
      chosen={listOf(values, "integration_ids")}
      refusal={refusal}
      none="There is no integration yet: nothing could be kept quiet."
    />
    <TextArea
      name="description"
      label="What is done"
      value={fieldText(values, "description")}
      refusal={refusal}
    />
  </>
);

const State = ({ window, now }: { readonly window: MaintenanceWindow; readonly now: number }) => {
  if (Date.parse(window.end_datetime) <= now) return <Badge tone="quiet">over</Badge>;
  if (Date.parse(window.start_datetime) > now) return <Badge tone="neutral">planned</Badge>;
  return <Badge tone="warn">open now</Badge>;
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
  one: "window",
  lead: "Times in which nobody is paged for what some integrations send.",
  read,
  columns: (_around, { session, now }) => [
    { title: "State", cell: (it) => <State window={it} now={now} /> },
    {
      title: "From",
      cell: (it) => <Moment at={it.start_datetime} zone={session.timeZone} now={now} />,
    },
    {
      title: "Until",
      cell: (it) => <Moment at={it.end_datetime} zone={session.timeZone} now={now} />,
    },
  ],
  empty: "For planned work: its alerts are kept and visible, and nobody is paged.",
  before: ({ integrations }) =>
    integrations.length > 0
      ? null
      : {
          text: "First connect what sends alerts.",
          to: "/integrations",
          label: "Make an integration",
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
    // The times stand on the wall clock of the zone: in another one they are others.
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
  deleting: "Delete this window? If it is open, people are paged again at once.",
});
