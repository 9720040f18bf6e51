// When a provider is broken, for how long, what heals it, and whether that stops the heartbeat.
import { describe, expect, test } from "vitest";
import {
  type AuditFacts,
  findBreaches,
  mayBeat,
  NO_FAULTS,
} from "../../../src/domain/operations/invariants.ts";
import {
  type ChannelProviders,
  dueProviders,
  findProviderFaults,
  nextHealths,
  nextUndelivering,
  type Proof,
  type ProviderHealths,
  providerKey,
  type Receipts,
} from "../../../src/domain/operations/provider-health.ts";
import {
  AnswerLog,
  type MessageOutcome,
} from "../../../src/domain/shared/metrics/provider-answers.ts";
import { randomGenerator, sized } from "../../support/generated/sizes.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const FINE: Proof = { kind: "accepted", credit: null };
const REFUSED: Proof = { kind: "refused" };
const UNREACHABLE: Proof = { kind: "unreachable" };
const credit = (left: number): Proof => ({ kind: "accepted", credit: left });

const channelOf = (
  channel: string,
  providers: readonly string[],
  others: Partial<ChannelProviders> = {},
): ChannelProviders => ({
  ...{ channel, providers, reporting: providers, isSentAgain: false, ...others },
});

/** How many messages had each outcome, one after the other. */
type Outcomes = Readonly<Partial<Record<MessageOutcome, number>>>;

/** What happens between two audits: answers to messages, the receipts seen, and reports. */
type Events = {
  readonly answers?: Outcomes;
  readonly receipts?: readonly Receipts[];
  readonly delivered?: number;
};

/** A deployment that is audited: the state that is stored between audits, and what a probe answers. */
class Deployment {
  readonly #channels: readonly ChannelProviders[];
  #healths: ProviderHealths = {};
  #undelivering: readonly string[] = [];
  now = 0;
  probe: (provider: string) => Proof = () => FINE;
  probes = 0;

  constructor(...channels: readonly ChannelProviders[]) {
    this.#channels = channels;
  }

