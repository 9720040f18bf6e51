// Names that every object inherits (`constructor`, `__proto__`, `toString` …) are ordinary names in every input: an
// unknown query parameter is a 422, an unknown body parameter is dropped, and no request yields a 5xx.
import { beforeAll, describe, expect, test } from "vitest";
import { pages } from "../../src/console/pages.ts";
import type { Route } from "../../src/kernel/http/route.ts";
import { integrationTypes } from "../../src/products/registry.ts";
import { routes } from "../../src/routes.ts";
import { call } from "../support/api/api.ts";
import {
  PROTOTYPE_NAMES,
  withNamesWithin,
  withPrototypeNames,
  withTextAtEachPlace,
} from "../support/api/prototype-names.ts";
import { isFull, seed, selectSome } from "../support/generated/sizes.ts";
import { plain } from "../support/integrations/plain.ts";
import { sampleOf } from "../support/integrations/samples.ts";
import { type Browser, ORIGIN, signInAdmin } from "../support/worker/console.ts";
import { type Inhabited, makeInhabited } from "../support/worker/inhabited.ts";

let world: Inhabited;
let browser: Browser;
beforeAll(async () => {
  world = await makeInhabited("names");
  browser = await signInAdmin(world);
});

let turns = 0;
/** `__proto__` first: it causes the most faults. */
const NAMES = [...new Set(["__proto__", ...PROTOTYPE_NAMES])];

/** At full size `__proto__` and by turns a third of the others; else by turns `__proto__` and one of the others. */
function someNames(): readonly string[] {
  turns += 1;
  const [first, others] = [NAMES.slice(0, 1), NAMES.slice(1)];
  if (isFull) return [...first, ...others.filter((_, i) => (i + turns + seed) % 3 === 0)];
  return turns % 2 === 0 ? first : selectSome(others, 1, (turns - 1) / 2);
}
const someEncoded = () => someNames().map((name) => encodeURIComponent(name));
const encoded = PROTOTYPE_NAMES.map((name) => encodeURIComponent(name));
const isList = ({ shows }: Route) => shows.kind === "list" || shows.kind === "list_of";

function pathOf(route: Route): string {
  const { of, query } = sampleOf(route.operation);
  const path = route.path.replace(":id", of ? world.ids[of].id : "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  return query ? `${path}?${query}` : path;
}

const withQuery = (path: string, query: string) =>
  `${path}${path.includes("?") ? "&" : "?"}${query}`;

async function expectAnswer(method: string, path: string, options: Parameters<typeof plain>[3]) {
  const reply = await plain(world, method, path, options);
  const body = JSON.stringify(options?.body ?? null).slice(0, 300);
  expect(reply.status, `${method} ${path} ${body}: ${reply.text.slice(0, 300)}`).toBeLessThan(500);
  return reply;
}

describe("inherited names in a query or a path", () => {
  const reads = routes.filter(({ method }) => method === "GET");
  test.each(reads.map((route) => [route.path, route] as const))("GET %s", async (_, route) => {
    const path = pathOf(route);
    for (const name of someEncoded()) {
      const { status, body } = await expectAnswer("GET", withQuery(path, `${name}=1`), {});
      if (!isList(route)) continue;
      expect(status, name).toBe(422);
      expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
        decodeURIComponent(name),
      ]);
      for (const query of [`sort=${name}`, `direction=${name}`]) {
        expect((await expectAnswer("GET", withQuery(path, query), {})).status).toBe(422);
      }
      for (const query of [
        `ops=id:${name}&id=1`,
        `ops=${name}:equals&${name}=1`,
        `meta.${name}=1`,
        `${name}.a=1`,
        `${name}[]=1`,
        `id=${name}&q=${name}&page=${name}`,
      ]) {
        await expectAnswer("GET", withQuery(path, query), {});
      }
    }
  });

  test("as values of documented parameters", async () => {
    for (const route of reads) {
      const path = pathOf(route);
      const given = ["start", "end", "status", "type", "urgency", "limit", "until", "at", "weeks"];
      turns += 1;
      for (const name of selectSome(["constructor", "__proto__"], 1, turns)) {
        const query = given.map((it) => `${it}=${name}`).join("&");
        await expectAnswer("GET", withQuery(path, query), {});
      }
    }
  });

  test("as an id", async () => {
    for (const route of routes.filter(({ path }) => path.includes(":id"))) {
      for (const name of someEncoded()) {
        await expectAnswer(route.method, route.path.replace(":id", name), {
          ...(route.body && { body: {} }),
        });
      }
    }
  });
});

