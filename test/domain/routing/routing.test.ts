// Routing of alerts through routers, and that no configuration of routers loses an alert.
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
const route = (routers: Routers, first: Receiver[] = [routerAt(1)], now = NOON) =>
  routeAlert(routers, first, subject, now);
const always = (...actions: object[]) => ({ match: { always: true }, actions });
const assign = (...to: Receiver[]) => ({ type: "assign", receiver: to.map(nameOf) });

/** Deliveries as `name+delay`, delays in minutes. */
const deliveriesOf = (routed: RoutingResult) =>
  routed.deliveries.map(({ receiver, delayMs }) => {
    const index = ALL.findIndex((it) => it.type === receiver.type && it.id === receiver.id);
    const name = receiver.type === "team" ? `team ${index + 1}` : "person";
    return delayMs === 0 ? name : `${name}+${delayMs / 60_000}`;
  });
const levels = (routed: RoutingResult) => routed.trace.map(({ level }) => level);

describe("routing by rules", () => {
  test("delivers to the alert's destinations without a router", () => {
    const routed = routeAlert(new Map(), [team(2), person, team(2)], subject, NOON);
    expect(deliveriesOf(routed)).toEqual(["team 2", "person"]);
    expect(routed.content).toBe(subject.content);
    expect(routed.trace).toEqual([]);
  });

  test("follows the first rule that matches", () => {
    const routed = route(
      routersOf({
        rules: [
          { match: { "alert.urgency": "low" }, actions: [assign(team(2))] },
          { match: { "alert.tags": "db" }, actions: [assign(team(3), person)] },
          always(assign(team(4))),
        ],
      }),
    );
    expect(deliveriesOf(routed)).toEqual(["team 3", "person"]);
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
    ["no receiver", { rules: [always({ type: "incident" })] }, "its rule names nobody"],
  ])("delivers to the default receiver: %s", (_, given, reason) => {
    const routed = route(routersOf({ ...given, fallback: team(2) }));
    expect(deliveriesOf(routed)).toEqual(["team 2"]);
    expect(routed.suppressed).toBe(false);
    expect(routed.trace.at(-1)?.message).toContain(`${reason}; otherwise to ${nameOf(team(2))}`);
  });

  test("matches conditions on the alert, its facts and the request", () => {
    const match = {
      "alert.source_id": "S1",
      "alert.dedup_keys": "k",
      "alert.meta.region": "eu",
      "alert.tag_list": "db",
      "alert.incident": false,
      "log.data.host": { $regex: "^db" },
      "log.headers.X-Event": "push",
    };
    const routed = route(routersOf({ rules: [{ match, actions: [assign(team(2))] }] }));
    expect(deliveriesOf(routed)).toEqual(["team 2"]);
  });
});

describe("ignore", () => {
  const ignoring = { rules: [always({ type: "ignore" })] };
  test("by every first receiver suppresses the alert", () => {
    const routed = route(routersOf(ignoring, ignoring), [routerAt(1), routerAt(2)]);
    expect(routed).toMatchObject({ deliveries: [], suppressed: true });
  });

  test("by some receivers leaves the others", () => {
    const routed = route(routersOf(ignoring), [routerAt(1), team(2)]);
    expect(deliveriesOf(routed)).toEqual(["team 2"]);
    expect(routed.suppressed).toBe(false);
  });

  test("does not apply to an alert without receivers", () => {
    expect(route(new Map(), [])).toMatchObject({ deliveries: [], suppressed: false });
  });
});

