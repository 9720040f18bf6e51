// GitLab's webhooks. A failed pipeline or deployment creates an alert; the next success on its
// branch or environment resolves it.
import { datum } from "../reading/additional-data.ts";
import { type Payload, payloadAt, textAt } from "../reading/payload.ts";
import { createSenderType, type Reading, readOther, readState } from "../sender-type.ts";

export const gitlab = createSenderType({
  name: "gitlab",
  title: "GitLab",
  description: "A webhook of a GitLab project or group, for pipelines and deployments.",
  // docs.gitlab.com: not sent again; a webhook that fails is switched off, after 4xx for long.
  repeats: [],
  // Records of the API; variables can be secret.
  leavesOut:
    /^(?:builds|merge_request|user\.(?:avatar|email)|project\.(?!id$|name$|web_url$))|\.variables$/,
  says: ["resolve"],
  authentication: { tokenHeaders: ["x-gitlab-token"] },
  read: (fields) => {
    const object = textAt(fields, "object_kind");
    if (object === "pipeline") return readPipeline(fields);
    if (object === "deployment") return readDeployment(fields);
    return readOther("object_kind", object, OTHER_OBJECTS);
  },
});

/** Kinds of events that say nothing of pipelines and deployments. */
const OTHER_OBJECTS = [
  ...["push", "tag_push", "issue", "work_item", "note", "merge_request", "wiki_page", "build"],
  ...["release", "milestone", "feature_flag", "emoji", "access_token", "vulnerability"],
  ...["user_add_to_group", "user_remove_from_group", "user_update_for_group"],
  ...["user_access_request_to_group", "user_access_request_denied_for_group"],
  ...["subgroup_create", "subgroup_destroy", "project_create", "project_destroy"],
];

/** States of pipelines and deployments that have not failed and not succeeded. */
const UNFINISHED = [
  ...["created", "waiting_for_resource", "waiting_for_callback", "preparing", "pending"],
  ...["running", "canceling", "canceled", "skipped", "manual", "scheduled", "blocked"],
];

function readPipeline(fields: Payload): Reading {
  const pipeline = payloadAt(fields, "object_attributes");
  const status = textAt(pipeline, "status");
  const kind = readState("object_attributes.status", status, {
    create: ["failed"],
    resolve: ["success"],
  });
  if (typeof kind !== "string") return kind;
  const project = textAt(fields, "project", "path_with_namespace");
  const ref = textAt(pipeline, "ref");
  // A child pipeline's success does not resolve its parent's alert: the parent can still fail.
  const child = textAt(pipeline, "source") === "parent_pipeline" ? "child" : null;
  return {
    kind,
    thirdpartyId: [project ?? textAt(fields, "project", "id"), ref, child]
      .filter(Boolean)
      .join(":"),
    title: `Pipeline failed on ${ref ?? "?"} of ${project ?? "a project"}`,
    description: textAt(fields, "commit", "title") ?? textAt(fields, "commit", "message"),
    additionalData: [
      ...datum("url", textAt(pipeline, "url"), "link"),
      ...datum("source", textAt(pipeline, "source")),
      ...datum("user", textAt(fields, "user", "username")),
    ],
  };
}

/**
 * Identified by environment: the next successful deployment there resolves it, whatever it deploys.
 */
function readDeployment(fields: Payload): Reading {
  const status = textAt(fields, "status");
  const kind = readState("status", status, {
    create: ["failed"],
    resolve: ["success"],
    ignore: UNFINISHED,
  });
  if (typeof kind !== "string") return kind;
  const project = textAt(fields, "project", "path_with_namespace");
  const environment = textAt(fields, "environment");
  const projectId = project ?? textAt(fields, "project", "id");
  return {
    kind,
    thirdpartyId: projectId && environment && `${projectId}:deployment:${environment}`,
    title: `Deployment of ${project ?? "a project"} to ${environment ?? "an environment"} failed`,
    description: textAt(fields, "commit_title"),
    additionalData: [
      ...datum("deployable_url", textAt(fields, "deployable_url"), "link"),
      ...datum("commit_url", textAt(fields, "commit_url"), "link"),
      ...datum("environment_tier", textAt(fields, "environment_tier")),
      ...datum("ref", textAt(fields, "ref")),
      ...datum("user", textAt(fields, "user", "username")),
    ],
  };
}
