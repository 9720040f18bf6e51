// What the page of the list of alerts asks the API for, and the filter that a person saves.
import { ALERT_URGENCIES } from "../../domain/alerts/alert.ts";
import { LIST_GROUPINGS, LIST_ORDERS, LISTED_STATUSES } from "../../domain/alerts/saved-filter.ts";
import { formatInstant, MINUTE } from "../../domain/shared/time.ts";
import type { AlertFilter } from "../../features/alerts/saved-filters/contract.ts";
import type { ListScope } from "../../kernel/console/scope.tsx";
import { textOf } from "../../kernel/console/values.ts";
import type { Query } from "../api-client.ts";
import type { Visit } from "../page.ts";

// Where a form of the list of alerts, or of the alerts at home, returns to.

/** The path of the list with its query string, or home; any other path yields `otherwise`. */
export const backToAlerts = (form: Visit["form"], otherwise: string): string => {
  const back = textOf(form, "back");
  return /^\/(alerts)?(\?|$)/.test(back) ? back : otherwise;
};

const LONGEST_MINUTES = 43_200;

/** The time that a form's choice of minutes snoozes until; null: it has none. */
export function snoozedUntil({ form, now }: Visit): string | null {
  const minutes = Number(textOf(form, "minutes"));
  return minutes > 0 && minutes <= LONGEST_MINUTES ? formatInstant(now + minutes * MINUTE) : null;
}

const oneOf = <Value extends string>(values: readonly Value[], text: string | null) =>
  values.find((value) => value === text);

/** The filter in a page's query string; the list of active alerts has none. */
export function filterOf({ searchParams: query }: URL): AlertFilter {
  const status = oneOf(LISTED_STATUSES, query.get("status"));
  const urgency = oneOf(ALERT_URGENCIES, query.get("urgency"));
  const sort = oneOf(LIST_ORDERS, query.get("sort"));
  const group = oneOf(LIST_GROUPINGS, query.get("group"));
  const [team, tag, q] = ["team", "tag", "q"].map((name) => query.get(name) ?? "");
  return {
    ...(status && status !== "active" && { status }),
    ...(urgency && { urgency }),
    ...(team && { team_id: team }),
    ...(tag && { tag }),
    ...(q && { q }),
    ...(query.get("incident") === "true" && { incident: true }),
    ...(sort && { sort }),
    ...(group && { group }),
  };
}

/** Whether the list with a filter can have alerts that are not resolved only. */
export const isOfLiving = ({ status = "active" }: AlertFilter): boolean =>
  !["all", "resolved"].includes(status);

/** The API's name of the order of a filter; undefined: the newest first. */
export function orderOf(filter: AlertFilter): string | undefined {
  if (isOfLiving(filter)) return filter.sort === "newest" ? undefined : "attention";
  return filter.sort === "urgency" ? "urgency" : undefined;
}

/** The path of the list with a filter. Equal filters have equal paths. */
export function pathOfFilter(filter: AlertFilter): string {
  const { status, urgency, team_id, tag, q, incident, sort, group } = filter;
  const values = { status, urgency, team: team_id, tag, q, incident, sort, group };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "active") query.set(name, String(value));
  }
  return query.size === 0 ? "/alerts" : `/alerts?${query}`;
}

/** The path of the list of active alerts, also of who starts with a filter. */
export const ACTIVE_ALERTS = "/alerts?status=active";

/** The API's names of whose alerts are listed. */
export const API_SCOPES = { mine: "mine", teams: "my_teams", all: undefined } as const;

/**
 * The API query of a filter, without its order and its page.
 *
 * @param whose a filter by a team, and a search, are for any alerts
 * @param until only alerts created up to this instant (epoch ms)
 */
export function alertsQuery(filter: AlertFilter, whose: ListScope, until?: number): Query {
  const { status = "active", urgency, team_id: teamId, tag, q, incident } = filter;
  const scope = teamId ?? API_SCOPES[whose];
  const ops = [
    ...(status === "active" ? ["status:ne"] : []),
    ...(until === undefined ? [] : ["created_at:lte"]),
  ];
  return {
    ...(q && { q }),
    ...(urgency && { urgency }),
    ...(scope && { scope }),
    ...(tag && { tags: tag }),
    ...(incident && { "meta.incident": true }),
    ...(status === "active" && { status: "resolved" }),
    ...(status !== "active" && status !== "all" && { status }),
    ...(until !== undefined && { created_at: new Date(until).toISOString() }),
    ...(ops.length > 0 && { ops: ops.join(",") }),
  };
}