describe("inherited names in a body", () => {
  const writes = routes.filter(({ body }) => body !== undefined);
  test.each(writes.map((it) => [`${it.method} ${it.path}`, it] as const))(
    "%s",
    async (_, route) => {
      const path = pathOf(route);
      const bodyOf = () => sampleOf(route.operation).body?.(world) ?? {};
      const before = await expectAnswer(route.method, path, { body: bodyOf() });
      const json = JSON.stringify(withPrototypeNames(bodyOf(), () => ({ a: 1 })));
      const stray = await expectAnswer(route.method, path, { body: json });
      if (before.status < 300 && stray.status !== 409)
        expect(stray.status, stray.text).toBe(before.status);
      for (const name of PROTOTYPE_NAMES) expect(Object.keys(stray.body ?? {})).not.toContain(name);
      await expectAnswer(route.method, path, { body: JSON.stringify(withNamesWithin(bodyOf())) });
      for (const name of someNames()) {
        for (const body of withTextAtEachPlace(bodyOf(), name)) {
          await expectAnswer(route.method, path, { body: JSON.stringify(body) });
        }
      }
      const form = Object.keys({ ...bodyOf(), meta: 1 }).flatMap((field) =>
        encoded.flatMap((name) => [`${name}=1`, `${field}[${name}]=1`, `${field}[][${name}]=1`]),
      );
      await expectAnswer(route.method, path, {
        body: form.join("&"),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    },
  );

  test("as options of every integration type", async () => {
    for (const { name } of integrationTypes) {
      const options = withPrototypeNames({}, (it) => it);
      const named = Object.fromEntries(PROTOTYPE_NAMES.map((it) => [`option_${it}`, it]));
      const body = {
        name: "Options",
        urgency: "high",
        integration_type_id: name,
        account_user_ids: [world.ids.account_user.id],
        options,
        ...named,
      };
      const reply = await expectAnswer("POST", "/integrations", { body: JSON.stringify(body) });
      expect([201, 422]).toContain(reply.status);
    }
  });

  test("at every place of a rule", async () => {
    for (const name of someNames()) {
      const documents = [
        { match: { [`alert.${name}`]: { $exists: true } }, actions: [{ type: name }] },
        { match: { [`$${name}`]: 1 }, actions: [{ type: "ignore" }] },
        { match: { "alert.title": { [`$${name}`]: 1 } }, actions: [{ type: "ignore" }] },
        { match: { [`alert.${name}.${name}`]: { $type: name } }, actions: [{ type: "ignore" }] },
        {
          match: { always: true },
          actions: [
            {
              type: "notify",
              channels: [name],
              channel_options: withPrototypeNames({}, (it) => it),
            },
          ],
        },
        {
          match: { always: true },
          actions: [{ type: "setval", map: withPrototypeNames({}, (it) => it) }],
        },
        { match: { always: true }, actions: [{ type: "aggregate", by: [name] }] },
        { match: { $day: { timezone: name, $eq: 1 } }, actions: [{ type: "ignore" }] },
        {
          match: { $now: { timezone: "UTC", format: name, $eq: 1 } },
          actions: [{ type: "ignore" }],
        },
        {
          match: { "alert.title": { $regex: name, $options: name } },
          actions: [{ type: "ignore" }],
        },
      ];
      for (const document of documents) {
        const rules = JSON.stringify({ rules: [document] });
        const router = { name: "r", rules, default_receiver_team_id: world.ids.team.id };
        await expectAnswer("POST", "/notification_rules", { body: { name: "n", rules } });
        await expectAnswer("POST", "/routers", { body: router });
        await expectAnswer("POST", "/alerts/preview", {
          body: { title: name, destination_router_ids: [world.ids.router.id], router },
        });
      }
    }
  });
});

test("inherited names from a sender, in the body, the query and drop-in endpoints", async () => {
  const { url, intake_key } = (await world.api("GET", `/integrations/${world.ids.integration.id}`))
    .body;
  const path = new URL(url).pathname;
  for (const name of PROTOTYPE_NAMES) {
    const event = { event_type: name, Title: name, Id: name, meta: { [name]: name } };
    for (const body of [
      event,
      withPrototypeNames(event, (it) => ({ it })),
      { ...event, event_type: "create" },
    ]) {
      const query = encoded.map((it) => `${it}=1`).join("&");
      const reply = await call("POST", `${path}?${query}`, { body: JSON.stringify(body) });
      expect(reply.status, name).toBeLessThan(500);
    }
    const enqueued = await call("POST", "/v2/enqueue", {
      body: {
        routing_key: intake_key,
        event_action: name,
        payload: withPrototypeNames({ summary: name, source: name, severity: name }, (it) => it),
      },
    });
    expect(enqueued.status).toBeLessThan(500);
    const alerted = await call(
      "POST",
      `/v2/alerts/${encodeURIComponent(name)}/${encodeURIComponent(name)}`,
      {
        body: withPrototypeNames(
          { message: name, priority: name, details: withPrototypeNames({}, (it) => it) },
          (it) => it,
        ),
        headers: { authorization: `GenieKey ${intake_key}` },
      },
    );
    expect(alerted.status).toBeLessThan(500);
  }
});

describe("inherited names in the console", () => {
  const idOf = (path: string) => {
    const kind = path
      .split("/")[1]
      ?.replace(/ies$/, "y")
      .replace(/s$/, "")
      .replace("people", "account_user");
    const pair = Object.entries(world.ids).find(([it]) => it === kind)?.[1];
    return pair?.prefixId ?? world.ids.account_user.prefixId;
  };
  const PARAMETERS = [
    ...["at", "days", "end", "from", "layer", "schedule", "start", "test", "to", "type", "until"],
    ...["view", "zone", "status", "urgency", "q", "page", "team", "kind", "sort"],
  ];

  test.each(pages.filter(({ method }) => method === "GET").map(({ path }) => [path]))(
    "GET %s",
    async (path) => {
      for (const name of someEncoded()) {
        const query = [...PARAMETERS, ...encoded].map((it) => `${it}=${name}`).join("&");
        const named = await browser.get(path.replace(":id", name).replace(":token", name));
        expect(named.status, `${path} as ${name}`).toBeLessThan(500);
        const shown = await browser.get(`${path.replace(":id", idOf(path))}?${query}`);
        expect(shown.status, `${path}?${query}: ${shown.text.slice(0, 200)}`).toBeLessThan(500);
      }
    },
  );

  const EXCLUDED = ["/sign-out", "/password", "/switch"];
  const posts = pages.filter(({ method, path }) => method === "POST" && !EXCLUDED.includes(path));
  test.each(posts.map(({ path }) => [path]))("POST %s", async (path) => {
    const token =
      /name="form_token" value="([^"]+)"/.exec((await browser.get("/teams/new")).text)?.[1] ?? "";
    const headers = { Origin: ORIGIN };
    for (const name of someNames()) {
      const fields = [
        ...PARAMETERS,
        "name",
        "action",
        "rules",
        "ids",
        "channel",
        "title",
        "options",
      ];
      const form = {
        form_token: token,
        ...Object.fromEntries(fields.map((it) => [it, name])),
        ...Object.fromEntries(
          PROTOTYPE_NAMES.flatMap((it) => [
            [it, name],
            [`option_${it}`, name],
            [`meta[${it}]`, name],
          ]),
        ),
      };
      const posted = await browser.post(path.replace(":id", idOf(path)), form, headers);
      expect(posted.status, `${path} with ${name}: ${posted.text.slice(0, 300)}`).toBeLessThan(500);
    }
  });
});
