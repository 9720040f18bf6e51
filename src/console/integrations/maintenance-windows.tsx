// Maintenance windows: while one is active, alerts of its integrations are stored and notify
// nobody.

import { parseInstant } from "../../domain/shared/parse-time.ts";
import { HOUR } from "../../domain/shared/time.ts";
import type { MaintenanceWindow } from "../../features/integrations/maintenance-windows/contract.ts";
import { CreateMaintenanceWindow } from "../../features/integrations/maintenance-windows/parameters.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { changedParameters } from "../../kernel/console/changed.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { fieldText, type Values } from "../../kernel/console/values.ts";
import { useViewer } from "../../kernel/console/viewer.tsx";
import type { Api } from "../api-client.ts";
import { choicesOf, zoneChoices } from "../choices.ts";
import { OnCallViews } from "../oncall/on-call-views.tsx";
import { listedZone, wallOf } from "../oncall/on-call-window.ts";
import type { ConsolePage } from "../page.ts";
import { allByName, type ReadBy } from "../reads.ts";
import type { ShownForm } from "../record-pages.tsx";
import { type Resource, recordListOf, resourcePages } from "../resource-pages.tsx";

/** Where the windows are listed. */
const WINDOWS = "/calendars?view=windows";

const read = (api: Api) => allByName({ integrations: api.every("/integrations") });
type WindowFormData = ReadBy<typeof read>;

const zoneOf = (values: Values) => fieldText(values, "time_zone") || "UTC";

/** A time in the format of a `datetime-local` field, in the window's time zone. */
const wallClock = (name: "start_datetime" | "end_datetime") => (values: Values) => {
  const text = fieldText(values, name);
  const at = parseInstant(text);
  return at === null ? text : wallOf(at, zoneOf(values));
};

const FORM: DeclaredForm<ShownForm<MaintenanceWindow, WindowFormData>> = declareForm(
  CreateMaintenanceWindow,
  [
    { name: "name", label: "Name" },
    {
      fields: [
        {
          name: "start_datetime",
          label: "Start",
          type: "datetime-local",
          text: wallClock("start_datetime"),
        },
        {
          name: "end_datetime",
          label: "End",
          type: "datetime-local",
          text: wallClock("end_datetime"),
        },
        {
          name: "time_zone",
          label: "Time zone",
          choices: ({ values }) => zoneChoices(zoneOf(values)),
        },
      ],
    },
    {
      name: "integration_ids",
      label: "Integrations",
      choices: ({ around }) => choicesOf(around.integrations),
      source: "integrations",
      none: "No integrations yet.",
    },
    { name: "description", label: "Description" },
  ],
);

const TONES = { ended: "quiet", planned: "neutral", active: "warn" } as const;

function stateOf(window: MaintenanceWindow, now: number): keyof typeof TONES {
  if (Date.parse(window.end_datetime) <= now) return "ended";
  return Date.parse(window.start_datetime) > now ? "planned" : "active";
}

const State = ({ window }: { readonly window: MaintenanceWindow }) => {
  const state = stateOf(window, useViewer().now);
  return <Badge tone={TONES[state]}>{state}</Badge>;
};

const RESOURCE: Resource<MaintenanceWindow, WindowFormData> = {
  path: "/maintenance_windows",
  calls: (api) => api.records("/maintenance_windows"),
  title: "Maintenance windows",
  one: "maintenance window",
  listedAt: { to: WINDOWS, label: "Maintenance windows" },
  views: <OnCallViews path={WINDOWS} />,
  lead: "Periods in which alerts of the chosen integrations notify nobody.",
  read,
  columns: (_, { now }) => [
    { title: "Status", cell: (it) => <State window={it} />, by: (it) => stateOf(it, now) },
    {
      title: "Start",
      cell: (it) => <Moment at={it.start_datetime} />,
      by: (it) => Date.parse(it.start_datetime),
    },
    {
      title: "End",
      cell: (it) => <Moment at={it.end_datetime} />,
      by: (it) => Date.parse(it.end_datetime),
    },
  ],
  empty: "During a maintenance window, alerts are stored and visible, but notify nobody.",
  before: ({ integrations }) =>
    integrations.length > 0 ? null : { text: "", to: "/integrations", label: "Create integration" },
  form: FORM,
  changesOf: (body, window) => {
    const wall = (at: string) => wallOf(Date.parse(at), window.time_zone);
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
};

/** The list of the windows: a view of the calendars. */
export const showWindows = recordListOf(RESOURCE);

export const maintenanceWindowsPages: readonly ConsolePage[] = resourcePages(RESOURCE);
