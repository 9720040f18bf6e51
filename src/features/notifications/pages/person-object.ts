// A person's object: stores timers (the next stage of their notification rule, the release of
// deferred notifications, their weekly digest, browsers without a sign of life) and sends their messages to the queue when due. The queue's consumer
// decides who is reached and how. Calls no provider.

import {
  firstStageKey,
  messageKey,
  type PageMessage,
  type PageReport,
  releaseKey,
} from "../../../domain/notifications/page.ts";
import {
  type RepeatCallMessage,
  repeatCallKey,
} from "../../../domain/notifications/repeat-call.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { earliest } from "../../../kernel/objects/earliest.ts";
import { sendRows } from "../../../kernel/objects/outbox.ts";
import { OutboxTable, type TableRow } from "../../../kernel/objects/outbox-table.ts";
import { pagesQueue } from "../../../kernel/objects/pages-queue.ts";
import {
  findNextReadinessDigest,
  readinessMessage,
} from "../../reports/readiness/readiness-digest.ts";
import type { DigestWatch, PersonStub, Timer, WatchedPerson } from "../../rpc.ts";
import { alertObject } from "../../stubs.ts";
import { digestMessage, findNextDigest } from "./digest.ts";
import { findNextUnseen, unseenMessage } from "./unseen-push.ts";

type Recurring = {
  readonly findNext: typeof findNextDigest;
  readonly messageOf: typeof digestMessage;
};

/** The messages of which one follows another, by the key of the `DigestWatch`. */
const RECURRING: Readonly<Record<"digest" | "readiness" | "push", Recurring>> = {
  digest: { findNext: findNextDigest, messageOf: digestMessage },
  readiness: { findNext: findNextReadinessDigest, messageOf: readinessMessage },
  push: { findNext: findNextUnseen, messageOf: unseenMessage },
};
type RecurringKey = keyof typeof RECURRING;

const RECURRING_KEYS = ["digest", "readiness", "push"] as const satisfies readonly RecurringKey[];

/** The key of a timer, and the effect with which it ends; null: it ends by itself. */
function identify(message: Timer["message"]): { key: string; effectId: string | null } {
  if ("page" in message) return { key: messageKey(message), effectId: message.page.effectId };
  if ("release" in message) return { key: releaseKey(message.release), effectId: null };
  const { repeatCall } = message;
  return { key: repeatCallKey(repeatCall), effectId: repeatCall.page.effectId };
}

/** `effect`: the page that a timer ends with; null: it ends by itself. `message`: JSON. */
type TimerCells = { readonly effect: string | null; readonly message: string };

export class PersonObject extends AlarmObject implements PersonStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "person",
    failure: "a person's timers are postponed",
    nextAt: () => this.#nextAt(),
    run: async () => {
      for (const key of RECURRING_KEYS) await this.#addDigest(key);
      await this.#sendDue();
    },
  };

  readonly #timers = new OutboxTable<TimerCells>(this.ctx.storage, {
    ...{ name: "timers", key: "key", columns: ["effect", "message"] },
  });

  /** Stores timers; existing ones are unchanged. */
  async expect(timers: readonly Timer[]): Promise<void> {
    this.#timers.add(
      timers.map(({ at, message }) => {
        const { key, effectId } = identify(message);
        return { key, at, effect: effectId, message: JSON.stringify(message) };
      }),
    );
    this.arm();
  }

  /** Finds the next recurring messages after a change of whether or when the person gets them. */
  async watch(person: WatchedPerson): Promise<void> {
    for (const key of RECURRING_KEYS) {
      // One that is due is sent first: the next one would take its place.
      await this.#addDigest(key);
      this.#setDigest(key, await RECURRING[key].findNext(this.env, person, Date.now()));
    }
    this.arm();
  }

  /** Deletes the messages of this object whose attempts the consumer has recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    await this.done(reports.map(({ effectId }) => firstStageKey(effectId)));
  }

  /** Adds a recurring message that is due to the timers, and stores when the next one is due. */
  async #addDigest(key: RecurringKey): Promise<void> {
    const due = this.#digest(key);
    const now = Date.now();
    if (due === null || due.at > now) return;
    const message = await RECURRING[key].messageOf(this.env, due, now);
    const next = await RECURRING[key].findNext(this.env, due, now);
    // The setting changed meanwhile.
    if (this.#digest(key)?.at !== due.at) return;
    this.#setDigest(key, next);
    if (message !== null) await this.expect([{ at: now, message }]);
  }

  #digest(key: RecurringKey): DigestWatch | null {
    return this.ctx.storage.kv.get<DigestWatch>(key) ?? null;
  }

  #setDigest(key: RecurringKey, watch: DigestWatch | null): void {
    if (watch !== null) this.ctx.storage.kv.put(key, watch);
    else if (this.#digest(key) !== null) this.ctx.storage.kv.delete(key);
  }

  /** Deletes timers whose messages the consumer has processed. */
  async done(keys: readonly string[]): Promise<void> {
    if (this.#timers.nextAt() === null) return;
    this.#timers.confirm(keys);
    this.arm();
  }

  /** Sends due messages to the queue; they are due again unless `done` is called in time. */
  async #sendDue(): Promise<void> {
    const due = this.#timers.due(Date.now());
    const areWanted = await Promise.all(due.map((row) => this.#isWanted(row)));
    const wanted = due.filter((_, i) => areWanted[i]);
    if (wanted.length === 0) return;
    const sending = { store: this.#timers, queue: pagesQueue(this.env), arm: this.arm };
    const messagesOf = (rows: readonly TimerCells[]) => rows.map((it) => JSON.parse(it.message));
    await sendRows({ ...sending, messagesOf }, wanted);
  }

  /**
   * Whether the alert still waits for this person's answer, according to its object. If not,
   * deletes the page's timers. Throws if the alert cannot be asked, so that it is asked again.
   */
  async #isWanted({ message }: TableRow<TimerCells>): Promise<boolean> {
    const { page, alert, repeatCall } = JSON.parse(message) as Partial<
      PageMessage & RepeatCallMessage
    >;
    const asked = repeatCall?.page ?? page;
    const alertId = repeatCall?.alertId ?? alert?.id;
    if (!asked || !alertId) return true;
    if (await alertObject(this.env, prefixIdOf("alert", alertId)).asks(asked)) return true;
    this.#timers.withdraw("effect", asked.effectId);
    return false;
  }

  #nextAt(): number | null {
    const digestAt = earliest(...RECURRING_KEYS.map((key) => this.#digest(key)?.at ?? null));
    return earliest(digestAt, this.#timers.nextAt());
  }
}
