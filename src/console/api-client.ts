// The API as a page calls it (`api.ts` is what answers).
import type { Refusal } from "../domain/refusal.ts";

export type Body = Readonly<Record<string, unknown>>;
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Each answers with the body that HTTP would have, or with the refusal. Paths are below `/api/v4`. */
export type Api = {
  readonly get: <Shown>(path: string, query?: Query) => Promise<Shown | Refusal>;
  readonly post: <Shown>(path: string, body?: Body) => Promise<Shown | Refusal>;
  readonly put: <Shown>(path: string, body: Body) => Promise<Shown | Refusal>;
  readonly delete: (path: string) => Promise<null | Refusal>;
};
