// Base of the objects that read a calendar: regularly by alarm, and at once when asked. Readings of
// one calendar run one at a time. An attempt is stored before the calendar's text is read: one that
// ends the object, with everything beside it, is a failure of the calendar and is not repeated for
// hours. Members are fields for the reason given at `AlarmWork`.
import { HOUR } from "../../../domain/shared/time.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { earliest } from "../../../kernel/objects/earliest.ts";
import { SerialQueue } from "../../../kernel/objects/serial-queue.ts";
import type { CalendarReaderStub, WatchedCalendar } from "../../rpc.ts";
import type { CalendarVersion, ReadingRequest } from "./reading-request.ts";

/** Delay of the first reading (ms), if the caller that wrote the calendar does not ask for it. */
const FIRST_READING_MS = 5_000;

/** How long a calendar is not read after an attempt that ended the object (ms). */
const PAUSE_MS = 4 * HOUR;

type Watch = WatchedCalendar & {
  /** When the calendar is to be read (epoch ms). */
  readonly nextAt: number;
};

type Attempt = {
  readonly version: CalendarVersion;
  /** Null while it runs. */
  readonly until: number | null;
};

export abstract class CalendarReader extends AlarmObject implements CalendarReaderStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "calendar",
    failure: "the reading of a calendar is postponed",
    nextAt: () => earliest(this.#watch()?.nextAt ?? null, this.furtherTimer()),
    run: () => this.#run(),
  };
  readonly #readings = new SerialQueue();

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
  protected readonly inTurn = <Result>(read: () => Promise<Result>): Promise<Result> =>
    this.#readings.run(read);

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
