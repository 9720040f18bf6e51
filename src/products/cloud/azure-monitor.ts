// Azure Monitor's action groups with the common alert schema. Most alerts have a resolved state;
// activity log alerts fire again at each change, and their context has the state.

import { dataOf, datum } from "../reading/additional-data.ts";
import { type Payload, payloadAt, textAt, valueAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import {
  createSenderType,
  type EventKind,
  ignoreState,
  joinParagraphs,
  readState,
} from "../sender-type.ts";
import { dimensionsIn } from "./sns.ts";

export const azureMonitor = createSenderType({
  name: "azure_monitor",
  title: "Azure Monitor",
  description: "A webhook of an Azure action group, with the common alert schema enabled.",
  // learn.microsoft.com, action groups: these and no other.
  repeats: [408, 429, 503, 504],
  says: ["resolve"],
  read: (fields, { options }) => {
    const essentials = payloadAt(fields, "data", "essentials");
    const condition = textAt(essentials, "monitorCondition");
    const kind = readState("data.essentials.monitorCondition", condition, {
      create: ["Fired"],
      resolve: ["Resolved"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const context = payloadAt(fields, "data", "alertContext");
    const health = healthOf(essentials, context);
    if (health !== null && health.kind === null) return ignoreState("stage", health.stage);
    return {
      kind: health?.kind ?? kind,
      thirdpartyId: health?.id ?? textAt(essentials, "alertId"),
      title: health?.title ?? textAt(essentials, "alertRule"),
      description: joinParagraphs(textAt(essentials, "description"), conditionOf(context).text),
      urgency: urgencyOfWord(textAt(essentials, "severity"), options),
      additionalData: [
        ...dataOf(essentials, "investigationLink"),
        ...conditionOf(context).data,
        ...dataOf(essentials, "monitoringService", "alertRule", "severity", "firedDateTime"),
        ...datum("alertTargetID", textAt(essentials, "alertTargetIDs", 0)),
      ],
    };
  },
});

/**
 * The measured value and threshold of a metric or log search alert; the older log search format has
 * them beside the condition.
 */
function conditionOf(context: Payload) {
  const first = payloadAt(context, "condition", "allOf", 0);
  const metric = textAt(first, "metricName") ?? textAt(first, "metricMeasureColumn");
  const value = textAt(first, "metricValue") ?? textAt(context, "ResultCount");
  const operator = textAt(first, "operator") ?? textAt(context, "Operator");
  const limit = textAt(first, "threshold") ?? textAt(context, "Threshold");
  const threshold = limit && [operator, limit].filter(Boolean).join(" ");
  const search =
    textAt(first, "linkToSearchResultsUI") ??
    textAt(first, "linkToFilteredSearchResultsUI") ??
    textAt(context, "LinkToSearchResults");
  const measured = value && `${metric ?? "Result"}: ${value}`;
  return {
    text: measured && (threshold ? `${measured} (${threshold})` : measured),
    data: [
      ...datum("metric", metric),
      ...datum("value", value),
      ...datum("threshold", threshold),
      ...datum("dimensions", dimensionsIn(valueAt(first, "dimensions"))),
      ...datum("search", search, "link"),
    ],
  };
}

/** The state of an Azure service or resource; `kind` null = ignored. */
type Health = {
  readonly id: string;
  readonly title: string | null;
  readonly stage: string;
  readonly kind: EventKind | null;
};

/** Reads a service health or resource health alert; null for any other alert. */
function healthOf(essentials: Payload, context: Payload): Health | null {
  const service = textAt(essentials, "monitoringService")?.replaceAll(" ", "").toLowerCase();
  const properties = payloadAt(context, "properties");
  const title = textAt(properties, "title");
  if (service === "servicehealth") {
    const id = textAt(properties, "trackingId");
    const stage = textAt(properties, "stage") ?? textAt(context, "status") ?? "active";
    return id === null ? null : { id, title, stage, kind: kindOfStage(stage) };
  }
  // Azure is inconsistent about the case of resource ids.
  const id = textAt(essentials, "alertTargetIDs", 0)?.toLowerCase() ?? null;
  if (service !== "resourcehealth" || id === null) return null;
  const health = textAt(properties, "currentHealthStatus") ?? textAt(context, "status") ?? "";
  const isHealthy = /^(?:available|resolved)$/i.test(health);
  return { id, title, stage: health, kind: isHealthy ? "resolve" : "create" };
}

/** Final stages resolve the alert; the later root cause analysis (RCA) is ignored. */
function kindOfStage(stage: string): EventKind | null {
  if (/^(?:resolved|complete|canceled)$/i.test(stage)) return "resolve";
  return /^rca$/i.test(stage) ? null : "create";
}
