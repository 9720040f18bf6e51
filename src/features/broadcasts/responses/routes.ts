// The routes of responses to broadcasts (contract 5).
import { sql } from "drizzle-orm";
import { created } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { made, many } from "../../../kernel/http/shown.ts";
import { broadcastResponses } from "../../schema/messages.ts";
import { broadcastRecords } from "../broadcasts/rows.ts";
import { CreateBroadcastResponse } from "./parameters.ts";
import { respondToBroadcast } from "./respond-to-broadcast.ts";
import { broadcastResponseRecords } from "./rows.ts";

export const broadcastResponseRoutes = [
  route({
    method: "GET",
    path: "/broadcasts/:id/responses",
    operation: "listBroadcastResponses",
    allow: "everyone",
    summary: "List a broadcast's responses",
    shows: many(broadcastResponseRecords),
    handle: onRecord("broadcast", async (request, identifier) =>
      listRecords(request, broadcastResponseRecords, {
        below: {
          parent: broadcastRecords,
          identifier,
          scope: (broadcastId) => sql`${broadcastResponses.broadcastId} = (${broadcastId})`,
        },
      }),
    ),
  }),
  route({
    method: "POST",
    path: "/broadcasts/:id/responses",
    operation: "createBroadcastResponse",
    allow: "everyone",
    summary: "Respond to a broadcast",
    shows: made(broadcastResponseRecords),
    body: CreateBroadcastResponse,
    makes: broadcastResponseRecords,
    handle: onRecord("broadcast", async (request, identifier) =>
      created(await respondToBroadcast(request, identifier, request.recordId, request.body)),
    ),
  }),
];
