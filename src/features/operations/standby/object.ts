// A standby: holds the events of senders, pulls snapshots of its primary, and takes over when that is gone. At a
// primary the same object remembers its standby. There is one of it; without a standby nobody calls it.
import {
  afterQuestion,
  afterSight,
  decideStandby,
  isReminderDue,
  NEW_STANDBY,
  questionDue,
  type StandbyQuestion,
  type StandbyState,
  standDown,
  takeOver,
} from "../../../domain/operations/standby.ts";
import type {
  DrilledAccount,
  DueDrill,
  StandbyCard,
  StandbyDeed,
} from "../../../domain/operations/standby-drill.ts";
import { isRefusal, refuse } from "../../../domain/shared/refusal.ts";
import { MINUTE, SECOND } from "../../../domain/shared/time.ts";
import { newDatedId } from "../../../kernel/db/identifiers.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { SlicedValue } from "../../../kernel/objects/sliced-value.ts";
import type { ForwardedRequest, ReceiveResult, StandbyReport, StandbyStub } from "../../rpc.ts";
import { type BackupKeys, backupKeys, isBackupKey } from "../backup/backup-seal.ts";
import { readAnswers, type StandbyAnswer } from "./answers.ts";
import { askAdmins } from "./ask-admins.ts";
import { askPrimary } from "./ask-primary.ts";
import { deliverHeld } from "./deliver-held.ts";
import { StandbyDrills } from "./drills.ts";
import { HeldEvents } from "./held-events.ts";
import { KnownStandbys } from "./known-standbys.ts";
import { lookAround } from "./look-around.ts";
import type { SnapshotAnswer } from "./snapshot.ts";
import { SnapshotStorage } from "./snapshot-storage.ts";
import { wipe } from "./wipe.ts";

const NO_SNAPSHOT = refuse("unavailable", "the standby does not know the integration yet");
const FULL = refuse("overloaded", "too many events wait; send it again");

/** How many questions long a sender has to reach the primary too, before its event is given on. */
const GRACE = 2;

/** How often the primary is asked, unless the settings say so. */
const DEFAULT_SECONDS = 20;

/** How many of its deeds a standby remembers. */
const MOST_DEEDS = 10;

/** How many answers of the primary in a row what people answered is kept for it. */
const LONGEST_KEPT = 100;

/**
 * What is in the database and the objects: nothing, or the snapshot, or of that the settings alone, with which
 * it can page but nothing happens by itself; or what is on the way.
 */
type Contents = "empty" | "restoring" | "restored" | "restoring_settings" | "settings" | "emptying";

type Stored = StandbyState & {
  readonly contents: Contents;
  /** The keys of the answers that the primary has, of this take-over. */
  readonly given: readonly string[];
  /** What it did last, the latest first. */
  readonly deeds: readonly StandbyDeed[];
};

const NEVER: Stored = {
  ...NEW_STANDBY,
  ...{ contents: "empty", given: [], deeds: [] },
};

/** Logged of a question that failed. */
const NO_ANSWER = "the primary does not answer its standby";
const DISAGREES = "the primary and its standby do not agree";

/** Who has it take over or stand down. */
type Orderer = Omit<StandbyDeed, "at" | "order">;

const ITSELF = { by: "itself", accountId: null, accountUserId: null } as const;
const DEEDS = { take_over: "takes over", stand_down: "stands down" } as const;

