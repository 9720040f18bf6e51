// Base of the objects that read a calendar: regularly by alarm, and at once when asked. Readings of
// one calendar run one at a time. Members are fields for the reason given at `AlarmWork`.
import { AlarmObject, type AlarmWork } from "../../shared/alarm-object.ts";
import { earliest } from "../../shared/earliest.ts";
import type { CalendarReaderStub, WatchedCalendar } from "../../shared/rpc.ts";

/** Delay of the first reading (ms), if the caller that wrote the calendar does not ask for it. */
const FIRST_READING_MS = 5_000;

type Watch = WatchedCalendar & {
  /** When the calendar is to be read (epoch ms). */
  readonly nextAt: number;
};

export type ReadingRequest = WatchedCalendar & {
  /** Whether it is read completely, although its server may say that it is unchanged. */
  readonly complete: boolean;
};

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
    await this.#readInTurn({ ...calendar, complete: true });
    await this.furtherWork();
  }

  async #run(): Promise<void> {
    const watch = this.#watch();
    if (watch !== null && watch.nextAt <= Date.now()) {
      await this.#readInTurn({ ...watch, complete: false });
    }
    await this.furtherWork();
  }

  #readInTurn(request: ReadingRequest): Promise<void> {
    const reading = this.#reading.then(() => this.#readOnce(request));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #readOnce(request: ReadingRequest): Promise<void> {
    const nextAt = await this.read(request);
    if (nextAt === null) {
      await this.ctx.storage.deleteAlarm();
      await this.ctx.storage.deleteAll();
      this.forgetAlarm();
      return;
    }
    const { id, accountId } = request;
    this.#store({ id, accountId, nextAt });
    this.arm();
  }

  #watch(): Watch | null {
    return this.ctx.storage.kv.get<Watch>("watch") ?? null;
  }

  #store(watch: Watch): void {
    this.ctx.storage.kv.put("watch", watch);
  }
}
