// Where alerts go: tables of routers and what they make of an alert; and that no routers lose one.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeFault } from "../../../src/domain/routing/conditions/located.ts";
import {
  type Receiver,
  type Router,
  type Routers,
  type RoutingResult,
  type RoutingSubject,
  routeAlert,
} from "../../../src/domain/routing/routing.ts";
import { readRouterRules } from "../../../src/domain/routing/rules/router-rules.ts";
import { identifierOf, prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { sized } from "../../support/generated/sizes.ts";

const idOf = (number: number) => identifierOf(1_700_000_000_000, new Uint8Array(10).fill(number));
const team = (number: number): Receiver => ({ type: "team", id: idOf(number) });
const person: Receiver = { type: "account_user", id: idOf(200) };
const routerAt = (number: number): Receiver => ({ type: "router", id: idOf(100 + number) });
const nameOf = ({ type, id }: Receiver) => prefixIdOf(type, id);
const ALL = [1, 2, 3, 4].map(team).concat(person, [1, 2, 3, 4].map(routerAt));

type Given = { rules?: readonly object[]; enabled?: boolean; fallback?: Receiver };

function makeRouter(
  number: number,
  { rules = [], enabled = true, fallback = team(1) }: Given,
): Router {
  const result = readRouterRules(JSON.stringify({ rules }));
  if (!result.ok) throw new Error(result.faults.map(describeFault).join("; "));
  return {
    id: routerAt(number).id,
    name: `R${number}`,
    enabled,
    rules: result.rules,
    receivers: new Map(ALL.flatMap((it) => [[it.id, it] as const, [nameOf(it), it] as const])),
    defaultReceiver: fallback,
  };
}

const routersOf = (...given: Given[]): Routers =>
  new Map(given.map((it, i) => makeRouter(i + 1, it)).map((router) => [router.id, router]));

const subject: RoutingSubject = {
  content: {
    title: "Disk full",
    description: "on db-1",
    urgency: "high",
    tags: ["db"],
    meta: { region: "eu" },
  },
  facts: { source_id: "S1", dedup_keys: ["k"] },
  log: { data: { host: "db-1", labels: ["x"] }, headers: { "x-event": "push" } },
};

const NOON = Date.UTC(2026, 0, 15, 12);
const through = (routers: Routers, first: Receiver[] = [routerAt(1)], now = NOON) =>
  routeAlert(routers, first, subject, now);
const always = (...actions: object[]) => ({ match: { always: true }, actions });
const assign = (...to: Receiver[]) => ({ type: "assign", receiver: to.map(nameOf) });

/** Deliveries as `name+delay`, delays in minutes. */
const told = (routed: RoutingResult) =>
  routed.deliveries.map(({ receiver, delayMs }) => {
    const place = ALL.findIndex((it) => it.type === receiver.type && it.id === receiver.id);
    const name = receiver.type === "team" ? `team ${place + 1}` : "person";
    return delayMs === 0 ? name : `${name}+${delayMs / 60_000}`;
  });
const levels = (routed: RoutingResult) => routed.trace.map(({ level }) => level);

describe("which rule", () => {
  test("without a router: whom the alert names", () => {
    const routed = routeAlert(new Map(), [team(2), person, team(2)], subject, NOON);
    expect(told(routed)).toEqual(["team 2", "person"]);
    expect(routed.content).toBe(subject.content);
    expect(routed.trace).toEqual([]);
  });

  test("the first that matches, top-down", () => {
    const routed = through(
      routersOf({
        rules: [
          { match: { "alert.urgency": "low" }, actions: [assign(team(2))] },
          { match: { "alert.tags": "db" }, actions: [assign(team(3), person)] },
          always(assign(team(4))),
        ],
      }),
    );
    expect(told(routed)).toEqual(["team 3", "person"]);
    expect(routed.routerIds).toEqual([routerAt(1).id]);
    const name = nameOf(routerAt(1));
    expect(routed.trace).toEqual([
      {
        level: "info",
        message: `Router R1 (${name}): rule 2 (line 1) matched: {"alert.tags":"db"}`,
      },
      {
        level: "info",
        message: `Router R1 (${name}): assigned to ${nameOf(team(3))}, ${nameOf(person)}`,
      },
    ]);
  });

  test.each<[name: string, given: Given, reason: string]>([
    ["no rule", {}, "no rule matched"],
    [
      "no match",
      { rules: [{ match: { "alert.title": "x" }, actions: [{ type: "ignore" }] }] },
      "no rule matched",
    ],
    ["disabled", { enabled: false, rules: [always({ type: "ignore" })] }, "disabled"],
    ["no receiver", { rules: [always({ type: "incident" })] }, "its rule names no receiver"],
  ])("%s: the default receiver", (_, given, reason) => {
    const routed = through(routersOf({ ...given, fallback: team(2) }));
    expect(told(routed)).toEqual(["team 2"]);
    expect(routed.suppressed).toBe(false);
    expect(routed.trace.at(-1)?.message).toContain(
      `${reason}; to the default receiver ${nameOf(team(2))}`,
    );
  });

  test("conditions see the alert, its facts and the request", () => {
    const match = {
      "alert.source_id": "S1",
      "alert.dedup_keys": "k",
      "alert.meta.region": "eu",
      "alert.tag_list": "db",
      "alert.incident": false,
      "log.data.host": { $regex: "^db" },
      "log.headers.X-Event": "push",
    };
    const routed = through(routersOf({ rules: [{ match, actions: [assign(team(2))] }] }));
    expect(told(routed)).toEqual(["team 2"]);
  });
});

describe("ignore", () => {
  const ignoring = { rules: [always({ type: "ignore" })] };
  test("of every first receiver suppresses", () => {
    const routed = through(routersOf(ignoring, ignoring), [routerAt(1), routerAt(2)]);
    expect(routed).toMatchObject({ deliveries: [], suppressed: true });
  });

  test("of some leaves the others", () => {
    const routed = through(routersOf(ignoring), [routerAt(1), team(2)]);
    expect(told(routed)).toEqual(["team 2"]);
    expect(routed.suppressed).toBe(false);
  });

  test("no receivers at all is not suppression", () => {
    expect(through(new Map(), [])).toMatchObject({ deliveries: [], suppressed: false });
  });
});

describe("from router to router", () => {
  test("by a rule and by default; delays add up", () => {
    const routed = through(
      routersOf(
        { rules: [always({ ...assign(routerAt(2), team(2)), delay: "5m" })] },
        { fallback: routerAt(3) },
        { rules: [always({ ...assign(team(3)), delay: "10m" })] },
      ),
    );
    expect(told(routed)).toEqual(["team 3+15", "team 2+5"]);
    expect(routed.routerIds).toEqual([1, 2, 3].map((number) => routerAt(number).id));
  });

  test("a router behind a delay decides as of then", () => {
    const office = { $timeBetween: { starttime: "08:00", endtime: "11:59" } };
    const routers = routersOf(
      { rules: [always({ ...assign(routerAt(2)), delay: "30m" })] },
      { rules: [{ match: office, actions: [assign(team(2))] }], fallback: team(3) },
    );
    expect(told(through(routers, [routerAt(1)], Date.UTC(2026, 0, 15, 11, 0)))).toEqual([
      "team 2+30",
    ]);
    expect(told(through(routers, [routerAt(1)], Date.UTC(2026, 0, 15, 11, 45)))).toEqual([
      "team 3+30",
    ]);
  });

  test("a receiver that is come to twice is told once, at the earlier time", () => {
    const routed = through(
      routersOf({ rules: [always({ ...assign(team(2)), delay: "5m" })] }, { fallback: team(2) }),
      [routerAt(1), routerAt(2)],
    );
    expect(told(routed)).toEqual(["team 2"]);
  });

  test("a loop stops, and what it led from falls back", () => {
    const routed = through(
      routersOf(
        { rules: [always(assign(routerAt(2)))], fallback: team(2) },
        { rules: [always(assign(routerAt(1)))], fallback: routerAt(1) },
      ),
    );
    expect(told(routed)).toEqual(["team 2"]);
    const looped = `${nameOf(routerAt(1))} was already visited: the routing loop stops here`;
    const stops = routed.trace.filter(({ message }) => message === looped);
    expect(stops.map(({ level }) => level)).toEqual(["warn", "warn"]);
  });

  test("routers that lead nowhere suppress nothing", () => {
    const routed = through(routersOf({ fallback: routerAt(2) }, { fallback: routerAt(1) }));
    expect(routed).toMatchObject({ deliveries: [], suppressed: false });
  });

  test("what is gone falls back to the default receiver", () => {
    const gone = routersOf({ rules: [always(assign(routerAt(4)))], fallback: team(2) });
    expect(told(through(gone))).toEqual(["team 2"]);
    const unknown = new Map(
      [...gone].map(([id, router]) => [id, { ...router, receivers: new Map() }]),
    );
    expect(told(through(unknown))).toEqual(["team 2"]);
    const unreadable = new Map([...gone].map(([id, router]) => [id, { ...router, rules: null }]));
    expect(told(through(unreadable))).toEqual(["team 2"]);
    expect(levels(through(unreadable))).toContain("error");
  });

  test("rules that take too much work fall back to the default receiver", () => {
    const match = { "log.data.text": { $regex: "(?:a|b).{400}c" } };
    const routers = routersOf({
      rules: [{ match, actions: [{ type: "ignore" }] }],
      fallback: team(2),
    });
    const log = { data: { text: "x".repeat(100_000) } };
    const routed = routeAlert(routers, [routerAt(1)], { ...subject, log }, NOON);
    expect(told(routed)).toEqual(["team 2"]);
    expect(routed.trace.at(-1)).toMatchObject({ level: "error" });
  });

  test("so do templates", () => {
    const title =
      "{{#each log.data.x}}{{#each log.data.x}}{{#each log.data.x}}{{/each}}{{/each}}{{/each}}";
    const set = { type: "setval", map: { title, urgency: "low" }, handlebars: true };
    const routers = routersOf({ rules: [always(set, { type: "ignore" })], fallback: team(2) });
    const log = { data: { x: Array.from({ length: 200 }, () => 1) } };
    const routed = routeAlert(routers, [routerAt(1)], { ...subject, log }, NOON);
    expect(told(routed)).toEqual(["team 2"]);
    expect(routed.content).toBe(subject.content);
  });
});

describe("setval and incident", () => {
  const change = (...actions: object[]) => through(routersOf({ rules: [always(...actions)] }));

  test("write what is given, and leave the rest", () => {
    const { content } = change({
      type: "setval",
      map: { title: "{{x}}", tags: ["a", "a", 5], urgency: "critical" },
    });
    expect(content).toEqual({
      ...subject.content,
      title: "{{x}}",
      tags: ["a", "5"],
      urgency: "critical",
    });
  });

  test("a template sees the alert as it reads by now", () => {
    const { content } = change(
      { type: "setval", map: { title: "[{{log.data.host}}] {{alert.title}}" }, handlebars: true },
      {
        type: "setval",
        map: { description: "{{alert.title}}!", tags: "{{alert.urgency}}" },
        handlebars: true,
      },
    );
    expect(content).toMatchObject({
      title: "[db-1] Disk full",
      description: "[db-1] Disk full!",
      tags: ["high"],
    });
  });

  test("what cannot be leaves the alert as it was, and is told", () => {
    const routed = change({
      type: "setval",
      map: { title: "{{log.data.none}}", urgency: "{{alert.title}}" },
      handlebars: true,
    });
    expect(routed.content).toEqual(subject.content);
    expect(levels(routed).filter((level) => level === "warn")).toHaveLength(2);
  });

  test("a later rule sees what an earlier router wrote", () => {
    const routed = through(
      routersOf(
        { rules: [always({ type: "setval", map: { urgency: "low" } }, assign(routerAt(2)))] },
        { rules: [{ match: { "alert.urgency": "low" }, actions: [assign(team(3))] }] },
      ),
    );
    expect(told(routed)).toEqual(["team 3"]);
  });

  test("a router that is come to twice writes once", () => {
    const more = { type: "setval", map: { title: "{{alert.title}}+" }, handlebars: true };
    const routers = routersOf(
      { rules: [always(assign(routerAt(3)))] },
      { rules: [always(assign(routerAt(3)))] },
      { rules: [always(more, assign(team(2)))] },
    );
    expect(through(routers, [routerAt(1), routerAt(2)]).content.title).toBe("Disk full+");
  });

  test.each<[action: object, meta: object]>([
    [{ type: "incident" }, { incident: true, incident_severity: "SEV-UNKNOWN" }],
    [
      { type: "incident", severity: "sev_2" },
      { incident: true, incident_severity: "SEV-2" },
    ],
    [
      {
        type: "incident",
        severity: "SEV-1",
        message: "Bridge for {{alert.title}}",
        handlebars: true,
      },
      { incident: true, incident_severity: "SEV-1", incident_message: "Bridge for Disk full" },
    ],
    [
      { type: "incident", severity: "{{alert.title}}", handlebars: true },
      { incident: true, incident_severity: "SEV-UNKNOWN" },
    ],
  ])("%j flags %j", (action, meta) => {
    expect(change(action).content.meta).toEqual({ region: "eu", ...meta });
  });
});

describe("aggregate", () => {
  const aggregating = (by: string[], ...to: Receiver[]) => ({
    rules: [always({ type: "aggregate", by, timeout: "5m", receiver: to.map(nameOf) })],
  });
  const fingerprints = (routed: RoutingResult) =>
    routed.deliveries.map(({ aggregate }) => aggregate?.fingerprint);

  test("is of those alerts whose values are the same", () => {
    const routers = routersOf(aggregating(["log.data.host", "alert.none"], team(2)));
    const of = (host: string, title: string) =>
      fingerprints(
        routeAlert(
          routers,
          [routerAt(1)],
          { ...subject, content: { ...subject.content, title }, log: { data: { host } } },
          NOON,
        ),
      );
    expect(of("a", "x")).toEqual(of("a", "y"));
    expect(of("a", "x")).not.toEqual(of("b", "x"));
    expect(through(routers).deliveries[0]?.aggregate?.timeoutMs).toBe(300_000);
  });

  test("of two routers are not the same", () => {
    const routers = routersOf(
      aggregating(["alert.title"], team(2)),
      aggregating(["alert.title"], team(3)),
    );
    const [one, two] = fingerprints(through(routers, [routerAt(1), routerAt(2)]));
    expect(one).not.toBe(two);
  });

  test("holds for all that comes after it", () => {
    const routed = through(
      routersOf(
        aggregating(["alert.title"], routerAt(2)),
        aggregating(["alert.tags"], team(2), team(3)),
      ),
    );
    expect(told(routed)).toEqual(["team 2", "team 3"]);
    expect(new Set(fingerprints(routed)).size).toBe(1);
    expect(fingerprints(routed)[0]).toContain(routerAt(1).id);
  });

  test("gives way to a delivery that must be made", () => {
    const routed = through(routersOf(aggregating(["alert.title"], team(2))), [
      routerAt(1),
      team(2),
    ]);
    expect(routed.deliveries).toEqual([{ receiver: team(2), delayMs: 0, aggregate: null }]);
  });
});

describe("whatever the routers", () => {
  const receiver = fc.constantFrom(...ALL);
  const action = fc.oneof(
    receiver.map((to) => assign(to)),
    fc.tuple(receiver, receiver).map(([a, b]) => ({ ...assign(a, b), delay: "1m" })),
    receiver.map((to) => ({
      type: "aggregate",
      by: ["alert.x"],
      timeout: "1m",
      receiver: nameOf(to),
    })),
    fc.constant({ type: "setval", map: { title: "{{alert.title}}+" }, handlebars: true }),
  );
  const given = fc.record({
    rules: fc.array(
      fc.record({
        match: fc.constantFrom(
          { always: true },
          { always: false },
          { "alert.title": { $regex: "\\+" } },
        ),
        actions: action.map((one) => [one]),
      }),
      { maxLength: 3 },
    ),
    enabled: fc.boolean(),
    fallback: receiver,
  });
  const logs = fc.oneof(fc.constant(null), fc.dictionary(fc.string(), fc.jsonValue()));

  test("it ends, throws nothing, and without ignore suppresses nothing", () => {
    fc.assert(
      fc.property(fc.array(given, { minLength: 4, maxLength: 4 }), logs, (all, log) => {
        const routed = routeAlert(
          routersOf(...all),
          [routerAt(1)],
          { ...subject, log: log as never },
          NOON,
        );
        expect(routed.suppressed).toBe(false);
        const keys = routed.deliveries.map((it) => `${it.receiver.type}${it.receiver.id}`);
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: sized(150, 3_000) },
    );
  });

  test("somebody is told, as long as the first router's default is a team", () => {
    fc.assert(
      fc.property(fc.array(given, { minLength: 4, maxLength: 4 }), ([first, ...others]) => {
        const routed = through(routersOf({ ...first, fallback: team(4) }, ...others));
        expect(routed.deliveries.length).toBeGreaterThan(0);
      }),
      { numRuns: sized(150, 3_000) },
    );
  });
});
