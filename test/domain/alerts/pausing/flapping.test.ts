// `pause_for` and `reopen_within`: events that come and go are compared with a small model, with deliveries that a
// crash repeats.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextStepAt } from "../../../../src/domain/alerts/alert.ts";
import type { Command } from "../../../../src/domain/alerts/commands.ts";
import { sized } from "../../../support/generated/sizes.ts";
import { by, draft, history, MINUTE, personAlone, T0, team } from "../alert-makers.ts";

const DAY_MS = 1_440 * MINUTE;
const CREW = {
  ...team("t", ["ann"], { members: ["ann", "bob"] }),
  layers: [{ layer: 1, timeoutMs: DAY_MS }],
};
const FACTS = [CREW, personAlone("ann"), personAlone("bob")];
const SOURCE = {
  accountUserId: null,
  name: "integration Monitoring",
  integrationId: "integration",
};
/** How long who had acknowledged has to answer, in minutes. */
const ANSWER = 5;

type Options = { readonly pause: number; readonly reopen: number };
type Event = "fire" | "again" | "heal" | "ann" | "bob" | "resolved by ann";
const OFTEN: readonly Event[] = ["fire", "heal", "bob"];
const EVENTS: readonly Event[] = [...OFTEN, ...OFTEN, ...OFTEN, "ann", "again", "resolved by ann"];
type Step = { readonly type: Event; readonly wait: number };

const optionsOf: fc.Arbitrary<Options> = fc.record({
  pause: fc.constantFrom(0, 2, 5),
  reopen: fc.constantFrom(0, 3, 10),
});
const steps = fc.array(
  fc.record({
    type: fc.constantFrom<Event>(...EVENTS),
    wait: fc.constantFrom(0, 0.5, 1, 1, 2, 2, 3, 4, 6, 11),
  }),
  { minLength: 3, maxLength: 40 },
);

/** The real alerts of one `Id`, with the timers that are due in between. */
class Alerts {
  readonly all = [history(FACTS)];
  readonly paged: string[] = [];
  #last: { readonly command: Command; readonly at: number } | null = null;

  get newest() {
    return this.all.at(-1) as ReturnType<typeof history>;
  }

  #do(it: ReturnType<typeof history>, command: Command, at: number) {
    const known = it.pages.length;
    const outcome = it.do(command, at);
    for (const page of it.pages.slice(known))
      if (page.event === "alert.open") this.paged.push(`${at} ${page.accountUserId}`);
    return outcome;
  }

  runTimers(until: number): void {
    for (const it of this.all) {
      for (let next = it.alert && nextStepAt(it.alert); next !== null; ) {
        const at = (next - T0) / MINUTE;
        if (at > until) break;
        this.#do(it, { type: "tick" }, at);
        next = it.alert && nextStepAt(it.alert);
      }
    }
  }

  fire(at: number, { pause }: Options): void {
    const numbered = Math.max(
      (T0 + at * MINUTE) * 1_000,
      (this.newest.alert?.countedSequence ?? 0) + 1,
    );
    const pauseMs = pause === 0 ? {} : { pauseMs: pause * MINUTE };
    const given = draft([CREW], pauseMs);
    const command: Command = { type: "create", draft: given, sequences: [numbered] };
    this.#last = { command, at };
    this.#deliver(at);
  }

  /** The inbox died before it noted what the alert answered. */
  again(at: number): void {
    if (this.#last !== null && this.newest.alert !== null) this.#deliver(at);
  }

  #deliver(at: number): void {
    const command = this.#last?.command as Command;
    const outcome = this.#do(this.newest, command, at);
    if (outcome.kind !== "unchanged" || outcome.result !== "finished") return;
    this.all.push(history(FACTS));
    this.#do(this.newest, command, at);
  }

  send(command: Command, at: number): void {
    if (this.newest.alert !== null) this.#do(this.newest, command, at);
  }
}

type Modelled = {
  status: "paused" | "open" | "answered" | "resolved";
  acknowledgedBy: string | null;
  isNotified: boolean;
  /** When the pause ends, or who had acknowledged has not answered. */
  due: number | null;
  reopenUntil: number;
};

/** What is promised, in a few lines. */
class Model {
  readonly all: Modelled[] = [];
  readonly paged: string[] = [];

  get newest(): Modelled | undefined {
    return this.all.at(-1);
  }

  runTimers(until: number): void {
    for (const it of this.all) if (it.due !== null && it.due <= until) this.#page(it, it.due);
  }