  /** Audits after some time, in which these events happened by each of these providers. */
  audit(
    afterMs: number,
    events: Events = {},
    providers = this.#channels[0]?.providers ?? [],
  ): void {
    const { channel } = this.#channels[0] ?? { channel: "" };
    const answers = Object.entries(events.answers ?? {}).flatMap(([outcome, n]) =>
      Array.from({ length: n }, () => outcome as MessageOutcome),
    );
    const log = new AnswerLog();
    for (const [i, outcome] of answers.entries()) {
      const at = this.now + (afterMs * (i + 1)) / (answers.length + 1);
      for (const provider of providers) log.add(providerKey(channel, provider), outcome, at);
    }
    this.now += afterMs;
    const growth = Object.fromEntries(
      providers.map((provider) => [
        `tocsin_delivery_reports_total{channel="${channel}",provider="${provider}",outcome="delivered"}`,
        events.delivered ?? 0,
      ]),
    );
    this.#healths = nextHealths(this.#healths, this.#channels, log.take(), new Map(), this.now);
    const due = dueProviders(this.#healths, this.#channels, this.now);
    this.probes += due.length;
    const proofs = new Map(due.map((name) => [name, this.probe(name)] as const));
    this.#healths = nextHealths(this.#healths, this.#channels, {}, proofs, this.now);
    const receipts = events.receipts ?? [];
    this.#undelivering = nextUndelivering(this.#undelivering, this.#channels, growth, receipts);
    // As it is stored and read again: a restart changes nothing.
    this.#healths = JSON.parse(JSON.stringify(this.#healths));
  }

  /** An audit each minute, for some time in which nothing happens. */
  rest(ms: number): void {
    for (let left = ms; left > 0; left -= MINUTE) this.audit(MINUTE);
  }

  get breaches() {
    const providers = findProviderFaults(this.#healths, this.#undelivering, this.#channels);
    const facts: AuditFacts = {
      ...{
        database: null,
        queueDelivers: true,
        lateInboxes: [],
        refusingInboxes: [],
        emptyTeams: [],
        recent: {},
      },
      ...{ canaryLost: false, unprovenProviders: [], clockSetBack: false },
      ...{ database: { usedShare: 0, found: {} }, providers, lasting: NO_FAULTS },
    };
    return findBreaches(facts);
  }

  get broken(): readonly string[] {
    return this.breaches.map((it) => it.invariant);
  }
}

/** Each channel whose providers are judged, with the providers that it may have. */
const CHANNELS: readonly (readonly [string, string])[] = [
  ...(["resend", "mailgun", "binding"] as const).map((it) => ["email", it] as const),
  ...(["twilio", "vonage", "telnyx"] as const).flatMap((it) => [
    ["sms", it] as const,
    ["voice", it] as const,
  ]),
  ...(["telegram", "pushover", "whatsapp", "slack", "teams"] as const).map(
    (it) => [it, it] as const,
  ),
];

const FAULTS = {
  "answers 500": { temporary: 3 },
  hangs: { temporary: 4 },
  "refuses our key": { credentials: 1 },
} as const;

const QUIET = [10 * MINUTE, HOUR, DAY] as const;

describe.each(Object.entries(FAULTS))("a provider that %s", (_, answers) => {
  const rows = CHANNELS.flatMap(([channel, provider]) =>
    QUIET.map((quiet) => [channel, provider, quiet] as const),
  );

  test.each(rows)(
    "of %s: %s is broken after %i ms of quiet, until it accepts a message",
    (channel, provider, quiet) => {
      const deployment = new Deployment(channelOf(channel, [provider]));
      deployment.audit(MINUTE, { answers: { sent: 5 } });
      expect(deployment.broken).toEqual([]);
      // An account's own app is one of several, and proves nothing about the deployment.
      const isOfAccount = ["slack", "teams"].includes(channel);
      const broken = [isOfAccount ? "every_provider_accepts" : "provider_accepts"];
      deployment.audit(MINUTE, { answers });
      expect(deployment.broken).toEqual(broken);
      expect(mayBeat(deployment.breaches, false)).toBe(isOfAccount);
      deployment.rest(quiet);
      expect(deployment.broken).toEqual(broken);
      expect(deployment.breaches[0]?.examples[0]).toMatch(`${channel}: ${provider} `);
      deployment.audit(MINUTE, { answers: { sent: 1 } });
      expect(deployment.broken).toEqual([]);
    },
  );

  test("does not stop the heartbeat while another one accepts, and warns as long as it lasts", () => {
    const deployment = new Deployment(channelOf("sms", ["twilio", "vonage"]));
    deployment.audit(MINUTE, { answers }, ["twilio"]);
    deployment.rest(DAY);
    expect(deployment.broken).toEqual(["every_provider_accepts"]);
    expect(mayBeat(deployment.breaches, true)).toBe(true);
    deployment.audit(MINUTE, { answers }, ["vonage"]);
    expect(deployment.broken).toEqual(["provider_accepts"]);
    deployment.audit(MINUTE, { answers: { sent: 1 } }, ["vonage"]);
    expect(deployment.broken).toEqual(["every_provider_accepts"]);
  });
});

test("a key that expires between two audits is seen by the next one, whatever was sent before it did", () => {
  const deployment = new Deployment(channelOf("email", ["resend"]));
  deployment.probe = () => ({ kind: "unknown" });
  deployment.audit(MINUTE, { answers: { sent: 5 } });
  deployment.audit(MINUTE, { answers: { sent: 3, credentials: 1 } });
  expect(deployment.broken).toEqual(["provider_accepts"]);
  deployment.audit(MINUTE, { answers: { sent: 1 } });
  expect(deployment.broken).toEqual([]);
});

test("failures that follow each other slowly count, and one that others follow does not", () => {
  const deployment = new Deployment(channelOf("email", ["resend"]));
  for (const _ of [1, 2]) deployment.audit(HOUR, { answers: { temporary: 1 } });
  expect(deployment.broken).toEqual([]);
  deployment.audit(HOUR, { answers: { temporary: 1 } });
  expect(deployment.broken).toEqual(["provider_accepts"]);
  deployment.audit(MINUTE, { answers: { temporary: 9, sent: 1 } });
  expect(deployment.broken).toEqual([]);
  deployment.audit(MINUTE, { answers: { permanent: 20 } });
  expect(deployment.broken).toEqual([]);
});

test("refusals for a cause of ours break a provider, those for the recipient's do not", () => {
  const deployment = new Deployment(channelOf("voice", ["vonage"]));
  deployment.audit(MINUTE, { answers: { permanent: 9, refused: 2 } });
  expect(deployment.broken).toEqual([]);
  deployment.audit(MINUTE, { answers: { refused: 1 } });
  expect(deployment.broken).toEqual(["provider_accepts"]);
});

describe("a probe", () => {
  test("asks once an hour, at once after a failure, and each minute while it fails", () => {
    const deployment = new Deployment(channelOf("sms", ["twilio"]), channelOf("voice", ["twilio"]));
    deployment.audit(MINUTE);
    expect(deployment.probes).toBe(1);
    deployment.rest(59 * MINUTE);
    expect(deployment.probes).toBe(1);
    deployment.rest(MINUTE);
    expect(deployment.probes).toBe(2);
    deployment.audit(MINUTE, { answers: { temporary: 1 } });
    expect(deployment.probes).toBe(3);
    deployment.rest(10 * MINUTE);
    expect(deployment.probes).toBe(3);
    deployment.probe = () => UNREACHABLE;
    deployment.rest(HOUR);
    expect(deployment.probes).toBeGreaterThan(10);
  });

  test("finds a key that has expired before the first message, and that it was replaced", () => {
    const deployment = new Deployment(channelOf("email", ["resend"]));
    deployment.rest(10 * MINUTE);
    deployment.probe = () => REFUSED;
    deployment.rest(HOUR + MINUTE);
    expect(deployment.broken).toEqual(["provider_accepts"]);
    deployment.rest(DAY);
    expect(deployment.broken).toEqual(["provider_accepts"]);
    deployment.probe = () => FINE;
    deployment.rest(MINUTE);
    expect(deployment.broken).toEqual([]);
  });

  test.each([
    ["a refusal", REFUSED, 2],
    ["no answer", UNREACHABLE, 5],
  ] as const)("breaks nothing by %s that does not repeat itself", (_, proof, most) => {
    const deployment = new Deployment(channelOf("email", ["resend"]));
    for (let failed = 1; failed < most; failed += 1) {
      deployment.probe = () => proof;
      deployment.rest(failed === 1 && deployment.probes > 0 ? HOUR : MINUTE);
      expect(deployment.broken).toEqual([]);
    }
    deployment.probe = () => FINE;
    deployment.rest(HOUR);
    deployment.probe = () => proof;
    deployment.rest(HOUR + most * MINUTE);
    expect(deployment.broken).toEqual(["provider_accepts"]);
    deployment.probe = () => FINE;
    deployment.rest(MINUTE);
    expect(deployment.broken).toEqual([]);
  });

  test.each(Object.entries(FAULTS))(
    "that sees nothing does not heal a provider that %s for messages",
    (_, answers) => {
      const deployment = new Deployment(channelOf("email", ["resend"]));
      deployment.audit(MINUTE, { answers });
      deployment.rest(DAY);
      expect(deployment.broken).toEqual(["provider_accepts"]);
    },
  );

  test.each([
    ["refuses our key", FAULTS["refuses our key"], REFUSED],
    ["answers 500", FAULTS["answers 500"], UNREACHABLE],
  ] as const)("heals a provider that %s if probes saw it too", (_, answers, proof) => {
    const deployment = new Deployment(channelOf("email", ["resend"]));
    deployment.probe = () => proof;
    deployment.audit(MINUTE, { answers });
    deployment.rest(DAY);
    expect(deployment.broken).toEqual(["provider_accepts"]);
    deployment.probe = () => FINE;
    deployment.rest(MINUTE);
    expect(deployment.broken).toEqual([]);
  });

  test("that cannot tell, and a provider that was never used, break nothing", () => {
    const deployment = new Deployment(
      channelOf("email", ["mailgun"]),
      channelOf("sms", ["vonage"]),
    );
    deployment.rest(DAY);
    deployment.probe = () => ({ kind: "unknown" });
    deployment.rest(DAY);
    expect(deployment.broken).toEqual([]);
  });

  test("finds that credit has run out, not that an account never had any", () => {
    const deployment = new Deployment(channelOf("sms", ["twilio"]));
    deployment.probe = () => credit(0);
    deployment.rest(DAY);
    expect(deployment.broken).toEqual([]);
    deployment.probe = () => credit(12.5);
    deployment.rest(HOUR);
    deployment.probe = () => credit(-0.01);
    deployment.rest(DAY);
    expect(deployment.breaches[0]?.examples).toEqual(["sms: twilio has no credit left"]);
    deployment.probe = () => credit(20);
    deployment.rest(MINUTE);
    expect(deployment.broken).toEqual([]);
  });

  test("does not hold missing credit against an account that sends without", () => {
    const deployment = new Deployment(channelOf("sms", ["twilio"]));
    deployment.probe = () => credit(5);
    deployment.rest(HOUR);
    deployment.probe = () => credit(0);
    deployment.rest(HOUR);
    expect(deployment.broken).toEqual(["provider_accepts"]);
    deployment.audit(MINUTE, { answers: { sent: 1 } });
    deployment.rest(DAY);
    expect(deployment.broken).toEqual([]);
  });
});

test("whatever happens, a fault ends by an accepted message, or by a probe that has seen it since", () => {
  const random = randomGenerator();
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  const unknown: Proof = { kind: "unknown" };
  const ends = { message: 0, probe: 0 };
  for (let run = 0; run < sized(60, 3_000); run += 1) {
    const deployment = new Deployment(channelOf("sms", ["twilio"]));
    let isSeen = false;
    let proof: Proof = FINE;
    deployment.probe = () => {
      if (proof.kind === "accepted") return proof;
      isSeen ||= proof.kind !== "unknown";
      return proof;
    };
    for (let step = 0; step < 60; step += 1) {
      proof = pick([FINE, FINE, REFUSED, REFUSED, UNREACHABLE, unknown, credit(9)]);
      const answers = pick<Outcomes>([
        ...([{}, {}, {}, {}, {}, { sent: 1 }, { temporary: 1 }] as const),
        ...[{ temporary: 4 }, { credentials: 1 }, { sent: 3, credentials: 2 }],
      ]);
      const wasBroken = deployment.broken.length > 0;
      if (answers.temporary || answers.credentials) isSeen = false;
      deployment.audit(pick([MINUTE, MINUTE, HOUR]), { answers });
      const isBroken = deployment.broken.length > 0;
      if (answers.credentials) expect(isBroken).toBe(true);
      if (!wasBroken || isBroken) continue;
      expect(answers.sent !== undefined || (proof.kind === "accepted" && isSeen)).toBe(true);
      ends[answers.sent ? "message" : "probe"] += 1;
    }
  }
  expect(Math.min(ends.message, ends.probe)).toBeGreaterThan(5);
});

describe("messages that are accepted and never delivered", () => {
  const receipts = (channel: string, provider: string, others: Partial<Receipts>): Receipts => ({
    ...{ channel, provider, total: 2, addresses: 2, delivered: 0, ...others },
  });
  const reporting = [
    ["email", "resend"],
    ["email", "mailgun"],
    ...(["sms", "voice"] as const).flatMap((channel) =>
      (["twilio", "vonage", "telnyx"] as const).map((it) => [channel, it] as const),
    ),
    ["whatsapp", "whatsapp"],
  ] as const;

  test.each(reporting)("by %s: %s are seen until one is delivered", (channel, provider) => {
    const undelivered = { receipts: [receipts(channel, provider, {})] };
    for (const end of [
      { delivered: 1 },
      { receipts: [receipts(channel, provider, { delivered: 1 })] },
    ]) {
      const deployment = new Deployment(channelOf(channel, [provider]));
      deployment.audit(MINUTE, { ...undelivered, answers: { sent: 2 } });
      expect(deployment.broken).toEqual(["receipts_arrive"]);
      expect(mayBeat(deployment.breaches, false)).toBe(false);
      deployment.rest(DAY);
      deployment.audit(MINUTE, { answers: { sent: 1 } });
      expect(deployment.broken).toEqual(["receipts_arrive"]);
      deployment.audit(MINUTE, end);
      expect(deployment.broken).toEqual([]);
    }
  });

  test.each([
    [{ total: 2, addresses: 2 }, true],
    [{ total: 3, addresses: 1 }, true],
    [{ total: 2, addresses: 1 }, false],
    [{ total: 1, addresses: 1 }, false],
    [{ total: 9, addresses: 9, delivered: 1 }, false],
  ])("%j counts: %j", (totals, isSeen) => {
    const deployment = new Deployment(channelOf("email", ["resend"]));
    deployment.audit(MINUTE, { receipts: [receipts("email", "resend", totals)] });
    expect(deployment.broken).toEqual(isSeen ? ["receipts_arrive"] : []);
  });

  test("by a provider that reports nothing to this deployment prove nothing", () => {
    const deployment = new Deployment(channelOf("email", ["resend"], { reporting: [] }));
    deployment.audit(MINUTE, { receipts: [receipts("email", "resend", {})] });
    expect(deployment.broken).toEqual([]);
  });

  test("only warn where they are sent again by another provider", () => {
    const two = ["twilio", "vonage"];
    for (const [isSentAgain, expected] of [
      [true, "every_provider_accepts"],
      [false, "receipts_arrive"],
    ] as const) {
      const deployment = new Deployment(channelOf("sms", two, { isSentAgain }));
      deployment.audit(MINUTE, { receipts: [receipts("sms", "twilio", {})] });
      expect(deployment.broken).toEqual([expected]);
      deployment.audit(MINUTE, { receipts: two.map((it) => receipts("sms", it, {})) });
      expect(deployment.broken).toEqual(["receipts_arrive"]);
    }
  });
});

test("a provider that is no longer configured is forgotten", () => {
  const [channel] = [channelOf("sms", ["twilio"])];
  const key = providerKey("sms", "twilio");
  const answers = { [key]: { acceptedAt: null, failedAt: [], credentialsAt: 0 } };
  const healths = nextHealths({}, [channel], answers, new Map(), 0);
  expect(healths[key]?.broken).not.toBeNull();
  expect(nextHealths(healths, [], {}, new Map(), 1)).toEqual({});
  // Until the consumer has said which are configured, all count that were given messages.
  expect(nextHealths({}, null, answers, new Map(), 0)).toEqual(healths);
  expect(nextHealths(healths, null, {}, new Map(), 0)).toEqual(healths);
});
