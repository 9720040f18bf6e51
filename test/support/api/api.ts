// Requests to the worker's public interface, and an account to make them with.
import { env, exports } from "cloudflare:workers";
import { buildFirstAccount } from "../../../src/setup/first-account.ts";
import { noteRequest } from "../answers/answers.ts";
import { expectDocumented } from "./documented.ts";

export type Reply<Body = any> = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
};

export type Callback = {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

let latest: Callback = { path: "", body: "", headers: {} };

/** Sends the latest request to one of our callbacks again, as `respell` writes it. */
export function callAgain(respell: (request: Callback) => Partial<Callback>): Promise<Reply> {
  const sent = latest;
  const { path, body, headers } = { ...sent, ...respell(sent) };
  return call("POST", path, { body, headers }).finally(() => {
    latest = sent;
  });
}

/**
 * Sends one request; the body is sent as JSON unless it is a string or bytes.
 *
 * @throws if the response differs from the reference
 */
export async function call(
  method: string,
  path: string,
  options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { key, body, headers = {} } = options;
  if (path.startsWith("/callbacks/")) latest = { path, body: String(body), headers };
  const note = noteRequest({ method, path, body });
  const raw = typeof body === "string" || body instanceof Uint8Array || body === undefined;
  const response = await exports.default.fetch(`https://tocsin.test${path}`, {
    method,
    headers: {
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    redirect: "manual",
  });
  // Not `text()`: workerd warns of types that are text but not named so.
  const text = new TextDecoder().decode(await response.arrayBuffer());
  note({ status: response.status, headers: response.headers, text });
  let parsed: unknown = null;
  try {
    parsed = text === "" ? null : JSON.parse(text);
  } catch {
    parsed = text;
  }
  const { status, headers: answered } = response;
  expectDocumented({ method, path, status, headers: answered, body: parsed });
  return { status, headers: answered, body: parsed, text };
}

export type Account = {
  readonly key: string;
  readonly accountId: string;
  readonly accountUserId: string;
  /** Calls `/api/v4` with the account's first key. */
  readonly api: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply>;
};

let accounts = 0;

/** Creates an account with one admin, whose key the returned `api` uses. */
export async function makeAccount(name = "Ada Admin"): Promise<Account> {
  accounts += 1;
  const first = buildFirstAccount(
    {
      account: `Account ${accounts}`,
      person: name,
      email: `admin.${accounts}.${Date.now()}@example.com`,
    },
    Date.now(),
  );
  await env.DB.batch(
    first.statements.map(({ sql, params }) => env.DB.prepare(sql).bind(...params)),
  );
  return {
    key: first.apiKey,
    accountId: first.accountId,
    accountUserId: first.accountUserId,
    api: (method, path, body, headers) =>
      call(method, `/api/v4${path}`, {
        key: first.apiKey,
        ...(body !== undefined && { body }),
        ...(headers && { headers }),
      }),
  };
}
