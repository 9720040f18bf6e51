// Base of the objects with stored timers: sets the object's single alarm for the earliest one and
// ensures that the alarm is never lost. An integration's inbox does not use it: it schedules in
// memory, and its alarm only recovers from a crash.
import type { PersonTraces } from "../../domain/shared/anonymize.ts";
import { logFault } from "../db/log-fault.ts";
import { countFailure } from "../metrics/count-failure.ts";
import { anonymizeStorage } from "./anonymize-storage.ts";
import { BackedUpObject } from "./backed-up-object.ts";
import { retryDelay } from "./retry.ts";

/** What an object does by itself. A field, because even protected methods are callable over RPC. */
export type AlarmWork = {
  /** The earliest stored timer (epoch ms); null = none. */
  readonly nextAt: () => number | null;
  /** Does what is due. If it throws, it runs again after a back-off. */
  readonly run: () => Promise<void>;
  /** The kind of object, for the metrics of failures. */
  readonly kind: string;
  /** The log message if `run` throws. */
  readonly failure: string;
  /** Maximum back-off (ms), if shorter than the default. */
  readonly longestPauseMs?: number;
};

export abstract class AlarmObject extends BackedUpObject {
  protected abstract readonly alarmWork: AlarmWork;
  /** Consecutive failures of `run`. */
  #failures = 0;
  /** No alarm fires before this instant (epoch ms): the back-off after a failure. */
  #notBefore = 0;
  /** What the alarm is set for, as far as is known since the object woke (epoch ms). */
  #alarmAt: number | null = null;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    ctx.waitUntil(this.#rearm());
  }

  /** Sets a missing or past-due alarm when the object wakes: a past-due alarm may not fire. */
  async #rearm(): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    const isLost = set === null ? this.#dueAt() !== null : set <= Date.now();
    if (isLost) await this.#setAlarm(this.#dueAt() ?? Date.now());
    else this.#alarmAt ??= set;
  }

  #setAlarm(at: number): Promise<void> {
    this.#alarmAt = at;
    return this.ctx.storage.setAlarm(at);
  }

  /** When the alarm should fire (epoch ms); null = never. */
  #dueAt(): number | null {
    const next = this.alarmWork.nextAt();
    if (next === null && this.#failures === 0) return null;
    return Math.max(Date.now(), this.#notBefore, next ?? 0);
  }

  /**
   * Ensures that the alarm fires when the next stored timer is due. Call it in the turn that stores
   * the timer: one commit. An alarm that is set for an earlier time is left, since each setting is
   * billed: it fires, and sets the next one.
   */
  protected readonly arm = (): void => {
    const at = this.#dueAt();
    const isSet = this.#alarmAt !== null && this.#alarmAt > Date.now();
    if (at === null || (isSet && Number(this.#alarmAt) <= at)) return;
    void this.#setAlarm(at);
  };

  /**
   * Puts off an alarm before which nothing is due any more: it would fire only to be set again. Call it in a turn
   * that commits in any case.
   */
  protected readonly putOff = (): void => {
    const [set, at] = [this.#alarmAt, this.#dueAt()];
    // One that is due may already be on its way.
    if (set === null || set <= Date.now() || at === null || at <= set) return;
    void this.#setAlarm(at);
  };

  /** To be called when the object's storage, and with it the alarm, is deleted. */
  protected readonly forgetAlarm = (): void => {
    this.#alarmAt = null;
  };

  /** Removes an erased person's traces. Returns how many rows and values named them. */
  async anonymize(traces: PersonTraces): Promise<number> {
    return anonymizeStorage(this.ctx.storage, traces);
  }

  /** Runs what is due and sets the next alarm. Never throws: the platform drops failing alarms. */
  override async alarm(): Promise<void> {
    const { run, kind, failure, longestPauseMs = Number.POSITIVE_INFINITY } = this.alarmWork;
    this.#alarmAt = null;
    try {
      await run();
      this.#failures = 0;
      this.#notBefore = 0;
    } catch (error) {
      const object = this.ctx.id.name;
      countFailure(this.ctx, this.env, kind);
      logFault(failure, error, { object });
      this.#notBefore = Date.now() + Math.min(retryDelay(this.#failures), longestPauseMs);
      this.#failures += 1;
    }
    this.arm();
  }
}
