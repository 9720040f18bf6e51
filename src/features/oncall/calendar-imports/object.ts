// The object of a calendar import: reads its calendar every hour, and tells the team's admins once
// when that fails for a day. It stores when it reads next, and the notices that are not confirmed.

import type { PageMessage, PageReport } from "../../../domain/notifications/page.ts";
import { type OutboxRow, rescheduled, sendDue } from "../../../kernel/objects/outbox.ts";
import { pagesQueue } from "../../../kernel/objects/pages-queue.ts";
import type { CalendarImportStub, PreviewedImport } from "../../rpc.ts";
import { CalendarReader } from "./calendar-reader.ts";
import { previewReading } from "./preview-reading.ts";
import { readImport } from "./read-import.ts";

type Notice = OutboxRow & { readonly message: PageMessage };

const idOf = ({ message }: Notice): string => message.page.effectId;

export class CalendarImportObject extends CalendarReader implements CalendarImportStub {
  protected override readonly read = (request: Parameters<typeof readImport>[1]) =>
    readImport(this.env, request, (...failure) => this.#expectNotices(...failure));

  protected override readonly furtherTimer = () => {
    const [first] = this.#notices().sort((one, other) => one.nextAt - other.nextAt);
    return first?.nextAt ?? null;
  };

  /** Sends due notices to the queue; they stay stored until the consumer confirms them. */
  protected override readonly furtherWork = (): Promise<void> =>
    sendDue<Notice>({
      store: {
        due: (now) => this.#notices().filter(({ nextAt }) => nextAt <= now),
        update: (rows) => this.#store(rescheduled(this.#notices(), rows, idOf)),
      },
      ...{ queue: pagesQueue(this.env), arm: this.arm },
      messagesOf: (rows) => rows.map(({ message }) => message),
    });

  /** What a reading would change; nothing is stored. Throws if D1 does. */
  preview(source: PreviewedImport): ReturnType<typeof previewReading> {
    return this.inTurn(() => previewReading(this.env, source));
  }

  /** Removes notices whose attempts the consumer has recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    const done = new Set(reports.map(({ effectId }) => effectId));
    this.#store(this.#notices().filter((it) => !done.has(idOf(it))));
    this.arm();
  }

  /** Once for each `failingSince`: the failures of the following days are the same. */
  #expectNotices(messages: readonly PageMessage[], failingSince: number): void {
    if (this.ctx.storage.kv.get<number>("toldOf") === failingSince) return;
    const nextAt = Date.now();
    this.ctx.storage.kv.put("toldOf", failingSince);
    this.#store([
      ...this.#notices(),
      ...messages.map((message) => ({ message, attempts: 0, nextAt })),
    ]);
  }

  #notices(): Notice[] {
    return this.ctx.storage.kv.get<Notice[]>("notices") ?? [];
  }

  #store(notices: readonly Notice[]): void {
    if (notices.length === 0) this.ctx.storage.kv.delete("notices");
    else this.ctx.storage.kv.put("notices", notices);
  }
}
