// Set-ups are documentation: while they cannot be read, integration types have none.
import { beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(console, "error").mockImplementation(() => {});
  return () => vi.restoreAllMocks();
});

const SET_UP = { steps: ["Paste the URL."], snippets: [] };

/** Reads the set-up of a type as a new isolate with this binding does. */
async function readWith(...answers: (() => Promise<Response>)[]) {
  const { readSetUps } = await import(
    "../../../../src/features/integrations/integrations/read-set-ups.ts"
  );
  const fetch = () => (answers.shift() ?? Promise.reject)();
  const env = { ASSETS: { fetch } } as unknown as Cloudflare.Env;
  const read = async () => (await readSetUps(env))("webhook");
  return { read, left: answers };
}

const found = async () => Response.json({ webhook: SET_UP });

test.each([
  ["throws", () => Promise.reject(new Error("the binding failed"))],
  [
    "throws at once",
    () => {
      throw new Error("no such binding");
    },
  ],
  ["has no such file", async () => new Response("not found", { status: 404 })],
  ["answers with another file", async () => new Response("<html>")],
])("there are none while the binding %s, and they are read later", async (_, failing) => {
  const { read, left } = await readWith(failing, found);
  expect(await read()).toEqual({ steps: [], snippets: [] });
  expect(await read()).toEqual(SET_UP);
  expect(await read()).toEqual(SET_UP);
  expect(left).toEqual([]);
});
