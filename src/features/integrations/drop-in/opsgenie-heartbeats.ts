// Opsgenie's Heartbeat API. A heartbeat is an integration of type `heartbeat` with that name whose
// destinations are all among those of the key's integration. The key cannot create, change or
// delete heartbeats.
import type { Context } from "hono";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { readBytes } from "../../../kernel/http/body.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { deliverRequest, requestWithoutBody } from "../receive/receive.ts";
import { readAsIntegration } from "./opsgenie-caller.ts";
import { opsgenieError, opsgenieRefusal, opsgenieResponse } from "./opsgenie-responses.ts";
import { type HeartbeatRow, selectHeartbeats } from "./opsgenie-rows.ts";
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
  answer: (row: HeartbeatRow, started: number) => Promise<Response> | Response,
): Promise<Response> =>
  readAsIntegration(
    context,
    (prefixId) => [selectHeartbeats(prefixId, nameParameter(context))],
    ({ rows: [[row]], started }) =>
      row ? answer(row, started) : opsgenieResponse(context, started, UNKNOWN),
  );

/** `GET`, `POST` or `PUT /v2/heartbeats/:name/ping`: 202 once the ping is durable. */
export async function pingOpsgenieHeartbeat(context: Context<Environment>): Promise<Response> {
  return withHeartbeat(context, async ({ prefixId }, started) => {
    const credential = `integration ${prefixId}`;
    const entrance = { name: prefixId, credential, provenance: "issued" } as const;
    const delivered = await deliverRequest(context, entrance, async () => ({
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
  withHeartbeat(context, (row, started) =>
    opsgenieResponse(context, started, { status: 200, body: { data: toOpsgenieHeartbeat(row) } }),
  );

/** `GET /v2/heartbeats`. */
export const listOpsgenieHeartbeats = (context: Context<Environment>): Promise<Response> =>
  readAsIntegration(
    context,
    (prefixId) => [selectHeartbeats(prefixId, null)],
    ({ rows: [found], started }) => {
      const heartbeats = found.map(toOpsgenieHeartbeat);
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
