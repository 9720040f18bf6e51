// The routes of responses to broadcasts (contract 5).
import { sql } from "drizzle-orm";
import { CreateBroadcastResponse } from "../../contract/broadcasts/broadcast-response-parameters.ts";
import { broadcastRecords } from "../../db/broadcasts/broadcast-records.ts";
import { broadcastResponseRecords } from "../../db/broadcasts/broadcast-response-records.ts";
import { broadcastResponses } from "../../db/schema/messages.ts";
import { created } from "../../http/answers.ts";
import { listRecords, onRecord } from "../../http/records.ts";
import { route } from "../../http/route.ts";
import { made, many } from "../../http/shown.ts";
import { respondToBroadcast } from "../../services/broadcasts/respond-to-broadcast.ts";

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
