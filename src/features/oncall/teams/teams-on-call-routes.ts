// The route of who is on call in every team.
import { readWindow } from "../../../domain/oncall/window.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { bare } from "../../../kernel/http/answers.ts";
import { route } from "../../../kernel/http/route.ts";
import { bareList } from "../../../kernel/http/shown.ts";
import { readTeamsOnCall } from "../on-call/read-teams-on-call.ts";
import { readUncovered } from "../on-call/read-uncovered.ts";

export const onCallTeamRoutes = [
  route({
    method: "GET",
    path: "/oncall",
    operation: "getTeamsOnCall",
    allow: "everyone",
    summary: "List who is on call in a window, by team",
    description: `For every team, the \`window_events\` and the \`coverage\` of its schedule. Both are empty for a team without a schedule.`,
    shows: bareList("OnCallTeam"),
    query: "OnCallTeamsQuery",
    handle: async (request) => {
      const window = readWindow(request.query);
      return isRefusal(window) ? window : bare(await readTeamsOnCall(request, window));
    },
  }),
  route({
    method: "GET",
    path: "/oncall/uncovered",
    operation: "getUncoveredTeams",
    allow: "everyone",
    summary: "List the teams without anybody on call",
    description: `The layers of every team for which nobody is on call now or within a day, each with its first gap, by start. Layer 1 always counts; another layer of the escalation policy counts while it has people for half of the next 14 days.`,
    shows: bareList("UncoveredLayer"),
    handle: async (request) => bare(await readUncovered(request)),
  }),
];
