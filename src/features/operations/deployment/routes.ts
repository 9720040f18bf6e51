// The route of the deployment's state, as the admins of one account see it.
import { found } from "../../../kernel/http/answers.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { askStandbyDrill } from "./ask-standby-drill.ts";
import { readDeployment } from "./read-deployment.ts";

export const deploymentRoutes = [
  route({
    method: "GET",
    path: "/deployment",
    operation: "getDeployment",
    allow: "admin",
    summary: "Get the state of the deployment",
    description:
      "What the latest audit found, at most a minute and a half ago; the heartbeat, the providers, the database and the daily limits. " +
      "A deployment may have several accounts: of records, only the account's own are named.",
    shows: exactly("Deployment"),
    handle: async ({ db, env, actor, now }) =>
      found(await readDeployment(db, env, actor.accountId, now)),
  }),
  route({
    method: "POST",
    path: "/deployment/standby_drills",
    operation: "startStandbyDrill",
    allow: "admin",
    summary: "Start a drill through the standby",
    description:
      "Asks the standby for a fire drill of one of the account's teams, another one each time: whoever is on call there is paged by the standby's own providers, in a minute or two. " +
      "`standby.drills` of the deployment says how it ended. Two standbys are drilled one after the other.",
    shows: exactly("DeploymentStandby"),
    refuses: ["conflict"],
    keepsNoAnswer: true,
    handle: async (request) => found(await askStandbyDrill(request)),
  }),
];
