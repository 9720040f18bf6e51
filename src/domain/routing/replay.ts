// Compares what two sets of routers do with an event: the results as values, and in words. Pure.
import type { AlertUrgency } from "../alerts/alert.ts";
import type { RoutedDelivery, RoutingResult } from "./routing.ts";
import { formatDuration } from "./rules/duration.ts";

/** A name of a receiver by its id. */
export type NameOf = (id: string) => string;

const deliveriesOf = ({ deliveries }: RoutingResult): readonly RoutedDelivery[] =>
  deliveries.toSorted((one, other) => (one.receiver.id < other.receiver.id ? -1 : 1));

/** Whether two results have the same receivers at the same times, and the same content. */
export function isSameRoute(one: RoutingResult, other: RoutingResult): boolean {
  const parts = (result: RoutingResult) => [
    result.content,
    result.suppressed,
    deliveriesOf(result).map(({ receiver, delayMs, aggregate }) => [
      receiver.type,
      receiver.id,
      delayMs,
      aggregate?.timeoutMs ?? null,
    ]),
  ];
  return JSON.stringify(parts(one)) === JSON.stringify(parts(other));
}

function describeDelivery(
  { receiver, delayMs, aggregate }: RoutedDelivery,
  nameOf: NameOf,
): string {
  const delay = delayMs > 0 ? ` after ${formatDuration(delayMs)}` : "";
  const window = aggregate && formatDuration(aggregate.timeoutMs);
  const once = window ? `, once per ${window} for alerts with the same values` : "";
  return `${nameOf(receiver.id)}${delay}${once}`;
}

/** A result in words; `original` is the alert's content before the routing. */
function describeRoute(
  result: RoutingResult,
  original: RoutingResult["content"],
  nameOf: NameOf,
): string {
  const { content, suppressed } = result;
  const deliveries = deliveriesOf(result).map((it) => describeDelivery(it, nameOf));
  const changes = [
    content.urgency === original.urgency ? [] : [`urgency ${content.urgency}`],
    content.title === original.title ? [] : [`title “${content.title}”`],
    content.description === original.description ? [] : ["another description"],
    JSON.stringify(content.tags) === JSON.stringify(original.tags)
      ? []
      : [content.tags.length > 0 ? `tags ${content.tags.join(", ")}` : "no tags"],
    JSON.stringify(content.meta) === JSON.stringify(original.meta)
      ? []
      : [`incident ${String(content.meta.incident_severity)}`],
  ].flat();
  if (suppressed) return "Ignored";
  return [...(deliveries.length > 0 ? deliveries : ["Nobody"]), ...changes].join("; ");
}

/** A result as an API record shows it. */
export function routeRecord(
  result: RoutingResult,
  original: RoutingResult["content"],
  nameOf: NameOf,
) {
  const urgency: AlertUrgency = result.content.urgency;
  return {
    summary: describeRoute(result, original, nameOf),
    ignored: result.suppressed,
    urgency,
    receivers: deliveriesOf(result).map(({ receiver, delayMs, aggregate }) => ({
      type: receiver.type,
      id: receiver.id,
      name: nameOf(receiver.id),
      delay: delayMs / 1_000,
      aggregated_for: aggregate && aggregate.timeoutMs / 1_000,
    })),
  };
}
