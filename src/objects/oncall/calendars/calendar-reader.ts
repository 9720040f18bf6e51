// Base of the objects that read a calendar: regularly by alarm, and at once when asked. Readings of
// one calendar run one at a time. An attempt is stored before the calendar's text is read: one that
// ends the object, with everything beside it, is a failure of the calendar and is not repeated for
// hours. Members are fields for the reason given at `AlarmWork`.
import { HOUR } from "../../../domain/shared/time.ts";
import { AlarmObject, type AlarmWork } from "../../shared/alarm-object.ts";
import { earliest } from "../../shared/earliest.ts";
import type { CalendarReaderStub, WatchedCalendar } from "../../shared/rpc.ts";

/** Delay of the first reading (ms), if the caller that wrote the calendar does not ask for it. */
const FIRST_READING_MS = 5_000;

/** How long a calendar is not read after an attempt that ended the object (ms). */
const PAUSE_MS = 4 * HOUR;

/** Why such an attempt failed: a sentence without an end. */
export const INTERRUPTED = "the last reading did not end";

type Watch = WatchedCalendar & {
  /** When the calendar is to be read (epoch ms). */
  readonly nextAt: number;
};

export type ReadingRequest = WatchedCalendar & {
  /** Whether it is read completely, although its server may say that it is unchanged. */
  readonly complete: boolean;
  /** To be awaited before the calendar's text is read: counts the attempt. */
  readonly begin: (version: CalendarVersion) => Promise<void>;
  /** The attempt that ended the object, if any: that version is not read until then (epoch ms). */
  readonly died: { readonly version: CalendarVersion; readonly until: number } | null;
};

/** The calendar's `updated_at` (epoch ms): another one may have another source. */
type CalendarVersion = number;

type Attempt = {
  readonly version: CalendarVersion;
  /** Null while it runs. */
  readonly until: number | null;
};

/**
 * Until when a calendar is not read, since reading it ended the object (epoch ms); null: it may be.
 */
export function pauseOf(
  { died }: ReadingRequest,
  { updatedAt }: { readonly updatedAt: number },
): number | null {
  const isPaused = died !== null && died.version === updatedAt && died.until > Date.now();
  return isPaused ? died.until : null;
}

export abstract class CalendarReader extends AlarmObject implements CalendarReaderStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "calendar",
    failure: "the reading of a calendar is postponed",
    nextAt: () => earliest(this.#watch()?.nextAt ?? null, this.furtherTimer()),
    run: () => this.#run(),
  };
  #reading: Promise<void> = Promise.resolve();

  /** Reads the calendar once. Returns when to read it again (epoch ms); null: it was deleted. */
  protected abstract readonly read: (request: ReadingRequest) => Promise<number | null>;

  /** Another timer of the object (epoch ms), and what is done when any is due. */
  protected readonly furtherTimer: () => number | null = () => null;
  protected readonly furtherWork: () => Promise<void> = async () => {};

  /** Expects a calendar, before it is written: it is read even if its writer dies. */
  async expect(calendar: WatchedCalendar): Promise<void> {
    if (this.#watch() !== null) return;
    this.#store({ ...calendar, nextAt: Date.now() + FIRST_READING_MS });
    this.arm();
  }

  /** Reads the calendar now. Throws if D1 does; the calendar is read again later then. */
  async refresh(calendar: WatchedCalendar): Promise<void> {
    if (this.#watch() === null) await this.expect(calendar);
    await this.inTurn(() => this.#readOnce(calendar, true));
    await this.furtherWork();
  }

  async #run(): Promise<void> {
    const watch = this.#watch();
    if (watch !== null && watch.nextAt <= Date.now()) {
      await this.inTurn(() => this.#readOnce(watch, false));
    }
    await this.furtherWork();
  }

  /** Reads when no other reading runs. */
  protected readonly inTurn = <Result>(read: () => Promise<Result>): Promise<Result> => {
    const reading = this.#reading.then(read);
    this.#reading = reading.then(
      () => undefined,
      () => undefined,
    );
    return reading;
  };

  async #readOnce({ id, accountId }: WatchedCalendar, complete: boolean): Promise<void> {
    const { storage } = this.ctx;
    let isRunning = false;
    const begin = async (version: CalendarVersion) => {
      isRunning = true;
      storage.kv.put<Attempt>("attempt", { version, until: null });
      await storage.sync();
    };
    let nextAt: number | null;
    try {
      nextAt = await this.read({ id, accountId, complete, begin, died: this.#diedAttempt() });
    } finally {
      if (isRunning) storage.kv.delete("attempt");
    }
    if (nextAt === null) {
      await this.ctx.storage.deleteAlarm();
      await this.ctx.storage.deleteAll();
      this.forgetAlarm();
      return;
    }
    this.#store({ id, accountId, nextAt });
    this.arm();
  }

  /** An attempt that this object finds running is one of an object that died of it. */
  #diedAttempt(): ReadingRequest["died"] {
    const { kv } = this.ctx.storage;
    const attempt = kv.get<Attempt>("attempt");
    if (!attempt) return null;
    const died = { ...attempt, until: attempt.until ?? Date.now() + PAUSE_MS };
    kv.put<Attempt>("attempt", died);
    return died;
  }

  #watch(): Watch | null {
    return this.ctx.storage.kv.get<Watch>("watch") ?? null;
  }

  #store(watch: Watch): void {
    this.ctx.storage.kv.put("watch", watch);
  }
}
