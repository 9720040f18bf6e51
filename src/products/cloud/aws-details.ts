// Reads the `detail` of AWS service events by their `detail-type`: the alert's identifier, whether
// the event creates or resolves it, its urgency and its links. Unknown types create an alert.
import type { AlertUrgency } from "../../domain/alerts/alert.ts";
import { dataOf, datum } from "../reading/additional-data.ts";
import { type Payload, payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { formatLines } from "../reading/readable-lines.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { joinParagraphs, type Reading, readState } from "../sender-type.ts";
import { consolePage, nameInArn } from "./aws-links.ts";

type Options = Readonly<Record<string, unknown>>;

/** A parsed event; `about` is the first of its resources. */
type Event = {
  readonly message: Payload;
  readonly detail: Payload;
  readonly about: string | null;
  readonly options: Options;
};

type Reader = (event: Event) => Reading;

/** Reads an event with the reader of its `detail-type`. */
export function readDetail(type: string, message: Payload, options: Options): Reading {
  const event = {
    message,
    detail: payloadAt(message, "detail"),
    about: textAt(message, "resources", 0),
    options,
  };
  return (READERS.get(type) ?? readAny(type))(event);
}

const shared = (message: Payload) => dataOf(message, "account", "region", "time");

const guardDuty: Reader = ({ message, detail, options }) => {
  const id = textAt(detail, "id");
  const region = textAt(detail, "region") ?? textAt(message, "region");
  const severity = textAt(detail, "severity");
  const page = (it: string) =>
    `guardduty/home?region=${it}#/findings?search=id%3D${encodeURIComponent(id ?? "")}`;
  const isArchived = textAt(detail, "service", "archived") === "true";
  return {
    kind: isArchived ? "resolve" : "create",
    thirdpartyId: id,
    title: textAt(detail, "title"),
    description: textAt(detail, "description"),
    urgency: urgencyOfWord(severity, options) ?? urgencyOfScore(severity),
    tags: textsOf([detail.type]),
    additionalData: [
      ...datum("finding", consolePage("aws", region, page), "link"),
      ...dataOf(detail, "type", "severity"),
      ...datum("count", textAt(detail, "service", "count")),
      ...shared(message),
    ],
  };
};

/** Urgency by GuardDuty's scale: critical from 9, high from 7, medium from 4. */
function urgencyOfScore(text: string | null): AlertUrgency | null {
  const score = Number(text ?? Number.NaN);
  if (!(score > 0)) return null;
  if (score >= 9) return "critical";
  if (score >= 7) return "high";
  return score >= 4 ? "medium" : "low";
}

/** Expects one finding per event; the caller splits events that have several. */
const securityHub: Reader = ({ message, detail, options }) => {
  const finding = payloadAt(detail, "findings", 0);
  // Findings in the OCSF format have these fields in a nested object.
  const info = payloadAt(finding, "finding_info");
  const workflow = textAt(finding, "Workflow", "Status");
  const isOver =
    /^(?:RESOLVED|SUPPRESSED|ARCHIVED)$/i.test(workflow ?? textAt(finding, "status") ?? "") ||
    textAt(finding, "RecordState") === "ARCHIVED" ||
    textAt(finding, "Compliance", "Status") === "PASSED";
  return {
    kind: isOver ? "resolve" : "create",
    thirdpartyId: textAt(finding, "Id") ?? textAt(info, "uid"),
    title: textAt(finding, "Title") ?? textAt(info, "title"),
    description: textAt(finding, "Description") ?? textAt(info, "desc"),
    urgency: urgencyOfWord(
      textAt(finding, "Severity", "Label") ?? textAt(finding, "severity"),
      options,
    ),
    tags: textsOf([finding.ProductName]),
    additionalData: [
      ...dataOf(finding, "SourceUrl", "ProductName"),
      ...datum("resource", textAt(finding, "Resources", 0, "Id")),
      ...datum("remediation", textAt(finding, "Remediation", "Recommendation", "Url"), "link"),
      ...shared(message),
    ],
  };
};

const inspector: Reader = ({ message, detail, about, options }) => {
  const status = textAt(detail, "status");
  return {
    kind: /^(?:CLOSED|SUPPRESSED)$/i.test(status ?? "") ? "resolve" : "create",
    thirdpartyId: textAt(detail, "findingArn") ?? about,
    title: textAt(detail, "title"),
    description: textAt(detail, "description"),
    urgency: urgencyOfWord(textAt(detail, "severity"), options),
    additionalData: [
      ...datum("source", textAt(detail, "packageVulnerabilityDetails", "sourceUrl"), "link"),
      ...dataOf(detail, "type", "severity", "inspectorScore", "exploitAvailable"),
      ...datum("resource", textAt(detail, "resources", 0, "id")),
      ...shared(message),
    ],
  };
};

const config: Reader = ({ message, detail }) => {
  const result = payloadAt(detail, "newEvaluationResult");
  const compliance = textAt(result, "complianceType");
  const kind = readState("detail.newEvaluationResult.complianceType", compliance, {
    create: ["NON_COMPLIANT"],
    // Not applicable: the resource was deleted, or the rule no longer applies to it.
    resolve: ["COMPLIANT", "NOT_APPLICABLE"],
    ignore: ["INSUFFICIENT_DATA"],
  });
  if (typeof kind !== "string") return kind;
  const [rule, resource] = [textAt(detail, "configRuleName"), textAt(detail, "resourceId")];
  return {
    kind,
    thirdpartyId: joined(
      textAt(detail, "awsAccountId"),
      textAt(detail, "awsRegion"),
      rule,
      textAt(detail, "resourceType"),
      resource,
    ),
    title: rule && `${rule}: ${resource ?? "a resource"} is not compliant`,
    description: textAt(result, "annotation"),
    additionalData: [
      ...dataOf(detail, "configRuleName", "resourceType", "resourceId"),
      ...shared(message),
    ],
  };
};

/** States of an ECS task before and after it stops. */
const RUNNING = [
  ...["PROVISIONING", "PENDING", "ACTIVATING", "RUNNING", "DEACTIVATING", "STOPPING"],
  ...["DEPROVISIONING", "DELETED"],
];

const ecsTask: Reader = ({ message, detail, about }) => {
  const status = textAt(detail, "lastStatus");
  const kind = readState("detail.lastStatus", status, { create: ["STOPPED"], ignore: RUNNING });
  if (typeof kind !== "string") return kind;
  const group = textAt(detail, "group");
  const cluster = nameInArn(textAt(detail, "clusterArn"));
  return {
    kind,
    thirdpartyId: textAt(detail, "taskArn") ?? about,
    title: `ECS task of ${group ?? "no service"} stopped in ${cluster ?? "a cluster"}`,
    description: textAt(detail, "stoppedReason"),
    additionalData: [
      ...dataOf(detail, "stopCode", "taskArn", "taskDefinitionArn"),
      ...datum("container", textAt(detail, "containers", 0, "name")),
      ...datum("exitCode", textAt(detail, "containers", 0, "exitCode")),
      ...shared(message),
    ],
  };
};

/** Service and deployment failures are separate alerts: different events resolve them. */
const ecsService =
  (of: "service" | "deployment"): Reader =>
  ({ message, detail, about }) => {
    const name = textAt(detail, "eventName");
    const isOver = /^SERVICE_(?:STEADY_STATE|DEPLOYMENT_COMPLETED)$/.test(name ?? "");
    const level = textAt(detail, "eventType");
    const kind = readState("detail.eventType", isOver ? "over" : level, {
      create: ["ERROR", "WARN"],
      resolve: ["over"],
      ignore: ["INFO"],
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      thirdpartyId: of === "service" ? about : joined(about, of),
      title: `ECS ${of} ${nameInArn(about) ?? ""}: ${name ?? level}`,
      description: textAt(detail, "reason"),
      urgency: level === "WARN" ? "medium" : null,
      additionalData: [...dataOf(detail, "eventName", "clusterArn"), ...shared(message)],
    };
  };

const PIPELINE_STATES = {
  create: ["FAILED"],
  resolve: ["SUCCEEDED"],
  ignore: [
    ...["STARTED", "RESUMED", "CANCELED", "STOPPING", "STOPPED", "SUPERSEDED", "ABANDONED"],
    ...["IN_PROGRESS"],
  ],
};

const pipeline: Reader = ({ message, detail, about }) => {
  const state = textAt(detail, "state");
  const kind = readState("detail.state", state, PIPELINE_STATES);
  if (typeof kind !== "string") return kind;
  const name = textAt(detail, "pipeline");
  const part = [textAt(detail, "stage"), textAt(detail, "action")].filter((it) => it !== null);
  const page = (it: string) =>
    `codesuite/codepipeline/pipelines/${encodeURIComponent(name ?? "")}/view?region=${it}`;
  return {
    kind,
    thirdpartyId: joined(about ?? name, ...part),
    title: `${["Pipeline", name, ...part].filter(Boolean).join(" ")} failed`,
    description: textAt(detail, "execution-result", "external-execution-summary"),
    additionalData: [
      ...datum("pipeline", consolePage("aws", textAt(message, "region"), page), "link"),
      ...dataOf(detail, "execution-id"),
      ...shared(message),
    ],
  };
};

const build: Reader = ({ message, detail }) => {
  const state = textAt(detail, "build-status");
  const kind = readState("detail.build-status", state, PIPELINE_STATES);
  if (typeof kind !== "string") return kind;
  const name = textAt(detail, "project-name");
  return {
    kind,
    thirdpartyId: joined(textAt(message, "account"), textAt(message, "region"), "codebuild", name),
    title: `Build of ${name ?? "a project"} failed`,
    additionalData: [
      ...datum("logs", textAt(detail, "additional-information", "logs", "deep-link"), "link"),
      ...dataOf(detail, "build-id"),
      ...shared(message),
    ],
  };
};

const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    "GuardDuty Finding": guardDuty,
    "Security Hub Findings - Imported": securityHub,
    "Security Hub Findings - Custom Action": securityHub,
    "Findings Imported V2": securityHub,
    "Inspector2 Finding": inspector,
    "Config Rules Compliance Change": config,
    "ECS Task State Change": ecsTask,
    "ECS Service Action": ecsService("service"),
    "ECS Deployment State Change": ecsService("deployment"),
    "CodePipeline Pipeline Execution State Change": pipeline,
    "CodePipeline Stage Execution State Change": pipeline,
    "CodePipeline Action Execution State Change": pipeline,
    "CodeBuild Build State Change": build,
  }),
);

/** Reads any other event type. A repeated event with the same id updates the same alert. */
const readAny =
  (type: string): Reader =>
  ({ message, detail, options }) => {
    const source = textAt(message, "source");
    const first = (...names: string[]) =>
      names.map((name) => textAt(detail, name)).find((text) => text !== null) ?? null;
    const kindOfEvent = source === null ? type : `${type} (${source})`;
    const link = first("url", "link", "sourceUrl");
    return {
      kind: "create",
      thirdpartyId:
        first("id", "findingId", "findingArn", "arn", "eventArn") ?? textAt(message, "id"),
      title: first("title") ?? kindOfEvent,
      description: joinParagraphs(first("description", "message") ?? formatLines(detail)),
      urgency: urgencyOfWord(first("severity"), options),
      additionalData: [
        ...(link !== null && /^https?:/i.test(link) ? datum("link", link, "link") : []),
        ...datum("event", kindOfEvent),
        ...shared(message),
        ...dataOf(message, "resources"),
      ],
    };
  };

const joined = (...parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null).join(":") || null;
