// Durable Objects in Node: the classes of `src`, one instance per name, called asynchronously with copies.
import { createHash, randomBytes } from "node:crypto";
import { beginContext, type Context, endContext, runIn, takeTurn } from "./context.ts";
import { Storage, StoredState } from "./storage.ts";

// Of the real clock, whatever the tests do to it.
const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
const realNow = Date.now;

/** An alarm that throws is repeated so often, after twice the time each (ms). */
const ALARM_RETRIES = 6;
const FIRST_RETRY_MS = 2_000;
/** The longest time that a timer takes (ms). */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Instance = Record<string, (...parameters: unknown[]) => unknown>;
type Constructor = new (state: unknown, env: unknown) => Instance;

/** What objects see of the worker that they belong to. */
export type Surroundings = {
  readonly env: () => unknown;
  readonly exports: unknown;
  /** The class of this name, of the worker's entrance. */
  readonly classNamed: (name: string) => Promise<Constructor>;
};

export class ObjectId {
  readonly #hex: string;
  readonly name: string | undefined;

  constructor(hex: string, name?: string) {
    this.#hex = hex;
    this.name = name;
  }

  toString(): string {
    return this.#hex;
  }

  equals(other: ObjectId): boolean {
    return other.toString() === this.#hex;
  }
}

/** An error as the caller of another context gets it. */
function remote(error: unknown): unknown {
  if (!(error instanceof Error)) return structuredClone(error);
  return Object.assign(structuredClone(error), { ...error, remote: true });
}

/** An object in memory. */
type Awake = {
  readonly instance: Instance;
  readonly state: unknown;
  readonly context: Context;
  /** Ends calls under way. */
  readonly fail: (error: Error) => void;
  readonly failed: Promise<never>;
};

/** An object: what it has stored, and while it is in memory, its instance. */
class Slot {
  readonly id: ObjectId;
  readonly #className: string;
  readonly #surroundings: Surroundings;
  stored = new StoredState();
  #awake: Promise<Awake> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #alarmFailures = 0;
  #isFiring = false;

  constructor(id: ObjectId, className: string, surroundings: Surroundings) {
    this.id = id;
    this.#className = className;
    this.#surroundings = surroundings;
  }

  async #wake(): Promise<Awake> {
    const { env, exports, classNamed } = this.#surroundings;
    const Class = await classNamed(this.#className);
    const context = beginContext();
    const { stored } = this;
    const storage = new Storage(
      () => stored,
      () => {
        if (!context.ended) this.#setTimer();
      },
    );
    let ready: Promise<unknown> = Promise.resolve();
    let fail: (error: Error) => void = () => {};
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    failed.catch(() => {});
    const state = {
      id: this.id,
      storage,
      exports,
      props: {},
      waitUntil: (work: Promise<unknown>) => void Promise.resolve(work).catch(() => {}),
      blockConcurrencyWhile: (work: () => Promise<unknown>) => {
        const done = ready.then(work);
        ready = done;
        return done;
      },
      abort: (reason?: string) => {
        const error = new Error(reason ?? "Application called abort() to reset Durable Object.");
        this.evict(error);
        throw error;
      },
      getWebSockets: () => [],
      setWebSocketAutoResponse: () => {},
    };
    const instance = runIn(context, () => new Class(state, env()));
    await ready;
    return { instance, state, context, fail, failed };
  }

