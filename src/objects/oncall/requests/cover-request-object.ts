// The object of a request for cover: notifies people of it, each notice once, and ends it exactly
// when it expires. The request itself is stored in D1, where a transaction decides who gets it; the
// object reads it again for each step. It is told of changes by `on_call_changes`, so that none is
// lost.
import { readNoticeRecipients } from "../../../db/oncall/notices/notice-recipient-rows.ts";
import { readRequestOnTime } from "../../../db/oncall/requests/open-request.ts";
import type { PageReport } from "../../../domain/alerts/notifications/page.ts";
import { noticeKey, noticesDue } from "../../../domain/oncall/requests/request-notices.ts";
import { AlarmObject, type AlarmWork } from "../../shared/alarm-object.ts";
import { earliest } from "../../shared/earliest.ts";
import type { CoverRequestStub, WatchedRequest } from "../../shared/rpc.ts";
import { PageOutbox } from "../page-outbox.ts";
import { requestPage } from "./request-pages.ts";

/** What is stored while the request is open, or pages are not confirmed. */
type Watch = WatchedRequest & {
  /** When the request expires (epoch ms); null: it is over. */
  readonly expiresAt: number | null;
  /** The keys of the notices that were sent. */
  readonly sent: readonly string[];
};

/** The key of the `Watch`. */
const WATCH = "watch";

export class CoverRequestObject extends AlarmObject implements CoverRequestStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "cover_request",
    failure: "a cover request is postponed",
    nextAt: () => earliest(this.#read()?.expiresAt ?? null, this.#outbox.nextAt()),
    run: () => this.#run(),
  };
  readonly #outbox = new PageOutbox(this.ctx.storage);
  #working: Promise<void> = Promise.resolve();

  /** Looks at the request after it was created, answered or changed. Throws if D1 does. */
  async refresh(request: WatchedRequest): Promise<void> {
    await this.#serially(() => this.#look(request));
    await this.#sendPages();
  }

  /** Removes pages whose attempts the consumer has recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    this.#outbox.confirm(reports.map((report) => report.effectId));
    this.#deleteIfDone();
    this.arm();
  }

  async #run(): Promise<void> {
    await this.#serially(async () => {
      const watch = this.#read();
      const isDue = watch !== null && watch.expiresAt !== null && watch.expiresAt <= Date.now();
      if (isDue) await this.#look(watch);
    });
    await this.#sendPages();
  }

  /** Works one step at a time: what is read before a commit must not be committed after it. */
  #serially(run: () => Promise<void>): Promise<void> {
    const work = this.#working.then(run);
    this.#working = work.catch(() => undefined);
    return work;
  }

  #read(): Watch | null {
    return this.ctx.storage.kv.get<Watch>(WATCH) ?? null;
  }

  /** Compares the request in D1 with what its people were told, and stores the rest as pages. */
  async #look({ id, accountId }: WatchedRequest): Promise<void> {
    const request = await readRequestOnTime(this.env.DB, { id, accountId }, Date.now());
    if (request === null) return this.#deleteAll();
    const sent = new Set(this.#read()?.sent);
    const due = noticesDue(request, sent);
    const people = due.map(({ accountUserId }) => accountUserId);
    const recipients = await readNoticeRecipients(this.env.DB, accountId, people);
    const pages = due.flatMap((notice) => {
      const person = recipients.get(notice.accountUserId);
      return person ? [requestPage(accountId, request, notice, person)] : [];
    });
    const expiresAt = request.status === "open" ? request.expiresAt : null;
    const keys = [...sent, ...due.map(noticeKey)];
    this.ctx.storage.transactionSync(() => {
      this.ctx.storage.kv.put<Watch>(WATCH, { id, accountId, expiresAt, sent: keys });
      this.#outbox.add(pages);
    });
    this.#deleteIfDone();
    this.arm();
  }

  /** Sends pages to the queue; they stay stored until the consumer confirms them. */
  #sendPages(): Promise<void> {
    return this.#outbox.send(this.env.PAGES, Date.now(), this.arm);
  }

  /** Nothing is stored of a request that is over, once everybody was told. */
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
