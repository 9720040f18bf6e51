// Opsgenie's Heartbeat API. A heartbeat is an integration of type `heartbeat` with that name whose
// destinations are all among those of the key's integration. The key cannot create, change or
// delete heartbeats.
import type { Context } from "hono";
import { selectHeartbeats } from "../../db/integrations/opsgenie-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import { readBytes } from "../../http/parameters/body.ts";
import type { Environment } from "../../http/serve.ts";
import { deliverRequest, requestWithoutBody } from "../receive.ts";
import { type AuthenticatedRead, readAsIntegration } from "./opsgenie-caller.ts";
import { opsgenieError, opsgenieRefusal, opsgenieResponse } from "./opsgenie-responses.ts";
import { toOpsgenieHeartbeat } from "./opsgenie-shapes.ts";

const UNKNOWN = opsgenieError(404, "Heartbeat does not exist.");
const CHANGE_FORBIDDEN = opsgenieError(
  403,
  "An API key cannot change heartbeats; they are integrations of type heartbeat.",
);

const nameParameter = (context: Context<Environment>): string => context.req.param("name") ?? "";

/** Reads the heartbeat named in the path; answers 404 if this key has none. */
const withHeartbeat = (
  context: Context<Environment>,
  answer: (row: RawRow, read: AuthenticatedRead) => Promise<Response> | Response,
): Promise<Response> =>
  readAsIntegration(
    context,
    (prefixId) => [selectHeartbeats(prefixId, nameParameter(context))],
    (read) => {
      const row = read.rows[0]?.[0];
      return row ? answer(row, read) : opsgenieResponse(context, read.started, UNKNOWN);
    },
  );

/** `GET`, `POST` or `PUT /v2/heartbeats/:name/ping`: 202 once the ping is durable. */
export async function pingOpsgenieHeartbeat(context: Context<Environment>): Promise<Response> {
  return withHeartbeat(context, async (row, { started }) => {
    const delivered = await deliverRequest(context, String(row.prefix_id), async () => ({
      ...requestWithoutBody(context),
      body: await readBytes(context.req.raw),
      proof: "caller",
    }));
    if (isRefusal(delivered)) return opsgenieResponse(context, started, opsgenieRefusal(delivered));
    const answer = { result: "PONG - Heartbeat received" };
    return opsgenieResponse(context, started, { status: 202, body: answer });
  });
}

/** `GET /v2/heartbeats/:name`. */
export const getOpsgenieHeartbeat = (context: Context<Environment>): Promise<Response> =>
  withHeartbeat(context, (row, { started }) =>
    opsgenieResponse(context, started, { status: 200, body: { data: toOpsgenieHeartbeat(row) } }),
  );

/** `GET /v2/heartbeats`. */
export const listOpsgenieHeartbeats = (context: Context<Environment>): Promise<Response> =>
  readAsIntegration(
    context,
    (prefixId) => [selectHeartbeats(prefixId, null)],
    ({ rows, started }) => {
      const heartbeats = (rows[0] ?? []).map(toOpsgenieHeartbeat);
      return opsgenieResponse(context, started, { status: 200, body: { data: { heartbeats } } });
    },
  );

/** Refuses all changes to heartbeats with 403. */
export const refuseOpsgenieHeartbeatChange = (context: Context<Environment>): Promise<Response> =>
  readAsIntegration(
    context,
    () => [],
    ({ started }) => opsgenieResponse(context, started, CHANGE_FORBIDDEN),
  );
