// The types of a console page and of its request. Every page and action is one `ConsolePage` in a
// list (`pages.ts`), like the API's routes; they read and write through the API (`api.ts`).
import type { Context } from "hono";
import type { Session } from "../features/access/sessions/session.ts";
import type { Reply } from "../kernel/console/reply.ts";
import type { Connection } from "../kernel/db/database.ts";
import type { Environment } from "../kernel/http/serve.ts";
import type { Api } from "./api-client.ts";

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

export type ConsolePage = {
  readonly method: "GET" | "POST";
  readonly path: string;
} & (
  | { readonly open: true; readonly handle: (guest: Guest) => Promise<Reply> }
  | { readonly open: false; readonly handle: (visit: Visit) => Promise<Reply> }
);

/** The `:id` in the page's path. */
export const idOf = ({ params }: Guest): string => params.id ?? "";

/** A page that requires a session. */
export const page = (path: string, handle: (visit: Visit) => Promise<Reply>): ConsolePage => ({
  method: "GET",
  path,
  open: false,
  handle,
});

/**
 * A form's action that requires a session. The form carries the session's token (`form.tsx`).
 */
export const action = (path: string, handle: (visit: Visit) => Promise<Reply>): ConsolePage => ({
  method: "POST",
  path,
  open: false,
  handle,
});

/** A page that requires no session. */
export const openPage = (path: string, handle: (guest: Guest) => Promise<Reply>): ConsolePage => ({
  method: "GET",
  path,
  open: true,
  handle,
});

/** A form's action that requires no session. */
export const openAction = (
  path: string,
  handle: (guest: Guest) => Promise<Reply>,
): ConsolePage => ({ method: "POST", path, open: true, handle });
