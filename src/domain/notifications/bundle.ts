// Bundles several alerts into one message: their order, and how many are listed. Pure.
import { ALERT_URGENCIES, type PageEvent } from "../alerts/alert.ts";
import { type AlertInPage, type Bundle, MAX_LISTED_ALERTS } from "./page.ts";

type Item = {
  /** The notification. */
  readonly id: string;
  readonly event: PageEvent;
  readonly layer: number | null;
  readonly alert: Pick<AlertInPage, "id" | "title" | "urgency" | "createdAt">;
};

const TITLE_LENGTH = 200;

/**
 * Bundles pages and returns the first one: the most urgent, then the oldest. An alert is listed
 * once per event.
 *
 * @param items at least one
 */
export function bundlePages<One extends Item>(
  kind: Bundle["kind"],
  items: readonly One[],
): { readonly bundle: Bundle; readonly first: One } {
  const rank = ({ alert }: Item) => -ALERT_URGENCIES.indexOf(alert.urgency);
  const sorted = items.toSorted(
    (a, b) => rank(a) - rank(b) || a.alert.createdAt - b.alert.createdAt,
  );
  const distinct = new Map(sorted.toReversed().map((it) => [`${it.alert.id}:${it.event}`, it]));
  const deduplicated = [...distinct.values()].reverse();
  const [first] = deduplicated;
  if (first === undefined) throw new Error("a bundle of nothing");
  const listed = deduplicated.slice(0, MAX_LISTED_ALERTS).map(({ id, event, layer, alert }) => ({
    id: alert.id,
    notificationId: id,
    title: alert.title.slice(0, TITLE_LENGTH),
    urgency: alert.urgency,
    createdAt: alert.createdAt,
    event,
    layer,
  }));
  const alerts = listed as [(typeof listed)[number], ...(typeof listed)[number][]];
  return { bundle: { kind, alerts, total: deduplicated.length }, first };
}
