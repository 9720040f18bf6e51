// The API, as the console calls it: the same routes with the same checks, as the member who has signed in, without a
// hop and without a key. There is no second way to do anything.
import type { ItemOf, ListPath, Method } from "../../contract/operations.ts";
import type { List } from "../../contract/shared/list.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import type { Answer } from "../../http/answers.ts";
import type { Route } from "../../http/route.ts";
import { runRoute } from "../../http/serve.ts";
import type { Session } from "../access/session.ts";
import type { Api, Body, Given, Query } from "../api-client.ts";
import { type Guest, textOf } from "../page.ts";

/** Records of one list at most: a page waits for one answer, not for one after the other. */
export const MOST_RECORDS = 2_000;

function bodyOf(answer: Exclude<Answer, Refusal>): unknown {
  switch (answer.kind) {
    case "record":
      return answer.record;
    case "list":
      return answer.list;
    case "bare":
      return answer.body;
    case "nothing":
      return null;
  }
}

/** `/alerts/:id` → its parameters, and what else was given. */
function divided(path: string, given: Body): { params: Record<string, string>; beside: Body } {
  const names = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const entries = Object.entries(given);
  const own = entries.filter(([name]) => names.has(name));
  return {
    params: Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
    beside: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
  };
}

function addressOf(guest: Guest, path: string, query: Body): URL {
  const url = new URL(`/api/v4${path}`, guest.url.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  return url;
}

/** A form that is sent twice does once what it asks for: its one-time key goes with each of its calls. */
function keyOf(guest: Guest, method: string, path: string): string | null {
  const once = textOf(guest.form, "once");
  return method === "POST" && once !== "" ? `${once.slice(0, 64)} ${path}`.slice(0, 255) : null;
}

/**
 * The API for one visit.
 *
 * @param isCounted whether the visit has been counted as one request, however many calls it makes
 */
export function apiFor(
  routes: readonly Route[],
  guest: Guest,
  session: Session,
  isCounted: boolean,
): Api {
  const { context, env, db } = guest;
  const call = async <Answered>(
    method: Method,
    path: string,
    given: Body = {},
  ): Promise<Answered | Refusal> => {
    const route = routes.find((it) => it.method === method && it.path === path);
    if (!route) return refuse("not_found", "no such endpoint");
    const { params, beside } = divided(path, given);
    const address = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""));
    const isRead = method === "GET" || method === "DELETE";
    const { answer } = await runRoute(route, {
      env,
      db,
      requestId: context.get("requestId"),
      url: addressOf(guest, address, isRead ? beside : {}),
      params,
      idempotencyKey: keyOf(guest, method, address),
      longestPage: MOST_RECORDS,
      isCounted,
      identify: async () => session.actor,
      readParameters: async () => (isRead ? {} : { ...beside }),
      waitUntil: (work) => context.executionCtx.waitUntil(work),
    });
    // The one place where an answer gets the type that the contract gives it: tests hold every answer against it.
    return isRefusal(answer) ? answer : (bodyOf(answer) as Answered);
  };
  return {
    get: (path, ...[given]) => call("GET", path, given),
    every: async <Path extends ListPath>(path: Path, ...[given]: Given<Path, Query>) => {
      const list = await call<List<ItemOf<Path>>>("GET", path, { ...given, limit: MOST_RECORDS });
      return isRefusal(list) ? list : list.data;
    },
    post: (path, ...[given]) => call("POST", path, given),
    put: (path, ...[given]) => call("PUT", path, given),
    delete: (path, ...[given]) => call("DELETE", path, given),
  };
}

type Settled<Answers extends readonly unknown[]> = {
  -readonly [At in keyof Answers]: Exclude<Awaited<Answers[At]>, Refusal>;
};

/** Calls made side by side: all their bodies, or the first refusal. */
export async function allOf<const Answers extends readonly unknown[]>(
  ...calls: Answers
): Promise<Settled<Answers> | Refusal> {
  const answers = await Promise.all(calls);
  return answers.find(isRefusal) ?? (answers as Settled<Answers>);
}
