// GitHub's webhooks: a workflow or a deployment that fails opens an alert, the next one there that works resolves it.
import { datum } from "../additional-data.ts";
import { objectIn } from "../inbound.ts";
import { type Payload, payloadAt, textAt } from "../payload.ts";
import { kindOf, notForUs, type Reading, sender } from "../sender.ts";

export const github = sender({
  name: "github",
  title: "GitHub Actions",
  description:
    "A webhook of a GitHub repository or organization: workflow runs, deployment statuses.",
  options: [
    {
      key: "webhook_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The webhook's secret: requests must then be signed with it (X-Hub-Signature-256).",
    },
  ],
  says: ["resolve"],
  authentication: {
    signature: {
      option: "webhook_secret",
      header: "x-hub-signature-256",
      encoding: "hex",
      prefix: "sha256=",
    },
  },
  read: (body, { request }) => {
    // With the content type that GitHub offers first, the payload is JSON in one field of a form.
    const fields = objectIn(body.payload) ?? body;
    const event = request.headers["x-github-event"] ?? null;
    const repository = textAt(fields, "repository", "full_name");
    if (event === "workflow_run") return readRun(payloadAt(fields, "workflow_run"), repository);
    if (event === "deployment_status") return readDeployment(fields, repository);
    return notForUs("x-github-event", event);
  },
});

function readRun(run: Payload, repository: string | null): Reading {
  const conclusion = textAt(run, "conclusion");
  const kind = kindOf(conclusion, {
    create: ["failure", "timed_out", "startup_failure"],
    resolve: ["success"],
  });
  if (kind === null) return notForUs("workflow_run.conclusion", conclusion ?? "pending");
  const name = textAt(run, "name");
  const branch = textAt(run, "head_branch");
  const workflow = textAt(run, "workflow_id") ?? name;
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

/** Of a fork, whose branches may have the names of ours: neither may end the other's. */
function forkOf(run: Payload, repository: string | null): readonly string[] {
  const head = textAt(run, "head_repository", "full_name");
  return head === null || head === repository ? [] : [head];
}

function readDeployment(fields: Payload, repository: string | null): Reading {
  const status = payloadAt(fields, "deployment_status");
  const state = textAt(status, "state");
  const kind = kindOf(state, { create: ["failure", "error"], resolve: ["success"] });
  if (kind === null) return notForUs("deployment_status.state", state);
  const environment = textAt(status, "environment") ?? "an environment";
  return {
    kind,
    thirdpartyId: `${repository ?? ""}:deployment:${environment}`,
    title: `Deployment of ${repository ?? "a repository"} to ${environment} failed`,
    description: textAt(status, "description"),
    additionalData: datum("target_url", textAt(status, "target_url"), "link"),
  };
}
