// The types of a console page and of its request. Every page and action is one `ConsolePage` in a
// list (`pages.ts`), like the API's routes; they read and write through the API (`api.ts`).

import type { Context } from "hono";
import type { Session } from "../features/access/sessions/session.ts";
import { outcome, type Reply } from "../kernel/console/reply.ts";
import type { Connection } from "../kernel/db/database.ts";
import type { Environment } from "../kernel/http/serve.ts";
import type { Api, IdPath } from "./api-client.ts";

/** A request that does not require a session. */
export type Guest = {
  readonly context: Context<Environment>;
  readonly env: Cloudflare.Env;
  /** D1 in this request's session; for a page view, one that batches concurrent reads. */
  readonly db: Connection;
  /** Epoch ms. */
  readonly now: number;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a posted form, parsed like a form-encoded API request; `{}` for a GET. */
  readonly form: Readonly<Record<string, unknown>>;
  readonly session: Session | null;
};

/** A request of a signed-in person. */
export type Visit = Guest & {
  readonly session: Session;
  /** The API, called as the member of the current account. */
  readonly api: Api;
};

export type ConsolePage = { readonly method: "GET" | "POST"; readonly path: string } & (
  | { readonly open: true; readonly handle: (guest: Guest) => Promise<Reply> }
  | { readonly open: false; readonly handle: (visit: Visit) => Promise<Reply> }
);

/** The `:id` in the page's path. */
export const idOf = ({ params }: Guest): string => params.id ?? "";

/** The page of the record with the `:id` in the page's path. */
export const pathOf = (folder: string, { params }: Guest): string =>
  `${folder}/${encodeURIComponent(params.id ?? "")}`;

const signedIn =
  (method: "GET" | "POST") =>
  (path: string, handle: (visit: Visit) => Promise<Reply>): ConsolePage => ({
    ...{ method, path, open: false, handle },
  });

/** A page that requires a session. */
export const page = signedIn("GET");

/** A form's action that requires a session. The form carries the session's token (`form.tsx`). */
export const action = signedIn("POST");

/**
 * An action of one call of the API: then, and after a refusal, the browser is at `to`.
 *
 * @param call a path: posted to with the id in the action's path
 * @param to by default the page of the record in the action's path
 */
export const step = (
  path: string,
  call: ((visit: Visit, id: string) => Promise<unknown>) | IdPath<"POST">,
  text: string,
  to = path.replace(/:id.*/, ":id"),
): ConsolePage =>
  action(path, async (visit) => {
    const id = idOf(visit);
    const answer = await (typeof call === "string"
      ? visit.api.post(call, { id })
      : call(visit, id));
    return outcome(answer, to.replace(":id", encodeURIComponent(id)), text);
  });

export const deletion = (path: string, record: IdPath<"DELETE">, text: string, to: string) =>
  step(path, ({ api }, id) => api.delete(record, { id }), text, to);

const forAnybody =
  (method: "GET" | "POST") =>
  (path: string, handle: (guest: Guest) => Promise<Reply>): ConsolePage => ({
    ...{ method, path, open: true, handle },
  });

/** A page that requires no session. */
export const openPage = forAnybody("GET");

/** A form's action that requires no session. */
export const openAction = forAnybody("POST");
