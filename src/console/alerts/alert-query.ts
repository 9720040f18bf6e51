// What the page of the list of alerts asks the API for, and the filter that a person saves.
import { ALERT_URGENCIES } from "../../domain/alerts/alert.ts";
import { LIST_GROUPINGS, LIST_ORDERS, LISTED_STATUSES } from "../../domain/alerts/saved-filter.ts";
import type { AlertFilter } from "../../features/alerts/saved-filters/contract.ts";
import type { Query } from "../api-client.ts";

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

/**
 * The API query of a filter, without its team, its order and its page.
 *
 * @param until only alerts created up to this instant (epoch ms)
 */
export function alertsQuery(filter: AlertFilter, until?: number): Query {
  const { status = "active", urgency, tag, q, incident } = filter;
  const ops = [
    ...(status === "active" ? ["status:ne"] : []),
    ...(until === undefined ? [] : ["created_at:lte"]),
  ];
  return {
    ...(q && { q }),
    ...(urgency && { urgency }),
    ...(tag && { tags: tag }),
    ...(incident && { "meta.incident": true }),
    ...(status === "active" && { status: "resolved" }),
    ...(status !== "active" && status !== "all" && { status }),
    ...(until !== undefined && { created_at: new Date(until).toISOString() }),
    ...(ops.length > 0 && { ops: ops.join(",") }),
  };
}
