import { sql } from "drizzle-orm";
import { formatInstant } from "../../../domain/shared/time.ts";
import { selectEvery } from "../../../kernel/db/records.ts";
import {
  CreateMaintenanceWindow,
  UpdateMaintenanceWindow,
} from "../../integrations/maintenance-windows/parameters.ts";
import { maintenanceWindowRecords } from "../../integrations/maintenance-windows/rows.ts";
import {
  createMaintenanceWindow,
  updateMaintenanceWindow,
} from "../../integrations/maintenance-windows/verbs.ts";
import { intervalOf } from "../../integrations/maintenance-windows/window-interval.ts";
import {
  integrations,
  maintenanceWindowIntegrations,
  maintenanceWindows,
} from "../../schema/integrations.ts";
import { isConfigured } from "./integrations-section.ts";
import {
  byId,
  declareSection,
  type Entry,
  type Finder,
  type Parameters,
  pick,
  plainFields,
  validated,
} from "./section.ts";

const PLAIN = plainFields(CreateMaintenanceWindow.out);

/** The maintenance windows that are not over. */
export const maintenanceWindowsSection = declareSection({
  name: "maintenance_windows",
  kind: "maintenance_window",
  fields: [...PLAIN, "integrations"],
  fieldNames: { integration_ids: "integrations" },
  select: (accountId, now) => {
    const named = sql`select 1 from ${maintenanceWindowIntegrations} as named
      join ${integrations} on ${integrations.id} = named.integration_id
      where named.maintenance_window_id = ${maintenanceWindows.id} and ${isConfigured}`;
    const scope = sql`${maintenanceWindows.endAt} > ${now} and exists (${named})`;
    return selectEvery(maintenanceWindowRecords, accountId, scope);
  },
  settle,
  show: (window, keyOf) => ({
    ...pick(window, PLAIN),
    integrations: window.integration_ids.flatMap((id) => keyOf("integration", id) ?? []).sort(),
  }),
  parametersOf,
  create: validated(CreateMaintenanceWindow, createMaintenanceWindow),
  update: validated(UpdateMaintenanceWindow, (context, id, body) =>
    updateMaintenanceWindow(context, byId(id), body),
  ),
});

/** Times may be written as wall-clock times in the window's zone. */
function settle(entry: Entry, stored: Entry | null, now: number) {
  const written: Entry = { description: null, ...stored, ...entry };
  const listed = pick(written, PLAIN);
  const parsed = CreateMaintenanceWindow.safeParse({ ...listed, integration_ids: ["any"] });
  if (!parsed.success) return { written, shown: written };
  const { interval, errors } = intervalOf(parsed.data, null);
  if (errors.length > 0) return { written, shown: written };
  if (interval.endAt <= now) return null;
  const { integrations: named } = written;
  const shown: Entry = {
    ...written,
    start_datetime: formatInstant(interval.startAt),
    end_datetime: formatInstant(interval.endAt),
    time_zone: interval.timeZone,
    integrations: Array.isArray(named) ? named.toSorted() : named,
  };
  return { written: shown, shown };
}

function parametersOf(entry: Entry, find: Finder, place: string): Parameters {
  const ids = find.idsOf("integration", entry.integrations, `${place}.integrations`);
  return { ...pick(entry, PLAIN), integration_ids: ids };
}
