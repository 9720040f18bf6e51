// The API as the console calls it: the same routes with the same checks, in process, as the
// signed-in member. Pages have no other way to read or write.
import { isRefusal, type Refusal, refuse } from "../domain/shared/refusal.ts";
import type { Session } from "../features/access/sessions/session.ts";
import { isPickerSearch, SEARCHING } from "../kernel/console/picker-search.ts";
import { textOf } from "../kernel/console/values.ts";
import type { List } from "../kernel/contract/list.ts";
import type { Answer } from "../kernel/http/answers.ts";
import type { Route } from "../kernel/http/route.ts";
import { runRoute } from "../kernel/http/serve.ts";
import type { Api, Body, Method } from "./api-client.ts";
import type { Guest } from "./page.ts";

/** Records per list; a page reads a list in one call. */
export const MOST_RECORDS = 2_000;

function bodyOf(answer: Exclude<Answer, Refusal>): unknown {
  switch (answer.kind) {
    case "record":
      return answer.record;
    case "list":
      return answer.list;
    case "bare":
      return answer.body;
    case "file":
      return answer.text;
    case "nothing":
      return null;
  }
}

/** Splits the arguments into the path's parameters and the rest. */
function splitArguments(
  path: string,
  args: Body,
): { params: Record<string, string>; beside: Body } {
  const names = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const entries = Object.entries(args);
  const own = entries.filter(([name]) => names.has(name));
  return {
    params: Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
    beside: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
  };
}

function addressOf(guest: Guest, path: string, query: Body): URL {
  const url = new URL(`/api/v4${path}`, guest.url.origin);
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value ?? ""];
    for (const it of values) if (it !== "") url.searchParams.append(name, String(it));
  }
  return url;
}

/**
 * Returns a function to the idempotency key of a call, from the form's key, the path and how often
 * the form calls it: a form submitted twice takes effect once.
 */
function keysOf(guest: Guest): (method: string, path: string) => string | null {
  const formKey = textOf(guest.form, "once").slice(0, 64);
  const calls = new Map<string, number>();
  return (method, path) => {
    if (method !== "POST" || formKey === "") return null;
    const call = (calls.get(path) ?? 0) + 1;
    calls.set(path, call);
    return `${formKey} ${call === 1 ? "" : `${call} `}${path}`.slice(0, 255);
  };
}

/**
 * The API for one request.
 *
 * @param isCounted whether the request already counted against the rate limit; its calls then do
 * not
 */
export function apiFor(
  routes: readonly Route[],
  guest: Guest,
  session: Session,
  isCounted: boolean,
): Api {
  const { context, env, db } = guest;
  const keyOf = keysOf(guest);
  const call = async <Answered>(
    method: Method,
    path: string,
    args: Body = {},
    query: Body = {},
  ): Promise<Answered | Refusal> => {
    const route = routes.find((it) => it.method === method && it.path === path);
    if (!route) return refuse("not_found", "no such endpoint");
    if (method !== "GET" && isPickerSearch(guest.form)) return SEARCHING;
    const { params, beside } = splitArguments(path, args);
    const address = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""));
    const isRead = method === "GET" || method === "DELETE";
    const { answer } = await runRoute(route, {
      env,
      db,
      requestId: context.get("requestId"),
      url: addressOf(guest, address, isRead ? { ...beside, ...query } : query),
      params,
      idempotencyKey: query.preview ? null : keyOf(method, address),
      longestPage: MOST_RECORDS,
      isCounted,
      identify: async () => session.actor,
      readParameters: async () => (isRead ? {} : { ...beside }),
      waitUntil: (work) => context.executionCtx.waitUntil(work),
    });
    // The one cast from an answer to the contract's type; tests check every answer against the
    // contract.
    return isRefusal(answer) ? answer : (bodyOf(answer) as Answered);
  };
  const listAll = async <Item>(path: string, args?: Body) => {
    const list = await call<List<Item>>("GET", path, { ...args, limit: MOST_RECORDS });
    return isRefusal(list) ? list : list.data;
  };
  const callsWith = (query: Body): Api["correcting"] => ({
    get: (path, ...[args]) => call("GET", path, args),
    every: (path, ...[args]) => listAll(path, args),
    post: (path, ...[args]) => call("POST", path, args, query),
    put: (path, ...[args]) => call("PUT", path, args, query),
    delete: (path, ...[args]) => call("DELETE", path, args, query),
    preview: (method, path, ...[args]) => call(method, path, args, { ...query, preview: true }),
    records: (path) => ({
      list: () => listAll(path),
      read: (id) => call("GET", `${path}/:id`, { id }),
      create: (body) => call("POST", path, body),
      update: (id, body) => call("PUT", `${path}/:id`, { ...body, id }),
      remove: (id) => call("DELETE", `${path}/:id`, { id }),
    }),
  });
  return { ...callsWith({}), correcting: callsWith({ corrects_past: true }) };
}
