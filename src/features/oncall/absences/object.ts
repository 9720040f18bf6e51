// The object of an absence that asks: notifies people of it, each notice once, and ends the asking
// exactly when it expires. The absence itself is stored in D1, where a transaction decides who gets it;
// the object reads it again for each step. It is told of changes by `on_call_changes`, so that none is
// lost. Its class has the name of the record of former versions: the storage of an object depends on it.

import type { PageReport } from "../../../domain/notifications/page.ts";
import { noticeKey, noticesDue } from "../../../domain/oncall/absences/asking-notices.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch } from "../../../kernel/db/select.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { earliest } from "../../../kernel/objects/earliest.ts";
import { pagesQueue } from "../../../kernel/objects/pages-queue.ts";
import { SerialQueue } from "../../../kernel/objects/serial-queue.ts";
import type { AbsenceStub, WatchedAbsence } from "../../rpc.ts";
import { readNoticeRecipients } from "../notices/notice-recipient-rows.ts";
import { PageOutbox } from "../notices/page-outbox.ts";
import { askingPage } from "./asking-pages.ts";
import { expireAsking } from "./asking-writes.ts";
import { type AskingAbsence, askingOf, roundOf, selectStoredAbsence } from "./stored-absences.ts";

/**
 * Reads an absence for which people are or were asked, once it has noted that nobody accepted in time,
 * if so; null: there is none.
 */
async function readAskingOnTime(
  db: Connection,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  now: number,
): Promise<AskingAbsence | null> {
  const [, [absence]] = await batch(db, [
    expireAsking(accountId, id, now),
    selectStoredAbsence(accountId, { form: "id", value: id }),
  ]);
  return askingOf(absence);
}

/** What is stored while people are asked, or pages are not confirmed. */
type Watch = WatchedAbsence & {
  /** When the asking expires (epoch ms); null: it is over. */
  readonly expiresAt: number | null;
  /** The keys of the notices that were sent. */
  readonly sent: readonly string[];
  /** The absence as it was read last, while people are asked: should it be deleted, they are told. */
  readonly open?: AskingAbsence | undefined;
};

/** The key of the `Watch`. */
const WATCH = "watch";

/** An absence that was deleted while people were asked. */
const takenBack = (absence: AskingAbsence | undefined, now: number): AskingAbsence | null =>
  absence ? { ...absence, asking: { ...absence.asking, status: "cancelled", endedAt: now } } : null;

export class CoverRequestObject extends AlarmObject implements AbsenceStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "absence",
    failure: "an absence is postponed",
    nextAt: () => earliest(this.#read()?.expiresAt ?? null, this.#outbox.nextAt()),
    run: () => this.#run(),
  };
  readonly #outbox = new PageOutbox(this.ctx.storage);
  /** What is read before a commit must not be committed after it. */
  readonly #steps = new SerialQueue();

  /** Looks at the absence after it was created, answered or changed. Throws if D1 does. */
  async refresh(absence: WatchedAbsence): Promise<void> {
    await this.#steps.run(() => this.#checkAbsence(absence));
    await this.#sendPages();
  }

  /** Removes pages whose attempts the consumer has recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    this.#outbox.confirm(reports.map((report) => report.effectId));
    this.#deleteIfDone();
    this.arm();
  }

  async #run(): Promise<void> {
    await this.#steps.run(async () => {
      const watch = this.#read();
      const isDue = watch !== null && watch.expiresAt !== null && watch.expiresAt <= Date.now();
      if (isDue) await this.#checkAbsence(watch);
    });
    await this.#sendPages();
  }

  #read(): Watch | null {
    return this.ctx.storage.kv.get<Watch>(WATCH) ?? null;
  }

  /** Compares the absence in D1 with what its people were told, and stores the rest as pages. */
  async #checkAbsence({ id, accountId }: WatchedAbsence): Promise<void> {
    const watch = this.#read();
    const read = await readAskingOnTime(this.env.DB, { id, accountId }, Date.now());
    const absence = read ?? takenBack(watch?.open, Date.now());
    if (absence === null) return this.#finish(watch);
    const { asking, accountUserId } = absence;
    const sent = new Set(watch?.sent);
    const due = noticesDue({ ...asking, accountUserId, round: roundOf(absence) }, sent);
    const people = due.map(({ accountUserId }) => accountUserId);
    const recipients = await readNoticeRecipients(this.env.DB, accountId, people);
    const pages = due.flatMap((notice) => {
      const person = recipients.get(notice.accountUserId);
      return person ? [askingPage(accountId, absence, notice, person)] : [];
    });
    const isOpen = asking.status === "open";
    const expiresAt = isOpen ? asking.expiresAt : null;
    const keys = [...sent, ...due.map(noticeKey)];
    this.ctx.storage.transactionSync(() => {
      this.ctx.storage.kv.put<Watch>(WATCH, {
        ...{ id, accountId, expiresAt, sent: keys },
        open: isOpen ? absence : undefined,
      });
      this.#outbox.add(pages);
    });
    this.#deleteIfDone();
    this.arm();
  }

  /** Sends pages to the queue; they stay stored until the consumer confirms them. */
  #sendPages(): Promise<void> {
    return this.#outbox.send(pagesQueue(this.env), this.arm);
  }

  /** Nothing more is to be told; pages that are not confirmed are still sent. */
  #finish(watch: Watch | null): void {
    if (watch) {
      this.ctx.storage.kv.put<Watch>(WATCH, { ...watch, expiresAt: null, open: undefined });
    }
    if (watch === null || this.#outbox.nextAt() === null) this.#deleteAll();
    else this.arm();
  }

  /** Nothing is stored of an asking that is over, once everybody was told. */
  #deleteIfDone(): void {
    const watch = this.#read();
    const isDone = watch !== null && watch.expiresAt === null && this.#outbox.nextAt() === null;
    if (isDone) this.#deleteAll();
  }

  #deleteAll(): void {
    this.ctx.storage.kv.delete(WATCH);
    this.forgetAlarm();
    void this.ctx.storage.deleteAlarm();
    void this.ctx.storage.deleteAll();
  }
}
