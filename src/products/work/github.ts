// GitHub's webhooks. A failed workflow run or deployment creates an alert, and the next success of
// the same workflow or environment resolves it. A security alert creates one, resolved when it is
// fixed or dismissed.

import type { Options } from "../integration-type.ts";
import { datum } from "../reading/additional-data.ts";
import { parseJsonObject } from "../reading/inbound.ts";
import { type Payload, payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, type Reading, readOther, readState } from "../sender-type.ts";

export const github = createSenderType({
  name: "github",
  title: "GitHub",
  description:
    "A webhook of a GitHub repository or organization: workflows, deployments, security alerts.",
  options: [
    {
      key: "webhook_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The webhook's secret: requests must then be signed with it (X-Hub-Signature-256).",
    },
  ],
  // docs.github.com: failed deliveries are not redelivered.
  repeats: [],
  // Records of the API with links to its further records.
  leavesOut:
    /^(?:organization|sender|enterprise|installation|workflow|repository\.(?!html_url$))|_repository\b|_url$|node_id$|\.(?:actor|triggering_actor|creator|owner)\./,
  says: ["resolve"],
  authentication: {
    signature: {
      option: "webhook_secret",
      header: "x-hub-signature-256",
      encoding: "hex",
      prefix: "sha256=",
    },
  },
  read: (body, { request, options }) => {
    // With GitHub's default content type, the payload is JSON in one form field.
    const fields = parseJsonObject(body.payload) ?? body;
    const event = request.headers["x-github-event"] ?? null;
    const reading = readEvent(event, fields, options);
    return reading.kind === "create" ? { ...reading, rest: fields } : reading;
  },
});

function readEvent(event: string | null, fields: Payload, options: Options): Reading {
  const repository = textAt(fields, "repository", "full_name");
  if (event === "workflow_run") return readRun(payloadAt(fields, "workflow_run"), repository);
  if (event === "deployment_status") return readDeployment(fields, repository);
  if (SECURITY.includes(event ?? "")) return readSecurity(event ?? "", fields, options);
  return readOther("x-github-event", event, OTHER_EVENTS);
}

/** Events of GitHub that say nothing of runs, deployments and security. */
const OTHER_EVENTS = [
  ...["branch_protection_configuration", "branch_protection_rule", "check_run", "check_suite"],
  ...["commit_comment", "create", "custom_property", "custom_property_values", "delete"],
  ...["deploy_key", "deployment", "deployment_protection_rule"],
  ...["deployment_review", "discussion", "discussion_comment", "fork", "github_app_authorization"],
  ...[
    "gollum",
    "installation",
    "installation_repositories",
    "installation_target",
    "issue_comment",
  ],
  ...["issue_dependencies", "issues", "label", "marketplace_purchase", "member", "membership"],
  ...["merge_group", "meta", "milestone", "org_block", "organization", "package", "page_build"],
  ...["personal_access_token_request", "ping", "project", "project_card", "project_column"],
  ...["projects_v2", "projects_v2_item", "projects_v2_status_update", "public", "pull_request"],
  ...["pull_request_review", "pull_request_review_comment", "pull_request_review_thread", "push"],
  ...["registry_package", "release", "repository", "repository_advisory", "repository_dispatch"],
  ...["repository_import", "repository_ruleset", "repository_vulnerability_alert"],
  ...["secret_scanning_alert_location", "secret_scanning_scan", "security_advisory"],
  ...["security_and_analysis", "sponsorship", "star", "status", "sub_issues", "team", "team_add"],
  ...["watch", "workflow_dispatch", "workflow_job"],
];

function readRun(run: Payload, repository: string | null): Reading {
  const conclusion = textAt(run, "conclusion");
  const kind = readState("workflow_run.conclusion", conclusion ?? "pending", {
    create: ["failure", "timed_out", "startup_failure"],
    resolve: ["success"],
    ignore: ["pending", "action_required", "cancelled", "neutral", "skipped", "stale"],
  });
  if (typeof kind !== "string") return kind;
  // Runs that GitHub starts have an empty name.
  const name = textAt(run, "name") ?? textAt(run, "display_title");
  const branch = textAt(run, "head_branch");
  const workflow = textAt(run, "workflow_id") ?? textAt(run, "name") ?? name;
  return {
    kind,
    thirdpartyId:
      [repository, workflow, ...forkOf(run, repository), branch].filter(Boolean).join(":") || null,
    title: name && `${name} failed on ${branch ?? "?"} of ${repository ?? "a repository"}`,
    description: textAt(run, "display_title"),
    additionalData: [
      ...datum("html_url", textAt(run, "html_url"), "link"),
      ...datum("conclusion", conclusion),
      ...datum("actor", textAt(run, "actor", "login")),
      ...datum("head_sha", textAt(run, "head_sha")),
    ],
  };
}

