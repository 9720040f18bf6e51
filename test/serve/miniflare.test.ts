// What `npm run serve` uses of Miniflare, whose interface may change with any version: the one that wrangler brings, so that
// there is one runtime, and each behaviour that the server depends on.
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { Log, LogLevel, Miniflare, Response } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const json = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));

/** A server of the private network. */
const inner = createServer((_, response) => response.end("inner"));
let innerHost: string;
let runtime: Miniflare;

const WORKER = `
import { WorkerEntrypoint } from "cloudflare:workers";
export class MailEntrance extends WorkerEntrypoint {
  fetch() { return new Response("mail for " + this.env.NAME); }
}
export default {
  async fetch(request, env) {
    const to = new URL(request.url).searchParams.get("to");
    if (to) return fetch(to).then((it) => it.text()).then((it) => new Response(it), () => new Response("refused"));
    const told = await env.SMTP.fetch("https://smtp.invalid/", { method: "POST", body: "a mail" });
    return Response.json({
      url: request.url, client: request.headers.get("cf-connecting-ip"), told: await told.text(),
      json: env.VERSION.id, scheduled: globalThis.scheduled ?? null,
    });
  },
  scheduled({ cron }) { globalThis.scheduled = cron; console.log('{"message":"ran"}'); },
};`;

const lines: string[] = [];

/** The worker that requests go through, as the server has it. */
const OUTBOUND = stripTypeScriptTypes(
  readFileSync(join(root, "src/setup/serve/outbound.ts"), "utf8"),
  { mode: "transform" },
);

const esm = (contents: string) => ({
  mainModule: "index.js",
  modules: { "index.js": { type: "esm" as const, contents } },
});
const network = (...allow: string[]) => ({ type: "network" as const, allow });

beforeAll(async () => {
  await new Promise<void>((done) => inner.listen(0, "127.0.0.1", done));
  innerHost = `127.0.0.1:${(inner.address() as AddressInfo).port}`;
  runtime = new Miniflare({
    ...{ host: "127.0.0.1", port: 0, cf: false, logRequests: false, enableDevRegistry: false },
    ...{ telemetry: { enabled: false }, log: new Log(LogLevel.WARN) },
    handleStructuredLogs: ({ message }) => lines.push(message),
    unsafeHandleRuntimeRestart: () => {},
    workers: [
      {
        config: {
          ...{ name: "tocsin", compatibilityDate: "2026-10-20", manifest: esm(WORKER) },
          env: {
            NAME: { type: "text", value: "Acme" },
            VERSION: { type: "json", value: { id: "v1" } },
            SMTP: {
              type: "fetcher",
              handler: async (mail) => new Response(`sent ${await mail.text()}`),
            },
          },
        },
        dev: {
          outboundService: { type: "worker", worker: "outbound" },
          unsafeDirectSockets: [
            { host: "127.0.0.1", port: 0, proxy: true },
            { host: "127.0.0.1", port: 0, entrypoint: "MailEntrance" },
          ],
        },
      },
      {
        config: {
          ...{ name: "outbound", compatibilityDate: "2026-10-20", manifest: esm(OUTBOUND) },
          env: {
            PRIVATE_HOSTS: { type: "json", value: [innerHost] },
            PUBLIC_NETWORK: network("public"),
            WHOLE_NETWORK: network("public", "private"),
          },
        },
      },
    ],
  });
  await runtime.ready;
});

afterAll(async () => {
  await runtime.dispose();
  inner.close();
});

/** Sends a request with its whole URL in the request line, as the server does. */
async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { hostname, port } = await runtime.unsafeGetDirectURL("tocsin");
  return new Promise((done, fail) => {
    const sent = request({ host: hostname, port, path: url, headers }, async (response) => {
      let text = "";
      for await (const part of response) text += part;
      done(text);
    });
    sent.on("error", fail).end();
  });
}

test("its version is wrangler's, and there is one of it and one runtime", () => {
  const { dependencies } = json("package.json");
  const { packages } = json("package-lock.json");
  expect(dependencies.miniflare).toBe(packages["node_modules/wrangler"].dependencies.miniflare);
  const copies = (name: string) =>
    Object.keys(packages).filter((it) => it.endsWith(`node_modules/${name}`));
  expect([copies("miniflare"), copies("workerd")]).toEqual([
    ["node_modules/miniflare"],
    ["node_modules/workerd"],
  ]);
});

test("the worker sees the URL and the headers that it is sent, and what is bound", async () => {
  const answer = await ask("https://pager.example.com/x?y=1", {
    "cf-connecting-ip": "203.0.113.9",
  });
  expect(JSON.parse(answer)).toMatchObject({
    ...{ url: "https://pager.example.com/x?y=1", client: "203.0.113.9" },
    ...{ told: "sent a mail", json: "v1" },
  });
});

test("an entrance has an address of its own", async () => {
  const url = await runtime.unsafeGetDirectURL("tocsin", "MailEntrance");
  expect(await fetch(url).then((it) => it.text())).toBe("mail for Acme");
});

test("the cron trigger is run from outside, and what is logged comes as lines", async () => {
  const worker = await runtime.getWorker("tocsin");
  expect(await worker.scheduled({ cron: "* * * * *" })).toMatchObject({ outcome: "ok" });
  expect(JSON.parse(await ask("http://x/"))).toMatchObject({ scheduled: "* * * * *" });
  await expect.poll(() => lines).toContain('{"message":"ran"}');
});

test("the private network is out of reach but for the hosts that are named, whatever a name resolves to", async () => {
  const to = (url: string) => ask(`http://x/?to=${encodeURIComponent(url)}`);
  const port = innerHost.split(":")[1];
  expect(await to(`http://${innerHost}/`)).toBe("inner");
  expect(await to(`http://localhost:${port}/`)).toBe("refused");
  expect(await to(`http://127.0.0.2:${port}/`)).toBe("refused");
});
