// GitLab's webhooks. A failed pipeline or deployment creates an alert; the next success on its
// branch or environment resolves it.
import { datum } from "../../reading/additional-data.ts";
import { type Payload, payloadAt, textAt } from "../../reading/payload.ts";
import { createSenderType, ignoreState, kindOf, type Reading } from "../../sender-type.ts";

export const gitlab = createSenderType({
  name: "gitlab",
  title: "GitLab",
  description:
    "A webhook of a GitLab project or group for pipeline and deployment events; its secret is option token.",
  // docs.gitlab.com: not sent again; a webhook that fails is switched off, after 4xx for long.
  repeats: [],
  says: ["resolve"],
  authentication: { tokenHeaders: ["x-gitlab-token"] },
  read: (fields) => {
    const object = textAt(fields, "object_kind");
    if (object === "pipeline") return readPipeline(fields);
    return object === "deployment" ? readDeployment(fields) : ignoreState("object_kind", object);
  },
});

function readPipeline(fields: Payload): Reading {
  const pipeline = payloadAt(fields, "object_attributes");
  const status = textAt(pipeline, "status");
  const kind = kindOf(status, { create: ["failed"], resolve: ["success"] });
  if (kind === null) return ignoreState("object_attributes.status", status);
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
  const kind = kindOf(status, { create: ["failed"], resolve: ["success"] });
  if (kind === null) return ignoreState("status", status);
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
