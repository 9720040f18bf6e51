// A browser for the console: stores cookies, reads forms from pages, and posts them.
import { env, exports } from "cloudflare:workers";
import { hashPassword } from "../../../src/features/access/sessions/passwords.ts";
import { noteRequest } from "../answers/answers.ts";
import type { Account } from "../api/api.ts";

export const ORIGIN = "https://tocsin.test";
export const PASSWORD = "a lamp that never goes out";

type ConsoleResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The target of the redirect; empty without one. */
  readonly to: string;
};

export type Browser = {
  readonly cookies: Map<string, string>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<ConsoleResponse>;
  /** Posts fields as a form does, without the form token. */
  readonly post: (
    path: string,
    fields?: Record<string, string | readonly string[]>,
    headers?: Record<string, string>,
  ) => Promise<ConsoleResponse>;
  /** Posts fields with the session's form token and follows the redirect. */
  readonly submit: (
    path: string,
    fields?: Record<string, string | readonly string[]>,
  ) => Promise<ConsoleResponse>;
};

function storeCookies(cookies: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "" || /max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** Creates a browser without cookies. */
export function newBrowser(): Browser {
  const cookies = new Map<string, string>();
  const request = async (
    method: string,
    path: string,
    init: RequestInit,
  ): Promise<ConsoleResponse> => {
    const headers = new Headers(init.headers);
    headers.set("Accept", headers.get("Accept") ?? "text/html");
    headers.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const note = noteRequest({ method, path, body: String(init.body ?? "") });
    const url = `${ORIGIN}${path}`;
    const response = await exports.default.fetch(url, {
      ...init,
      method,
      headers,
      redirect: "manual",
    });
    storeCookies(cookies, response.headers);
    const text = await response.text();
    note({ status: response.status, headers: response.headers, text });
    return {
      status: response.status,
      headers: response.headers,
      text,
      to: response.headers.get("location") ?? "",
    };
  };
  const get: Browser["get"] = (path, headers = {}) => request("GET", path, { headers });
  const post: Browser["post"] = (path, fields = {}, headers = { Origin: ORIGIN }) => {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
      for (const one of typeof value === "string" ? [value] : value) body.append(name, one);
    }
    return request("POST", path, { headers, body });
  };
  return {
    cookies,
    get,
    post,
    submit: async (path, fields = {}) => {
      const token = tokenOn((await get("/alerts")).text) ?? tokenOn((await get("/password")).text);
      const shown = await post(path, { ...fields, form_token: token ?? "" });
      return shown.status === 303 ? { ...(await get(shown.to)), to: shown.to } : shown;
    },
  };
}

/** The token in a page's forms. */
export const tokenOn = (text: string): string | null =>
  /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? null;

const hash = hashPassword(PASSWORD, 1);

/** Sets a member's password; `expired` = for one sign-in. Returns their address. */
export async function givePassword(accountUserId: string, expired = false): Promise<string> {
  const passwordHash = await hash;
  const [, found] = await env.DB.batch<{ email: string }>([
    env.DB.prepare(
      `update users set password_hash = ?, password_expired = ?
        where id = (select user_id from account_users where id = ?)`,
    ).bind(passwordHash, Number(expired), accountUserId),
    env.DB.prepare(
      `select email from user_emails where user_id =
        (select user_id from account_users where id = ?) order by verified_at is not null desc, "primary" desc`,
    ).bind(accountUserId),
  ]);
  return found?.results[0]?.email ?? "";
}

/** Signs a member in; returns the browser. */
export async function signIn(accountUserId: string): Promise<Browser> {
  const email = await givePassword(accountUserId);
  const browser = newBrowser();
  const shown = await browser.post("/sign-in", { email, password: PASSWORD });
  if (shown.status !== 303) throw new Error(shown.text);
  return browser;
}

/** Submits a form, and confirms what the page then shows. */
export async function submitConfirmed(
  browser: Browser,
  path: string,
  fields: Readonly<Record<string, string>> = {},
): ReturnType<Browser["submit"]> {
  const asked = await browser.submit(path, fields);
  const confirmed = /name="confirmed" value="([^"]+)"/.exec(asked.text)?.[1];
  if (confirmed === undefined) throw new Error(`nothing to confirm: ${asked.text}`);
  return browser.submit(path, { ...fields, confirmed });
}

/** Signs an account's first admin in; returns the browser. */
export const signInAdmin = (account: Account): Promise<Browser> => signIn(account.accountUserId);