/**
 * The fork's name, if the run is of a fork: its branches can have our branches' names, and neither
 * may resolve the other's alert.
 */
function forkOf(run: Payload, repository: string | null): readonly string[] {
  const head = textAt(run, "head_repository", "full_name");
  return head === null || head === repository ? [] : [head];
}

function readDeployment(fields: Payload, repository: string | null): Reading {
  const status = payloadAt(fields, "deployment_status");
  const state = textAt(status, "state");
  const kind = readState("deployment_status.state", state, {
    create: ["failure", "error"],
    resolve: ["success"],
    ignore: ["pending", "queued", "in_progress", "waiting", "inactive"],
  });
  if (typeof kind !== "string") return kind;
  const environment = textAt(status, "environment") ?? "an environment";
  return {
    kind,
    thirdpartyId: `${repository ?? ""}:deployment:${environment}`,
    title: `Deployment of ${repository ?? "a repository"} to ${environment} failed`,
    description: textAt(status, "description"),
    additionalData: datum("target_url", textAt(status, "target_url"), "link"),
  };
}

const SECURITY = ["dependabot_alert", "code_scanning_alert", "secret_scanning_alert"];

/** What the actions on security alerts mean. */
const SECURITY_ACTIONS = {
  create: [
    ...["created", "reopened", "auto_reopened", "reopened_by_user", "reintroduced"],
    ...["appeared_in_branch", "publicly_leaked"],
  ],
  resolve: ["fixed", "dismissed", "auto_dismissed", "closed_by_user", "resolved"],
  ignore: [
    ...["assigned", "unassigned", "assignees_changed", "validated", "updated_assignment"],
    ...["updated_in_branch"],
  ],
};

function readSecurity(event: string, fields: Payload, options: Options): Reading {
  const action = textAt(fields, "action");
  const kind = readState("action", action, SECURITY_ACTIONS);
  if (typeof kind !== "string") return kind;
  const alert = payloadAt(fields, "alert");
  const repository = textAt(fields, "repository", "full_name") ?? "a repository";
  const number = textAt(alert, "number");
  const { what, description, severity, where } = securityOf(event, alert);
  return {
    kind,
    thirdpartyId: number && `${repository}:${event}:${number}`,
    title: `${what ?? event.replaceAll("_", " ")} in ${repository}`,
    description,
    urgency: urgencyOfWord(severity, options),
    tags: textsOf([event]),
    additionalData: [
      ...datum("html_url", textAt(alert, "html_url"), "link"),
      ...datum("severity", severity),
      ...datum("where", where),
      ...datum("number", number),
    ],
  };
}

/** The texts of a security alert by its kind. The exposed secret itself is never shown. */
function securityOf(event: string, alert: Payload) {
  const rule = payloadAt(alert, "rule");
  switch (event) {
    case "dependabot_alert": {
      const advisory = payloadAt(alert, "security_advisory");
      return {
        what: textAt(advisory, "summary"),
        description: textAt(advisory, "description"),
        severity: textAt(advisory, "severity"),
        where: textAt(alert, "dependency", "manifest_path"),
      };
    }
    case "code_scanning_alert":
      return {
        what: textAt(rule, "description") ?? textAt(rule, "name") ?? textAt(rule, "id"),
        description: textAt(alert, "most_recent_instance", "message", "text"),
        severity: textAt(rule, "security_severity_level") ?? textAt(rule, "severity"),
        where: textAt(alert, "most_recent_instance", "location", "path"),
      };
    default: {
      const type =
        textAt(alert, "secret_type_display_name") ?? textAt(alert, "secret_type") ?? "A secret";
      return { what: `${type} exposed`, description: null, severity: null, where: null };
    }
  }
}
