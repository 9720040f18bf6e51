// Base of the objects with stored timers: sets the object's single alarm for the earliest one and
// ensures that the alarm is never lost. An integration's inbox does not use it: it schedules in
// memory, and its alarm only recovers from a crash.
import { DurableObject } from "cloudflare:workers";
import type { PersonTraces } from "../../domain/people/anonymize.ts";
import { anonymizeStorage } from "../people/anonymize-storage.ts";
import { retryDelay } from "./retry.ts";

/** What an object does by itself. A field, because even protected methods are callable over RPC. */
export type AlarmWork = {
  /** The earliest stored timer (epoch ms); null = none. */
  readonly nextAt: () => number | null;
  /** Does what is due. If it throws, it runs again after a back-off. */
  readonly run: () => Promise<void>;
  /** The log message if `run` throws. */
  readonly failure: string;
  /** Maximum back-off (ms), if shorter than the default. */
  readonly longestPauseMs?: number;
};

export abstract class AlarmObject extends DurableObject<Cloudflare.Env> {
  protected abstract readonly alarmWork: AlarmWork;
  /** Consecutive failures of `run`. */
  #failures = 0;
  /** No alarm fires before this instant (epoch ms): the back-off after a failure. */
  #notBefore = 0;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    ctx.waitUntil(this.#rearm());
  }

  /** Sets a missing or past-due alarm when the object wakes: a past-due alarm may not fire. */
  async #rearm(): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    const isLost = set === null ? this.#dueAt() !== null : set <= Date.now();
    if (isLost) await this.ctx.storage.setAlarm(this.#dueAt() ?? Date.now());
  }

  /** When the alarm should fire (epoch ms); null = never. */
  #dueAt(): number | null {
    const next = this.alarmWork.nextAt();
    if (next === null && this.#failures === 0) return null;
    return Math.max(Date.now(), this.#notBefore, next ?? 0);
  }

  /** Sets the alarm for the stored timers. Call it in the turn that stores them: one commit. */
  protected readonly arm = (): void => {
    const at = this.#dueAt();
    if (at === null) this.ctx.waitUntil(this.#updateAlarm());
    else void this.ctx.storage.setAlarm(at);
  };

  /** Sets the alarm unless it is already correct: each write is billed. */
  async #updateAlarm(): Promise<void> {
    const set = await this.ctx.storage.getAlarm();
    // Computed after the wait, to include what was stored during it.
    const at = this.#dueAt();
    if (at === set) return;
    if (at === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(at);
  }

  /** Removes an erased person's traces. Returns how many rows and values named them. */
  async anonymize(traces: PersonTraces): Promise<number> {
    return anonymizeStorage(this.ctx.storage, traces);
  }

  /** Runs what is due and sets the next alarm. Never throws: the platform drops failing alarms. */
  override async alarm(): Promise<void> {
    const { run, failure, longestPauseMs = Number.POSITIVE_INFINITY } = this.alarmWork;
    try {
      await run();
      this.#failures = 0;
      this.#notBefore = 0;
    } catch (error) {
      const object = this.ctx.id.name;
      console.error({ message: failure, object, error: String(error).slice(0, 200) });
      this.#notBefore = Date.now() + Math.min(retryDelay(this.#failures), longestPauseMs);
      this.#failures += 1;
    }
    await this.#updateAlarm();
  }
}