describe("routing through several routers", () => {
  test("follows rules and default receivers, and adds up delays", () => {
    const routed = route(
      routersOf(
        { rules: [always({ ...assign(routerAt(2), team(2)), delay: "5m" })] },
        { fallback: routerAt(3) },
        { rules: [always({ ...assign(team(3)), delay: "10m" })] },
      ),
    );
    expect(deliveriesOf(routed)).toEqual(["team 3+15", "team 2+5"]);
    expect(routed.routerIds).toEqual([1, 2, 3].map((number) => routerAt(number).id));
  });

  test("evaluates a router after a delay at the time when the delay ends", () => {
    const office = { $timeBetween: { starttime: "08:00", endtime: "11:59" } };
    const routers = routersOf(
      { rules: [always({ ...assign(routerAt(2)), delay: "30m" })] },
      { rules: [{ match: office, actions: [assign(team(2))] }], fallback: team(3) },
    );
    expect(deliveriesOf(route(routers, [routerAt(1)], Date.UTC(2026, 0, 15, 11, 0)))).toEqual([
      "team 2+30",
    ]);
    expect(deliveriesOf(route(routers, [routerAt(1)], Date.UTC(2026, 0, 15, 11, 45)))).toEqual([
      "team 3+30",
    ]);
  });

  test("delivers once to a receiver that is reached twice, at the earlier time", () => {
    const routed = route(
      routersOf({ rules: [always({ ...assign(team(2)), delay: "5m" })] }, { fallback: team(2) }),
      [routerAt(1), routerAt(2)],
    );
    expect(deliveriesOf(routed)).toEqual(["team 2"]);
  });

  test("stops at a loop, and falls back to the default receiver", () => {
    const routed = route(
      routersOf(
        { rules: [always(assign(routerAt(2)))], fallback: team(2) },
        { rules: [always(assign(routerAt(1)))], fallback: routerAt(1) },
      ),
    );
    expect(deliveriesOf(routed)).toEqual(["team 2"]);
    const looped = `${nameOf(routerAt(1))} was already visited: the routing loop stops here`;
    const stops = routed.trace.filter(({ message }) => message === looped);
    expect(stops.map(({ level }) => level)).toEqual(["warn", "warn"]);
  });

  test("does not suppress an alert that reaches no receiver", () => {
    const routed = route(routersOf({ fallback: routerAt(2) }, { fallback: routerAt(1) }));
    expect(routed).toMatchObject({ deliveries: [], suppressed: false });
  });

  test("falls back to the default receiver if a receiver or the rules are missing", () => {
    const missing = routersOf({ rules: [always(assign(routerAt(4)))], fallback: team(2) });
    expect(deliveriesOf(route(missing))).toEqual(["team 2"]);
    const unknown = new Map(
      [...missing].map(([id, router]) => [id, { ...router, receivers: new Map() }]),
    );
    expect(deliveriesOf(route(unknown))).toEqual(["team 2"]);
    const unreadable = new Map(
      [...missing].map(([id, router]) => [id, { ...router, rules: null }]),
    );
    expect(deliveriesOf(route(unreadable))).toEqual(["team 2"]);
    expect(levels(route(unreadable))).toContain("error");
  });

  test("falls back to the default receiver if rules take too much work", () => {
    const match = { "log.data.text": { $regex: "(?:a|b).{400}c" } };
    const routers = routersOf({
      rules: [{ match, actions: [{ type: "ignore" }] }],
      fallback: team(2),
    });
    const log = { data: { text: "x".repeat(100_000) } };
    const routed = routeAlert(routers, [routerAt(1)], { ...subject, log }, NOON);
    expect(deliveriesOf(routed)).toEqual(["team 2"]);
    expect(routed.trace.at(-1)).toMatchObject({ level: "error" });
  });

  test("falls back to the default receiver if templates take too much work", () => {
    const title =
      "{{#each log.data.x}}{{#each log.data.x}}{{#each log.data.x}}{{/each}}{{/each}}{{/each}}";
    const set = { type: "setval", map: { title, urgency: "low" }, handlebars: true };
    const routers = routersOf({ rules: [always(set, { type: "ignore" })], fallback: team(2) });
    const log = { data: { x: Array.from({ length: 200 }, () => 1) } };
    const routed = routeAlert(routers, [routerAt(1)], { ...subject, log }, NOON);
    expect(deliveriesOf(routed)).toEqual(["team 2"]);
    expect(routed.content).toBe(subject.content);
  });
});

