// Groups the alerts of a page by destination, source or title.
import type { Alert } from "../../features/alerts/alerts/contract.ts";

/** What alerts are grouped by: the names of their destinations, their source, or their title. */
export type Grouping = "team" | "source" | "title";

const GROUPINGS: readonly Grouping[] = ["team", "source", "title"];

/** The grouping in a page's query; null if the list is not grouped. */
export const groupingOf = (url: URL): Grouping | null =>
  GROUPINGS.find((it) => it === url.searchParams.get("group")) ?? null;

export type AlertGroup = { readonly name: string; readonly alerts: readonly Alert[] };

/**
 * Groups alerts: in the order of the list, each group where its first alert is.
 *
 * @param nameOf the name of an integration by its id
 * @param destinationsOf the names of an alert's destinations, empty if it has none
 */
export function groupAlerts(
  alerts: readonly Alert[],
  grouping: Grouping,
  nameOf: (id: string) => string,
  destinationsOf: (alert: Alert) => string,
): readonly AlertGroup[] {
  const nameIn: Record<Grouping, (alert: Alert) => string> = {
    team: (alert) => destinationsOf(alert) || "No destination",
    source: ({ source_id, source_type }) =>
      source_id !== null && source_type === "Integration"
        ? nameOf(source_id)
        : "People and the API",
    title: ({ title }) => title,
  };
  const groups = Map.groupBy(alerts, nameIn[grouping]);
  return [...groups].map(([name, members]) => ({ name, alerts: members }));
}
