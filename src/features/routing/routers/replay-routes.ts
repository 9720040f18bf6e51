// The route of `POST /routers/replay`: what unsaved rules would have done with past events.
import { found } from "../../../http/answers.ts";
import { route } from "../../../http/route.ts";
import { exactly } from "../../../http/shown.ts";
import { MAX_REPLAYED, ReplayRouter } from "./replay-parameters.ts";
import { replayRouter } from "./replay-router.ts";

export const routerReplayRoutes = [
  route({
    method: "POST",
    path: "/routers/replay",
    operation: "replayRouter",
    allow: "admin",
    summary: "Replay past events",
    description: `Returns what an unsaved \`router\` would have done with the events of the account's last requests, up to ${MAX_REPLAYED}, at the time of each, and what the stored router with its \`id\` does. Without an \`id\`, the router is compared with the destinations of each event's integration. If integrations lead to the router, only their events count, otherwise those of all. The requests are read from the logs, without their secrets; deduplication, aggregation and maintenance windows are ignored. Nothing is stored or sent.`,
    shows: exactly("RouterReplay"),
    body: ReplayRouter,
    keepsNoAnswer: true,
    handle: async (request) => found(await replayRouter(request, request.body)),
  }),
];
