// Objects and handlers whose code is loaded at its first use: calls wait and keep their order, and what could not be
// loaded is an outage that the next call tries again.

import { runInDurableObject } from "cloudflare:test";
import { DurableObject, env } from "cloudflare:workers";
import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { newId } from "../../../src/kernel/db/identifiers.ts";
import { loadedHandler, loadedRoutes } from "../../../src/kernel/http/loaded.ts";
import type { Environment } from "../../../src/kernel/http/serve.ts";
import { loadedObject } from "../../../src/kernel/objects/loaded-object.ts";

/** Remembers what it is called with. */
class Probe extends DurableObject<Cloudflare.Env> {
  readonly #heard: string[] = [];

  async hear(word: string): Promise<readonly string[]> {
    this.#heard.push(word);
    return this.#heard;
  }

  override async alarm(): Promise<void> {
    await this.hear("alarm");
  }
}

const METHODS = { hear: true, alarm: true } as const;

/** What loads after so many failures. */
function loadingAfter<Loaded>(failures: number, loaded: Loaded): () => Promise<Loaded> {
  let asked = 0;
  return async () => {
    asked += 1;
    const fails = asked <= failures;
    await scheduler.wait(5);
    if (fails) throw new Error("out of memory");
    return loaded;
  };
}

/** Runs `work` with the state of a new object. */
function within(work: (state: DurableObjectState) => Promise<void>): Promise<void> {
  const stub = env.TEAM.getByName(prefixIdOf("team", newId(Date.now())));
  return runInDurableObject(stub, (_, state) => work(state));
}

test("calls that arrive while an object loads reach one object, in their order", () =>
  within(async (state) => {
    const load = vi.fn(loadingAfter(0, Probe));
    const object = new (loadedObject(load, METHODS))(state, env);
    const words = ["one", "two", "three"];
    const [, , last] = await Promise.all(words.map((word) => object.hear(word)));
    expect(last).toEqual(words);
    expect(await object.hear("four")).toEqual([...words, "four"]);
    expect(load).toHaveBeenCalledTimes(1);
  }));

test("calls of an object that could not be loaded fail, and the next one loads it", () =>
  within(async (state) => {
    const object = new (loadedObject(loadingAfter(1, Probe), METHODS))(state, env);
    const failed = await Promise.allSettled([object.hear("one"), object.hear("two")]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await object.hear("three")).toEqual(["three"]);
  }));

test("an object that is created while calls of a failed creation end is the only one", () =>
  within(async (state) => {
    const load = vi.fn(loadingAfter(1, Probe));
    const object = new (loadedObject(load, METHODS))(state, env);
    // Calls again as soon as its own call has failed, before the others of that creation have.
    const insistent = object.hear("one").catch(() => object.hear("two"));
    const [, again] = await Promise.allSettled([
      insistent,
      object.hear("three"),
      object.hear("four"),
    ]);
    expect(again.status).toBe("rejected");
    expect(await object.hear("five")).toEqual(["two", "five"]);
    expect(load).toHaveBeenCalledTimes(2);
  }));

test("an alarm whose object could not be loaded is set anew", () =>
  within(async (state) => {
    const object = new (loadedObject(loadingAfter(1, Probe), METHODS))(state, env);
    await state.storage.deleteAlarm();
    await object.alarm();
    expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now());
    await object.alarm();
    expect(await object.hear("one")).toEqual(["alarm", "one"]);
    await state.storage.deleteAlarm();
  }));

test("a request whose code could not be loaded is to be repeated, and the next one loads it", async () => {
  const app = new Hono<Environment>();
  app.use("*", async (context, next) => {
    context.set("requestId", "request");
    await next();
    context.header("X-Request-Id", context.get("requestId"));
  });
  const handler = () => new Response("handled");
  app.get("/handler", loadedHandler(loadingAfter(1, handler)));
  const mount = (routes: Hono<Environment>) => {
    routes.get("/routes/one", ({ get }) => new Response(`routed ${get("requestId")}`));
    routes.get("/routes/other", (context) => {
      context.set("requestId", "of the handler");
      return new Response();
    });
    routes.get("/routes/broken", () => {
      throw new Error("a fault");
    });
  };
  const mounted = vi.fn(mount);
  app.all("/routes/*", loadedRoutes(loadingAfter(1, mounted)));
  app.onError((error) => new Response(error.message, { status: 500 }));
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
  const get = async (path: string) => {
    const response = await app.request(path, {}, env, context as unknown as ExecutionContext);
    return [response.status, response.headers.get("retry-after"), await response.text()];
  };
  expect(await get("/handler")).toEqual([
    503,
    "5",
    expect.stringContaining('"request_id":"request"'),
  ]);
  expect(await get("/handler")).toEqual([200, null, "handled"]);
  expect(await get("/routes/one")).toEqual([
    503,
    "5",
    expect.stringContaining("could not be loaded"),
  ]);
  const atOnce = await Promise.all([get("/routes/one"), get("/routes/one")]);
  expect(atOnce).toEqual(Array(2).fill([200, null, "routed request"]));
  expect(mounted).toHaveBeenCalledTimes(1);
  const other = await app.request("/routes/other", {}, env, context as unknown as ExecutionContext);
  expect(other.headers.get("x-request-id")).toBe("of the handler");
  expect(await get("/routes/none")).toEqual([
    404,
    null,
    expect.stringContaining("no such endpoint"),
  ]);
  expect(await get("/routes/broken")).toEqual([500, null, "a fault"]);
});
