// The API, as the console calls it: the same routes with the same checks, as the member who has signed in, without a
// hop and without a key. There is no second way to do anything.
import { isRefusal, type Refusal, refuse } from "../domain/refusal.ts";
import type { Answer } from "../http/answers.ts";
import { findRoutes } from "../http/find-route.ts";
import type { Route } from "../http/route.ts";
import { answerTo } from "../http/serve.ts";
import type { Api, Body, Query } from "./api-client.ts";
import { type Guest, textOf } from "./page.ts";
import type { Session } from "./session.ts";

/** Records of one list at most: a page waits for one answer, not for one after the other. */
export const MOST_RECORDS = 2_000;

/** The envelope of a list. */
export type Page<Item> = {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly total_count: number;
};

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

function addressOf(guest: Guest, path: string, query: Query = {}): URL {
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
  const call = async (method: Route["method"], path: string, body: Body, query?: Query) => {
    const found = findRoutes(routes, path).find(({ route }) => route.method === method);
    if (!found) return refuse("not_found", "no such endpoint");
    const { answer } = await answerTo(found.route, {
      env,
      db,
      requestId: context.get("requestId"),
      url: addressOf(guest, path, query),
      params: found.params,
      idempotencyKey: keyOf(guest, method, path),
      longestPage: MOST_RECORDS,
      isCounted,
      identify: async () => session.actor,
      readParameters: async () => ({ ...body }),
      waitUntil: (work) => context.executionCtx.waitUntil(work),
    });
    return isRefusal(answer) ? answer : bodyOf(answer);
  };
  return {
    get: <Shown>(path: string, query?: Query) =>
      call("GET", path, {}, query) as Promise<Shown | Refusal>,
    post: <Shown>(path: string, body: Body = {}) =>
      call("POST", path, body) as Promise<Shown | Refusal>,
    put: <Shown>(path: string, body: Body) => call("PUT", path, body) as Promise<Shown | Refusal>,
    delete: (path) => call("DELETE", path, {}) as Promise<null | Refusal>,
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

/** Every record of a list in one page; of more than 2,000 the newest. */
export async function everyOf<Item>(
  api: Api,
  path: string,
  query: Query = {},
): Promise<readonly Item[] | Refusal> {
  const list = await api.get<Page<Item>>(path, { ...query, limit: MOST_RECORDS });
  return isRefusal(list) ? list : list.data;
}
