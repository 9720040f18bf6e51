// What the compiler refuses of a call within the worker, and of what is done with its answer: checked by
// `npm run types`, where an unused `@ts-expect-error` is a fault. Nothing here runs.
import type { Api } from "../../src/console/api-client.ts";
import { isRefusal } from "../../src/domain/shared/refusal.ts";

export async function calls(api: Api): Promise<void> {
  // @ts-expect-error no such path
  await api.get("/alarms");

  // @ts-expect-error no such method of this path
  await api.post("/alerts/:id/workflows", { id: "alt_1" });

  // @ts-expect-error the path's parameter is missing
  await api.get("/alerts/:id");

  // @ts-expect-error a list is what `every` reads
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
  // @ts-expect-error it may be null
  const layers: readonly number[] = workflows.map(({ layer }) => layer);

  const key = await api.get("/api_keys/:id", { id: "api_1" });
  // @ts-expect-error shown once, when it is made
  return [zone, String(layers), isRefusal(key) ? "" : key.key];
}