export class StandbyObject extends AlarmObject implements StandbyStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "standby",
    failure: "the work of a standby failed",
    longestPauseMs: 5 * SECOND,
    nextAt: () => (this.env.STANDBY_OF ? this.#nextAt : null),
    run: () => this.#run(),
  };
  #nextAt = 0;
  readonly #held = new HeldEvents(this.ctx.storage.sql);
  readonly #snapshot = new SnapshotStorage(this.ctx.storage.kv);
  readonly #drills = new StandbyDrills(this.ctx.storage.kv);
  readonly #standbys = new KnownStandbys(this.ctx.storage.kv);
  /** Answers that the primary is still to be given after the standby has been emptied. */
  readonly #answers = new SlicedValue<{ readonly list: readonly StandbyAnswer[] }>(
    this.ctx.storage.kv,
    "answers",
    1,
  );
  #delivering = false;
  /** Whether the last question was answered by the primary itself: what fails then is no matter of the line. */
  #isReached = false;

  get #state(): Stored {
    return { ...NEVER, ...this.ctx.storage.kv.get<Stored>("state") };
  }

  #change(changes: Partial<Stored>): void {
    this.ctx.storage.kv.put("state", { ...this.#state, ...changes });
  }

  get #intervalMs(): number {
    const seconds = Number(this.env.STANDBY_SECONDS);
    return (Number.isInteger(seconds) && seconds >= 1 ? seconds : DEFAULT_SECONDS) * SECOND;
  }

  /** Ensures that the primary is asked. Returns whether what is in the database goes on here. */
  async wake(): Promise<boolean> {
    this.arm();
    return this.#state.contents === "restored";
  }

  /** Accepts a sender's request; whoever takes it over judges it. */
  async hold(name: string, delivery: ForwardedRequest): Promise<ReceiveResult> {
    if (isRefusal(delivery.body)) return delivery.body;
    if (!this.#snapshot.hasInbox(name)) return NO_SNAPSHOT;
    if (this.#held.isFull) return FULL;
    const now = Date.now();
    const { role, misses } = this.#state;
    this.#held.add(name, delivery, now, role === "active" || misses > 0);
    if (role === "active") this.ctx.waitUntil(this.#deliver());
    return { kind: "accepted", logId: newDatedId(now) };
  }

  /** What it is and knows. */
  async report(): Promise<StandbyReport> {
    const { role, byHand, answeredAt, snapshotAt, takenOverAt } = this.#state;
    const { question, deeds } = this.#state;
    const { list: standbys, requests } = this.#standbys;
    return {
      ...{ role, byHand, answeredAt, snapshotAt, takenOverAt, question, deeds },
      ...{ held: this.#held.count, drills: this.#drills.list, standbys, requests },
    };
  }

  /** A primary's: notes that a standby has pulled a snapshot. Returns what it is to drill. `at` in epoch ms. */
  async pulled(
    card: StandbyCard,
    accounts: readonly DrilledAccount[],
    at: number,
  ): Promise<readonly DueDrill[]> {
    this.#change({ snapshotAt: at });
    this.#standbys.note(card, at);
    return this.#standbys.due(accounts, at);
  }

  /** A primary's: notes what a standby says that has taken over. `at` in epoch ms. */
  async seen(card: StandbyCard, at: number): Promise<void> {
    this.#standbys.note(card, at);
  }

  /** A primary's: an admin asks its standbys for a drill. Returns why not; null if it is noted. */
  async askDrill(accountId: string, byId: string, at: number): Promise<string | null> {
    return this.#standbys.ask(accountId, byId, at);
  }

  /** Takes over, or stands down, as a person says. Returns why not; null if it is done. */
  async command(role: "silent" | "active"): Promise<string | null> {
    return this.#obey(role, { by: "command", accountId: null, accountUserId: null });
  }

  /** What admins are asked now, if it has this id. */
  async question(id: string): Promise<StandbyQuestion | null> {
    const { question } = this.#state;
    return question?.id === id ? question : null;
  }

  /** An admin answers the question, which then is over. Returns whether it was not before. */
  async answer(id: string, by: Orderer): Promise<boolean> {
    const { question } = this.#state;
    if (question?.id !== id) return false;
    this.#change({ question: null });
    return (await this.#obey(question.order === "take_over" ? "active" : "silent", by)) === null;
  }

  async #obey(role: "silent" | "active", by: Orderer): Promise<string | null> {
    const state = this.#state;
    if (role === state.role) {
      this.#change({ byHand: true });
      return null;
    }
    if (role === "active" && state.snapshotAt === null) return "there is no snapshot yet";
    if (role === "active") this.#takeOver(by);
    else await this.#standDown(by);
    this.#nextAt = 0;
    this.arm();
    return null;
  }

  #note(order: StandbyDeed["order"], by: Orderer): void {
    const deed = { at: Date.now(), order, ...by };
    console.info({ message: `the standby ${DEEDS[order]}`, ...deed });
    this.#change({ deeds: [deed, ...this.#state.deeds].slice(0, MOST_DEEDS) });
  }

  // ── Its work ──

  async #run(): Promise<void> {
    const { STANDBY_OF, BACKUP_KEY } = this.env;
    if (!STANDBY_OF || !isBackupKey(BACKUP_KEY)) return;
    this.#nextAt = Date.now() + this.#intervalMs;
    const keys = await backupKeys(BACKUP_KEY);
    // What cannot be restored is given to the primary nevertheless, once that is back.
    const settle = () =>
      this.#settleContents(keys).catch((error: unknown) =>
        logFault("the standby could not be filled or emptied", error),
      );
    await settle();
    const answers = await this.#exchange(keys).then(
      () => true,
      (error: unknown) => {
        logFault(this.#isReached ? DISAGREES : NO_ANSWER, error);
        return false;
      },
    );
    const before = this.#state;
    if (!answers && before.misses === 0) this.#held.markMissed(before.answeredAt ?? 0);
    this.#change(afterQuestion(before, answers, Date.now()));
    const sight = await lookAround(this.env, keys, answers, this.#state.role);
    this.#change(afterSight(this.#state, sight));
    const decision = decideStandby(this.#state, sight);
    if (decision === "take_over") this.#takeOver(ITSELF);
    if (decision === "stand_down") await this.#standDown(ITSELF);
    const order = questionDue(this.#state, sight);
    const at = Date.now();
    if (order !== null) this.#change({ question: { id: newDatedId(at), order, at } });
    const { question } = this.#state;
    if (question && isReminderDue(this.#state))
      this.#change({ question: { ...question, at, isReminder: true } });
    await settle();
  }

  #takeOver(by: Orderer): void {
    this.#note("take_over", by);
    this.#held.forgetDeliveries();
    this.#drills.abandon();
    const { contents } = this.#state;
    const isPartial = contents === "restoring_settings" || contents === "settings";
    this.#change({
      ...takeOver(this.#state, by !== ITSELF, Date.now()),
      // What is there first has to go.
      contents: contents === "empty" ? "restoring" : isPartial ? "emptying" : contents,
      given: [],
    });
  }

  /** Keeps what people answered, and becomes silent; the next step empties it. */
  async #standDown(by: Orderer): Promise<void> {
    const list = await this.#newAnswers();
    this.#note("stand_down", by);
    const before = this.#answers.get()?.list ?? [];
    this.#answers.put({ list: [...before, ...list] });
    this.#change({ ...standDown(this.#state, by !== ITSELF), contents: "emptying", given: [] });
  }

  /** Fills or empties the database and the objects as the role says, and delivers what is held. */
  async #settleContents(keys: BackupKeys): Promise<void> {
    await this.#settleSettings(keys);
    if (this.#state.contents === "emptying") {
      await wipe(this.env);
      this.#change({ contents: this.#state.role === "active" ? "restoring" : "empty" });
    }
    if (this.#state.contents === "restoring") {
      await this.#snapshot.restore(this.env, keys, "everything");
      // A person may have ended the take-over meanwhile.
      if (this.#state.contents === "restoring") this.#change({ contents: "restored" });
    }
    await this.#deliver();
    const { contents, question } = this.#state;
    const canAsk = contents === (question?.order === "take_over" ? "settings" : "restored");
    if (question && canAsk) await askAdmins(this.env, question);
  }

  /** Fills the database for drills and questions, goes on with them, and has it emptied after the last one. */
  async #settleSettings(keys: BackupKeys): Promise<void> {
    const change = (from: Contents, to: Contents) => {
      // A person may have taken over meanwhile.
      if (this.#state.contents === from) this.#change({ contents: to });
    };
    const isAsking = () => this.#state.question?.order === "take_over";
    if (isAsking()) change("empty", "restoring_settings");
    if (this.#state.contents === "restoring_settings") {
      const failure = await this.#snapshot.restore(this.env, keys, "settings").then(
        () => null,
        (error: unknown) => ({ error }),
      );
      if (failure) {
        logFault("the standby could not be filled to page", failure.error);
        this.#drills.fail();
      }
      change("restoring_settings", failure ? "emptying" : "settings");
    }
    if (this.#state.contents !== "settings") return;
    await this.#drills.run(this.env, (work) => this.ctx.waitUntil(work));
    if (this.#drills.areOver(Date.now()) && !isAsking()) change("settings", "emptying");
  }

  /** Delivers what is held to the inboxes here. */
  async #deliver(): Promise<void> {
    if (this.#delivering || this.#state.contents !== "restored") return;
    this.#delivering = true;
    try {
      for (let next = this.#held.undelivered(); next.length > 0; next = this.#held.undelivered()) {
        const delivered = await deliverHeld(this.env, next);
        if (this.#state.role !== "active" || delivered.length === 0) return;
        this.#held.delivered(delivered);
      }
    } finally {
      this.#delivering = false;
    }
  }

  // ── The primary ──

  /** Gives the primary what it lacks, and pulls a snapshot. Throws if it does not answer. */
  async #exchange(keys: BackupKeys): Promise<void> {
    const isActive = this.#state.role === "active";
    await this.#giveEvents(keys, isActive ? Date.now() : Date.now() - GRACE * this.#intervalMs);
    await this.#giveAnswers(keys);
    const { snapshotAt } = this.#state;
    const isDue =
      snapshotAt === null || Date.now() - snapshotAt >= Math.min(MINUTE, 3 * this.#intervalMs);
    if (isActive || !isDue) return;
    const startedAt = Date.now();
    const card = this.#card;
    const due = await this.#snapshot.pull(this.env, keys, (request) =>
      this.#ask<SnapshotAnswer>(keys, "snapshot", { ...request, card }),
    );
    const { contents, role } = this.#state;
    this.#change({ snapshotAt: startedAt });
    const canDrill = role === "silent" && (contents === "empty" || contents === "settings");
    if (canDrill && this.#drills.take(due, startedAt) && contents === "empty")
      this.#change({ contents: "restoring_settings" });
  }

  /** What it says of itself. */
  get #card(): StandbyCard {
    const { id, list: drills } = this.#drills;
    const { role, deeds } = this.#state;
    return { id, url: this.env.PUBLIC_URL || null, active: role === "active", drills, deeds };
  }

  async #giveEvents(keys: BackupKeys, before: number): Promise<void> {
    for (let after = 0; ; ) {
      const events = this.#held.next(before, after);
      const last = events.at(-1);
      // Also without events: whether the primary takes any is what the question is about.
      const card = this.#state.role === "active" && after === 0 ? this.#card : null;
      const body = { events, card };
      const { settled } = await this.#ask<{ settled: number[] }>(keys, "events", body);
      this.#held.remove(settled);
      if (last === undefined || settled.length < events.length) return;
      after = last.id;
    }
  }

  async #newAnswers(): Promise<StandbyAnswer[]> {
    const { contents, takenOverAt, given } = this.#state;
    if (contents !== "restored") return [];
    const answers = await readAnswers(this.env.DB, takenOverAt ?? 0);
    return answers.filter(({ key }) => !given.includes(key));
  }

  async #giveAnswers(keys: BackupKeys): Promise<void> {
    // What the primary has not found for so long is about nothing that it has.
    const isOver = this.#state.answers > LONGEST_KEPT;
    const kept = isOver ? [] : (this.#answers.get()?.list ?? []);
    const answers = [...kept, ...(await this.#newAnswers())];
    if (answers.length === 0) return;
    const { done } = await this.#ask<{ done: string[] }>(keys, "answers", { answers });
    if (this.#state.role === "active") this.#change({ given: [...this.#state.given, ...done] });
    if (kept.length > 0) this.#answers.put({ list: kept.filter(({ key }) => !done.includes(key)) });
  }

  async #ask<Answer>(keys: BackupKeys, step: string, body: object): Promise<Answer> {
    this.#isReached = false;
    const asked = await askPrimary<Answer>(this.env, keys, step, body);
    this.#isReached = true;
    if ("refused" in asked) throw new Error(asked.refused);
    return asked.answer;
  }
}
