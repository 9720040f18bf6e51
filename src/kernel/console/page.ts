// The types of a console page and of its request. Every page and action is one `ConsolePage` in a
// list (`pages.ts`), like the API's routes; they read and write through the API (`api.ts`).
import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { Session } from "../../console/access/session.ts";
import type { Api } from "../../console/api-client.ts";
import type { Refusal } from "../../domain/shared/refusal.ts";
import type { Connection } from "../db/database.ts";
import type { Environment } from "../http/serve.ts";

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

export type FlashMessage = {
  readonly tone: "good" | "bad";
  readonly text: string;
  /** The answer that a button of the message undoes, by the path of its action; absent: none. */
  readonly undo?: string;
};

/** The navigation entry that a page belongs to. */
export type Section =
  | "alerts"
  | "on-call"
  | "schedules"
  | "broadcasts"
  | "reports"
  | "configuration"
  | "settings";

export type Reply =
  | {
      readonly kind: "page";
      readonly status?: 200 | 401 | 403 | 404 | 409 | 410 | 422 | 429;
      readonly title: string;
      readonly section?: Section;
      readonly body: Child;
    }
  /** Redirects to a path of this origin after an action, with a flash message. */
  | { readonly kind: "goto"; readonly to: string; readonly flash?: FlashMessage }
  /** Redirects to another configured origin: the provider of single sign-on. */
  | { readonly kind: "leave"; readonly to: URL }
  /** JSON for one of the console's scripts. */
  | { readonly kind: "data"; readonly value: unknown }
  | {
      readonly kind: "file";
      readonly name: string;
      readonly type: string;
      readonly text: string;
    }
  /** Rendered as an error page with the API's status. */
  | Refusal;

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