  /** Asks Ann, who is on call. */
  #page(it: Modelled, at: number): void {
    Object.assign(it, { status: "open", isNotified: true, due: null });
    this.paged.push(`${at} ann`);
  }

  #start(it: Modelled, at: number, { pause }: Options): void {
    if (pause === 0) this.#page(it, at);
    else Object.assign(it, { status: "paused", due: at + pause });
  }

  fire(at: number, options: Options): void {
    const it = this.newest;
    if (it && it.status !== "resolved") return;
    if (!it || at >= it.reopenUntil) {
      const made: Modelled = {
        ...{ status: "open", acknowledgedBy: null, isNotified: false, due: null, reopenUntil: 0 },
      };
      this.all.push(made);
      this.#start(made, at, options);
      return;
    }
    if (!it.isNotified) this.#start(it, at, options);
    else if (it.acknowledgedBy === null) this.#page(it, at);
    else {
      Object.assign(it, { status: "open", due: at + ANSWER });
      this.paged.push(`${at} ${it.acknowledgedBy}`);
    }
  }

  heal(at: number, { reopen }: Options): void {
    const it = this.newest;
    if (!it || it.status === "resolved") return;
    // Whoever was asked again and has not answered has not acknowledged this time.
    if (it.status === "open") it.acknowledgedBy = null;
    Object.assign(it, {
      status: "resolved",
      due: null,
      reopenUntil: reopen === 0 ? 0 : at + reopen,
    });
  }

  answer(who: string): void {
    const it = this.newest;
    if (it?.status !== "open") return;
    Object.assign(it, { status: "answered", acknowledgedBy: who, due: null });
  }

  resolve(): void {
    const it = this.newest;
    if (it && it.status !== "paused" && it.status !== "resolved")
      Object.assign(it, { status: "resolved", due: null, reopenUntil: 0 });
  }
}

const STATUS = { paused: "queued", open: "open", answered: "acknowledged", resolved: "resolved" };

function play(options: Options, given: readonly Step[]) {
  const alerts = new Alerts();
  const model = new Model();
  let at = 0;
  for (const { type, wait } of given) {
    at += wait;
    for (const it of [alerts, model]) it.runTimers(at);
    switch (type) {
      case "fire":
        for (const it of [alerts, model]) it.fire(at, options);
        break;
      case "again":
        alerts.again(at);
        break;
      case "heal": {
        const until = T0 + (at + options.reopen) * MINUTE;
        const reopenUntil = options.reopen === 0 ? {} : { reopenUntil: until };
        alerts.send({ type: "resolve", by: SOURCE, ...reopenUntil }, at);
        model.heal(at, options);
        break;
      }
      case "resolved by ann":
        alerts.send({ type: "resolve", by: by("ann") }, at);
        model.resolve();
        break;
      default:
        alerts.send({ type: "acknowledge", by: by(type) }, at);
        model.answer(type);
    }
    const found = alerts.all.flatMap(({ alert }) => alert?.status ?? []);
    expect(found, `${type} at ${at}`).toEqual(model.all.map(({ status }) => STATUS[status]));
    expect(alerts.paged, `${type} at ${at}`).toEqual(model.paged);
  }
  return { alerts, model };
}

test("alerts that come and go page as the model does, with all options, and no delivery counts twice", () => {
  let reopened = 0;
  let silent = 0;
  fc.assert(
    fc.property(optionsOf, steps, (options, given) => {
      const { alerts } = play(options, given);
      const texts = alerts.all.flatMap(({ log }) => log.map(({ message }) => message));
      reopened += texts.filter((text) => text.includes("who had acknowledged")).length;
      silent += texts.filter((text) => text.startsWith("Nobody was notified")).length;
    }),
    { numRuns: sized(500, 10_000) },
  );
  expect(reopened).toBeGreaterThan(10);
  expect(silent).toBeGreaterThan(10);
});

describe("reopen_within", () => {
  test("asks who had acknowledged first, then the layer that was asked, and keeps the timeline", () => {
    const { alerts } = play({ pause: 0, reopen: 10 }, [
      { type: "fire", wait: 0 },
      { type: "bob", wait: 1 },
      { type: "heal", wait: 1 },
      { type: "fire", wait: 3 },
      { type: "again", wait: 5 },
    ]);
    expect(alerts.paged).toEqual(["0 ann", "5 bob", "10 ann"]);
    const [{ alert, log } = alerts.newest] = alerts.all;
    expect(alert).toMatchObject({ status: "open", dedupCount: 1, resolvedAt: null });
    expect(log.map(({ message }) => message)).toContain(
      "Fired again shortly after its sender resolved it: opened again",
    );
  });

  test("does not open what another Id, another integration or an event in a maintenance window repeats", () => {
    const { alerts } = play({ pause: 0, reopen: 10 }, [
      { type: "fire", wait: 0 },
      { type: "heal", wait: 1 },
    ]);
    const sequences = [(T0 + 2 * MINUTE) * 1_000];
    const source = { type: "Integration", id: "other", name: "Other", logId: "log" } as const;
    const maintenance = { at: T0 + 2 * MINUTE, until: T0 + DAY_MS };
    for (const more of [{ thirdpartyId: "other" }, { source }, { maintenance }]) {
      const command: Command = { type: "create", draft: draft([CREW], more), sequences };
      expect(alerts.newest.do(command, 2)).toMatchObject({ result: "finished" });
    }
  });
});
