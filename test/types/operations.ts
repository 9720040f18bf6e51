// Compile-time tests of the worker's internal API client and its answers: `npm run types` fails on an unused
// `@ts-expect-error`. Nothing here runs.
import type { Api } from "../../src/console/api-client.ts";
import { isRefusal } from "../../src/domain/shared/refusal.ts";
import type { Answer } from "../../src/kernel/http/answers.ts";
import { route } from "../../src/kernel/http/route.ts";
import { noBody } from "../../src/kernel/http/shown.ts";

export async function calls(api: Api): Promise<void> {
  // @ts-expect-error no such path
  await api.get("/alarms");

  // @ts-expect-error the path has no such method
  await api.post("/alerts/:id/workflows", { id: "alt_1" });

  // @ts-expect-error the path's parameter is missing
  await api.get("/alerts/:id");

  // @ts-expect-error `every` reads only lists
  await api.every("/alerts/:id", { id: "alt_1" });

  await api.get("/schedules/:id/coverage", { id: "skd_1", start: "2026-01-01", end: "2026-01-02" });
}

export async function answers(api: Api): Promise<readonly string[]> {
  const user = await api.get("/users/:id", { id: "usr_1" });
  if (isRefusal(user)) return [];
  // @ts-expect-error null until the person accepts the invitation
  const zone: string = user.time_zone;

  const workflows = await api.every("/alerts/:id/workflows", { id: "alt_1" });
  if (isRefusal(workflows)) return [];
  // @ts-expect-error the layer may be null
  const layers: readonly number[] = workflows.map(({ layer }) => layer);

  const key = await api.get("/api_keys/:id", { id: "api_1" });
  // @ts-expect-error the key is shown only when it is created
  return [zone, String(layers), isRefusal(key) ? "" : key.key];
}

const nothing: Answer = { kind: "nothing" };
const declared = {
  method: "GET",
  path: "/x",
  operation: "getX",
  summary: "Get an x",
  handle: async () => nothing,
} as const;

// @ts-expect-error who may call it is missing
export const withoutPermission = route({ ...declared, shows: noBody });

// @ts-expect-error what it answers is missing
export const withoutAnswer = route({ ...declared, allow: "everyone" });

export const whole = route({ ...declared, allow: "everyone", shows: noBody });