  /** The instance, which is created where there is none. */
  async awake(): Promise<Awake> {
    this.#awake ??= this.#wake();
    const begun = this.#awake;
    return begun.catch((error: unknown) => {
      if (this.#awake === begun) this.#awake = null;
      throw error;
    });
  }

  /** Runs work on the instance. */
  async run<Result>(work: (awake: Awake) => Result | Promise<Result>): Promise<Result> {
    const awake = await this.awake();
    const done = (async () => runIn(awake.context, () => work(awake)))();
    return Promise.race([done, awake.failed]);
  }

  async call(name: string, parameters: readonly unknown[]): Promise<unknown> {
    const sent = structuredClone(parameters);
    await takeTurn();
    const answer = await this.run(async ({ instance }) => {
      try {
        // Fields are no methods, even if they are functions.
        if (Object.hasOwn(instance, name) || typeof instance[name] !== "function") {
          throw new TypeError(`The RPC receiver does not implement "${name}".`);
        }
        return { value: structuredClone(await instance[name](...sent)) };
      } catch (error) {
        return { error: remote(error) };
      }
    });
    await takeTurn();
    if ("error" in answer) throw answer.error;
    return answer.value;
  }

  /** Removes the object from memory; what it still does is without effect. */
  evict(error: Error = new Error("The object was evicted.")): void {
    const begun = this.#awake;
    this.#awake = null;
    this.stored = this.stored.copy();
    begun?.then(
      ({ context, fail }) => {
        fail(Object.assign(error, { remote: true }));
        endContext(context);
      },
      () => {},
    );
  }

  #setTimer(): void {
    clearTimer(this.#timer);
    const { alarm } = this.stored;
    // An alarm that is set by the alarm's own handler waits for its end.
    if (alarm === null || this.#isFiring) return;
    const after = Math.min(Math.max(0, alarm - realNow()), LONGEST_TIMER_MS);
    this.#timer = setTimer(() => void this.#fire(), after);
    this.#timer.unref();
  }

  async #fire(): Promise<void> {
    const { alarm } = this.stored;
    if (alarm === null) return;
    if (alarm <= realNow()) {
      this.stored.alarm = null;
      this.#isFiring = true;
      await this.#handleAlarm();
      this.#isFiring = false;
    }
    this.#setTimer();
  }

  async #handleAlarm(): Promise<void> {
    try {
      await this.run(({ instance }) => instance.alarm?.({ retryCount: this.#alarmFailures }));
      this.#alarmFailures = 0;
    } catch {
      if (this.#alarmFailures >= ALARM_RETRIES) return;
      this.stored.alarm ??= realNow() + FIRST_RETRY_MS * 2 ** this.#alarmFailures;
      this.#alarmFailures += 1;
    }
  }

  /** Ends the object and its alarm, with all that it has stored. */
  end(): void {
    clearTimer(this.#timer);
    this.#awake?.then(
      ({ context }) => endContext(context),
      () => {},
    );
  }
}

/** Methods that a stub has of its own. */
class Stub {
  readonly id: ObjectId;

  constructor(id: ObjectId) {
    this.id = id;
  }

  get name(): string | undefined {
    return this.id.name;
  }
}

const slots = new WeakMap<object, () => Slot>();

/** The object that a stub calls. */
export function slotOf(stub: object): Slot {
  const slotAt = slots.get(stub);
  if (slotAt === undefined) throw new TypeError("not a stub of an object");
  return slotAt();
}

function newStub(slotAt: () => Slot, id: ObjectId): object {
  const own = new Stub(id);
  const methods = new Map<string, unknown>();
  const stub = new Proxy(own, {
    get(target, name, receiver) {
      if (typeof name === "symbol" || name in target || name === "then") {
        return Reflect.get(target, name, receiver);
      }
      const method = methods.get(name) ?? ((...sent: unknown[]) => slotAt().call(name, sent));
      methods.set(name, method);
      return method;
    },
  });
  slots.set(stub, slotAt);
  return stub;
}

/** The objects of one class. */
export class Namespace {
  readonly #className: string;
  readonly #surroundings: Surroundings;
  readonly #slots = new Map<string, Slot>();

  constructor(className: string, surroundings: Surroundings) {
    this.#className = className;
    this.#surroundings = surroundings;
  }

  idFromName(name: string): ObjectId {
    const hex = createHash("sha256").update(`${this.#className}:${name}`).digest("hex");
    return new ObjectId(hex, name);
  }

  idFromString(hex: string): ObjectId {
    return this.#slots.get(hex)?.id ?? new ObjectId(hex);
  }

  newUniqueId(): ObjectId {
    return new ObjectId(randomBytes(32).toString("hex"));
  }

  get(id: ObjectId): object {
    const hex = id.toString();
    return newStub(() => {
      const slot = this.#slots.get(hex) ?? new Slot(id, this.#className, this.#surroundings);
      this.#slots.set(hex, slot);
      return slot;
    }, id);
  }

  getByName(name: string): object {
    return this.get(this.idFromName(name));
  }

  /** There is one jurisdiction. */
  jurisdiction(): Namespace {
    return this;
  }

  /** Those of its objects that have stored something, without their names. */
  stored(): ObjectId[] {
    const stored = [...this.#slots].filter(([, { stored }]) => !stored.isEmpty);
    return stored.map(([hex]) => new ObjectId(hex));
  }

  evictAll(): void {
    for (const slot of this.#slots.values()) slot.evict();
  }

  reset(): void {
    for (const slot of this.#slots.values()) slot.end();
    this.#slots.clear();
  }
}