describe("setval and incident", () => {
  const change = (...actions: object[]) => route(routersOf({ rules: [always(...actions)] }));

  test("change only the given fields", () => {
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

  test("render templates with the changes of earlier actions", () => {
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

  test("leave the alert unchanged on an invalid value, and log a warning", () => {
    const routed = change({
      type: "setval",
      map: { title: "{{log.data.none}}", urgency: "{{alert.title}}" },
      handlebars: true,
    });
    expect(routed.content).toEqual(subject.content);
    expect(levels(routed).filter((level) => level === "warn")).toHaveLength(2);
  });

  test("apply before the conditions of a later router", () => {
    const routed = route(
      routersOf(
        { rules: [always({ type: "setval", map: { urgency: "low" } }, assign(routerAt(2)))] },
        { rules: [{ match: { "alert.urgency": "low" }, actions: [assign(team(3))] }] },
      ),
    );
    expect(deliveriesOf(routed)).toEqual(["team 3"]);
  });

  test("apply once in a router that is reached twice", () => {
    const more = { type: "setval", map: { title: "{{alert.title}}+" }, handlebars: true };
    const routers = routersOf(
      { rules: [always(assign(routerAt(3)))] },
      { rules: [always(assign(routerAt(3)))] },
      { rules: [always(more, assign(team(2)))] },
    );
    expect(route(routers, [routerAt(1), routerAt(2)]).content.title).toBe("Disk full+");
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
  ])("%j sets the meta %j", (action, meta) => {
    expect(change(action).content.meta).toEqual({ region: "eu", ...meta });
  });
});

describe("aggregate", () => {
  const aggregating = (by: string[], ...to: Receiver[]) => ({
    rules: [always({ type: "aggregate", by, timeout: "5m", receiver: to.map(nameOf) })],
  });
  const fingerprints = (routed: RoutingResult) =>
    routed.deliveries.map(({ aggregate }) => aggregate?.fingerprint);

  test("has the same fingerprint for alerts with equal values", () => {
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
    expect(route(routers).deliveries[0]?.aggregate?.timeoutMs).toBe(300_000);
  });

  test("has different fingerprints in two routers", () => {
    const routers = routersOf(
      aggregating(["alert.title"], team(2)),
      aggregating(["alert.title"], team(3)),
    );
    const [one, two] = fingerprints(route(routers, [routerAt(1), routerAt(2)]));
    expect(one).not.toBe(two);
  });

  test("applies to all deliveries that follow it", () => {
    const routed = route(
      routersOf(
        aggregating(["alert.title"], routerAt(2)),
        aggregating(["alert.tags"], team(2), team(3)),
      ),
    );
    expect(deliveriesOf(routed)).toEqual(["team 2", "team 3"]);
    expect(new Set(fingerprints(routed)).size).toBe(1);
    expect(fingerprints(routed)[0]).toContain(routerAt(1).id);
  });

  test("does not apply to a receiver that is also reached directly", () => {
    const routed = route(routersOf(aggregating(["alert.title"], team(2))), [routerAt(1), team(2)]);
    expect(routed.deliveries).toEqual([{ receiver: team(2), delayMs: 0, aggregate: null }]);
  });
});

describe("any routers", () => {
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

  test("terminate without throwing, and without ignore suppress nothing", () => {
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
      { numRuns: sized(75, 3_000) },
    );
  });

  test("deliver to someone if the first router's default receiver is a team", () => {
    fc.assert(
      fc.property(fc.array(given, { minLength: 4, maxLength: 4 }), ([first, ...others]) => {
        const routed = route(routersOf({ ...first, fallback: team(4) }, ...others));
        expect(routed.deliveries.length).toBeGreaterThan(0);
      }),
      { numRuns: sized(75, 3_000) },
    );
  });
});
