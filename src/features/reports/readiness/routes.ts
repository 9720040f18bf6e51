// The routes of an account's readiness: the state of its setup, and who can be reached.

import { found } from "../../../kernel/http/answers.ts";
import { listRecords } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { exactly, manyOf } from "../../../kernel/http/shown.ts";
import { availableChannels } from "../../people/channels/channels.ts";
import { UpdateReadiness } from "./parameters.ts";
import { readReadiness } from "./read-readiness.ts";
import { readinessPeople } from "./rows.ts";
import { updateReadiness } from "./update-readiness.ts";

/** The attributes are the same whatever channels a deployment has. */
const { attributes } = readinessPeople(new Set());

export const readinessRoutes = [
  route({
    method: "GET",
    path: "/readiness",
    operation: "getReadiness",
    allow: "everyone",
    summary: "Get the state of the account's setup",
    description: `The steps until somebody is paged: a team with members, somebody on call now, an escalation policy, an integration with receivers, a page that was sent for a team's alert or drill, and its acknowledgement by somebody who was notified. A test page to oneself does not count, because it passes neither team, schedule nor policy.`,
    shows: exactly("Readiness"),
    handle: async (request) => found(await readReadiness(request)),
  }),
  ...updateRoutes({
    path: "/readiness",
    operation: "updateReadiness",
    allow: "admin",
    summary: "Change the weekly digest, and whether ids accept events",
    shows: exactly("Readiness"),
    body: UpdateReadiness,
    handle: async (request) => found(await updateReadiness(request, request.body)),
  }),
  route({
    method: "GET",
    path: "/readiness/people",
    operation: "listReadinessPeople",
    allow: "everyone",
    summary: "List how people can be reached",
    description: `One entry per member: the channels on which they can be notified by their addresses, browsers and the deployment, whatever their notification rules choose; and what limits them. Filter by \`team_ids\`, \`reach\` or \`problems\`; \`q\` searches names, e-mail addresses and telephone numbers.`,
    shows: manyOf("ReadinessPerson", attributes),
    handle: (request) => listRecords(request, readinessPeople(availableChannels(request.env))),
  }),
];
