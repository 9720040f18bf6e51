// GitLab's webhooks: a pipeline that fails opens an alert, the next one of its branch that works resolves it.
import { datum } from "../additional-data.ts";
import { payloadAt, textAt } from "../payload.ts";
import { kindOf, notForUs, sender } from "../sender.ts";

export const gitlab = sender({
  name: "gitlab",
  title: "GitLab pipelines",
  description:
    "A webhook of a GitLab project or group for pipeline events; its secret is option token.",
  says: ["resolve"],
  authentication: { tokenHeaders: ["x-gitlab-token"] },
  read: (fields) => {
    const object = textAt(fields, "object_kind");
    if (object !== "pipeline") return notForUs("object_kind", object);
    const pipeline = payloadAt(fields, "object_attributes");
    const status = textAt(pipeline, "status");
    const kind = kindOf(status, { create: ["failed"], resolve: ["success"] });
    if (kind === null) return notForUs("object_attributes.status", status);
    const project = textAt(fields, "project", "path_with_namespace");
    const ref = textAt(pipeline, "ref");
    // A child's success ends nothing of its parent's: it may be over while that goes on to fail.
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
  },
});
