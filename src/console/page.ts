// What a page of the console is, and what it is given. Every page and every button is one `ConsolePage` in a plain
// list (`pages.ts`), as routes of the API are; what they do, they do through the API (`api.ts`).
import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { Connection } from "../db/shared/database.ts";
import type { Refusal } from "../domain/shared/refusal.ts";
import type { Environment } from "../http/serve.ts";
import type { Session } from "./access/session.ts";
import type { Api } from "./api-client.ts";
import { faultText } from "./labels.ts";

/** One request for a page that needs nobody to have signed in. */
export type Guest = {
  readonly context: Context<Environment>;
  readonly env: Cloudflare.Env;
  /** D1, through this request's session; for a look at a page, one that reads together what is asked together. */
  readonly db: Connection;
  /** Epoch ms. */
  readonly now: number;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a posted form, read like a form-encoded body of the API; `{}` for a GET. */
  readonly form: Readonly<Record<string, unknown>>;
  readonly session: Session | null;
};

/** One request of somebody who has signed in. */
export type Visit = Guest & {
  readonly session: Session;
  /** The API, called as the member whose account is looked at. */
  readonly api: Api;
};

export type Said = { readonly tone: "good" | "bad"; readonly text: string };

/** Which entry of the navigation a page stands under. */
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
  /** After an action: the path of ours where its result is shown, and the message shown there. */
  | { readonly kind: "goto"; readonly to: string; readonly said?: Said }
  /** To another origin, which the deployment has configured: the provider of single sign-on. */
  | { readonly kind: "leave"; readonly to: URL }
  /** JSON for a script of ours. */
  | { readonly kind: "data"; readonly value: unknown }
  | {
      readonly kind: "file";
      readonly name: string;
      readonly type: string;
      readonly text: string;
    }
  /** Shown as a page that says so, with the API's status. */
  | Refusal;

export type ConsolePage = {
  readonly method: "GET" | "POST";
  readonly path: string;
} & (
  | { readonly open: true; readonly handle: (guest: Guest) => Promise<Reply> }
  | { readonly open: false; readonly handle: (visit: Visit) => Promise<Reply> }
);

/** The id in the page's address. */
export const idOf = ({ params }: Guest): string => params.id ?? "";

/** A page for who has signed in. */
export const page = (path: string, handle: (visit: Visit) => Promise<Reply>): ConsolePage => ({
  method: "GET",
  path,
  open: false,
  handle,
});

/** What a form does for who has signed in. Its form carries the session's token (`parts/form.tsx`). */
export const action = (path: string, handle: (visit: Visit) => Promise<Reply>): ConsolePage => ({
  method: "POST",
  path,
  open: false,
  handle,
});

/** A page for anybody. */
export const openPage = (path: string, handle: (guest: Guest) => Promise<Reply>): ConsolePage => ({
  method: "GET",
  path,
  open: true,
  handle,
});

/** What a form does for anybody. */
export const openAction = (
  path: string,
  handle: (guest: Guest) => Promise<Reply>,
): ConsolePage => ({ method: "POST", path, open: true, handle });

/** Back to a page, with what has been done. */
export const done = (to: string, text: string): Reply => ({
  kind: "goto",
  to,
  said: { tone: "good", text },
});

/** Back to a page, with why nothing was done. */
export const notDone = (to: string, refusal: Refusal): Reply => ({
  kind: "goto",
  to,
  said: { tone: "bad", text: refusalText(refusal) },
});

/** A refusal's messages as one text: "Title can't be blank. Urgency must be one of …." */
export const refusalText = (refusal: Refusal): string =>
  refusal.errors.map((error) => faultText(error)).join(" ");

/** A field of a form as text; empty where it is missing or none. */
export function textOf(form: Readonly<Record<string, unknown>>, name: string): string {
  const value = form[name];
  return typeof value === "string" ? value : "";
}

/** A field of a form as a list of texts: `ids[]`, or one that came several times. */
export function textsOf(form: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = form[name];
  if (Array.isArray(value)) return value.filter((item) => typeof item === "string");
  return typeof value === "string" && value !== "" ? [value] : [];
}
