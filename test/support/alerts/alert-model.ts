// A small reference model of an alert, written from contract 3: whom it notifies and when, in plain
// mutable lists. Shares no code with the implementation under test.

import { concernedBy, followingLayer, layerText } from "./alert-model-steps.ts";
import type {
  Answer,
  ModelAnswer,
  ModelCaller,
  ModelDestination,
  ModelPage,
  ModelSaid,
  ModelWorkflow,
} from "./alert-model-types.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const DROP_NOTICE_EVERY = 60 * MINUTE;
const RANKS = ["silent", "low", "medium", "high", "critical"];

export class AlertModel {
  status = "none";
  deleted = false;
  count = 0;
  counted = 0;
  title = "Disk full";
  urgency = "";
  /** The highest urgency that an event had. */
  #highest = "";
  /** What fires; null if no event has named it. */
  members: string[] | null = null;
  acknowledgedAt: number | null = null;
  resolvedAt: number | null = null;
  snoozedUntil: number | null = null;
  readonly workflows: ModelWorkflow[] = [];
  readonly story: string[] = [];
  /** All pages; `waiting` has the indices of the unconfirmed ones. */
  readonly pages: ModelPage[] = [];
  waiting: number[] = [];
  readonly failed = new Set<number>();
  #droppedAt: number | null = null;
  /** The latest answer, until another step follows. */
  #answer: ModelAnswer | null = null;
  readonly #all: ReadonlyMap<string, ModelDestination>;
  readonly #nameOf: (person: string) => string;

  constructor(all: ReadonlyMap<string, ModelDestination>, nameOf: (person: string) => string) {
    this.#all = all;
    this.#nameOf = nameOf;
  }

  get #silent(): boolean {
    return this.urgency === "silent";
  }

  // ── Commands ──

  create(
    sequences: readonly number[],
    to: readonly string[],
    now: number,
    said: ModelSaid,
  ): Answer {
    const fresh = [...new Set(sequences)].filter((it) => it > this.counted);
    if (this.status === "none") {
      this.counted = Math.max(0, ...fresh);
      this.count = Math.max(0, fresh.length - 1);
      this.status = "queued";
      this.urgency = said.urgency;
      this.#highest = said.urgency;
      if (said.names.length > 0) this.members = [...said.names];
      this.story.push("Created by integration Monitoring");
      for (const id of to) this.#begin(id, now);
      this.#settle(now);
      return "created";
    }
    if (fresh.length === 0) return "counted";
    if (this.deleted || this.status === "resolved") return "finished";
    this.counted = Math.max(...fresh);
    this.count += fresh.length;
    const hasNews = this.#hear(said);
    if (this.status === "dropped") this.#repeat(to, now);
    else if (hasNews && !this.#silent) this.#tellNews(now);
    this.#clear();
    return "counted";
  }

  /** Notes what a repeated event says; returns whether it is news. */
  #hear({ urgency, names }: ModelSaid): boolean {
    const rankOf = (one: string) => RANKS.indexOf(one);
    const isRise = rankOf(urgency) > rankOf(this.#highest);
    if (isRise) {
      this.story.push(`Urgency raised from ${this.urgency} to ${urgency}`);
      this.#highest = urgency;
      this.urgency = urgency;
    }
    const added = this.members === null ? [] : names.filter((it) => !this.members?.includes(it));
    if (added.length > 0) this.story.push(`${added.length} more: ${added.join("; ")}`);
    const stay = (this.members ?? []).filter((it) => !names.includes(it));
    if (names.length > 0) this.members = [...stay, ...names];
    return isRise || added.length > 0;
  }

  /** Notifies who is asked now, or had acknowledged, of news. */
  #tellNews(now: number): void {
    if (this.snoozedUntil !== null) this.story.push("The snooze ends: the alert got worse");
    this.snoozedUntil = null;
    const wasAcknowledged = this.status === "acknowledged";
    for (const it of [...this.workflows]) {
      const { layer, pass } = it;
      const asks = it.asked.filter((one) => !it.rejected.includes(one));
      if (it.state === "open") {
        for (const person of asks)
          this.#page({ event: "alert.open", person, layer, pass, at: now, of: it });
      } else if (it.state === "acknowledged" && !it.requested) {
        this.#answer = null;
        if (it.by === null) this.#askAgain(it, now);
        else this.#askAlone(it, it.by, now);
      }
    }
    if (wasAcknowledged) this.#settle(now);
  }

  #askAlone(workflow: ModelWorkflow, by: string, now: number): void {
    const { everAsked, rejected, layer, pass, of } = workflow;
    const due = now + 5 * MINUTE;
    Object.assign(workflow, {
      ...{ state: "open", asked: [by], everAsked: [...new Set([...everAsked, by])], due },
      rejected: rejected.filter((one) => one !== by),
    });
    const until = new Date(due).toISOString();
    this.story.push(
      `${of.name}: notifying ${this.#nameOf(by)}, who had acknowledged; escalation goes on at ${until}`,
    );
    this.#page({ event: "alert.open", person: by, layer, pass, at: now, of: workflow });
  }

  acknowledge(by: ModelCaller, now: number): Answer {
    if (this.deleted) return "not_found";
    const isSnoozed = this.snoozedUntil !== null;
    const requests = this.workflows.filter(
      (it) => it.requested && it.state === "open" && it.everAsked.includes(by.id ?? ""),
    );
    const isAsked = this.status === "acknowledged" && requests.length > 0;
    if (!["open", "dropped"].includes(this.status) && !isSnoozed && !isAsked) return "conflict";
    const affected = isAsked && !isSnoozed ? requests : concernedBy(by, this.workflows);
    if (affected.length === 0 && !isSnoozed) return "conflict";
    this.#answer = this.#remember("acknowledge", by, affected, now);
    const isOf = (it: ModelWorkflow) => [...it.everAsked, ...it.of.members].includes(by.id ?? "");
    const own = this.workflows.filter(isOf);
    for (const it of affected) Object.assign(it, { state: "acknowledged", due: null, by: by.id });
    for (const it of isSnoozed ? (own.length > 0 ? own : this.workflows) : [])
      if (it.state === "acknowledged") it.by = by.id;
    const names = affected.map((it) => it.of.name).join(", ");
    this.story.push(`Acknowledged by ${by.name}${names === "" ? "" : ` for ${names}`}`);
    if (affected.length === 0 || affected.some((it) => !it.requested)) {
      this.acknowledgedAt ??= now;
      this.status = this.#own().some((it) => it.state === "open") ? "open" : "acknowledged";
      this.snoozedUntil = null;
    }
    const others = affected.flatMap((it) =>
      it.everAsked.filter((one) => !it.rejected.includes(one)),
    );
    for (const one of new Set(others)) {
      if (one !== by.id && !this.#silent) this.#notify("alert.acknowledged", one, now);
    }
    this.#clear();
    return "done";
  }

  resolve(by: ModelCaller, now: number): Answer {
    if (this.deleted) return "not_found";
    if (this.status === "resolved") return "conflict";
    const open = this.workflows.filter((it) => it.state === "open");
    this.#answer = this.#remember("resolve", by, open, now);
    this.#cancel(["open"], now);
    this.story.push(`Resolved by ${by.name}`);
    this.status = "resolved";
    this.resolvedAt = now;
    this.snoozedUntil = null;
    this.#clear();
    return "done";
  }

  reject(by: ModelCaller, now: number): Answer {
    const id = by.id ?? "";
    if (this.deleted) return "not_found";
    const asked = this.workflows.filter(
      (it) => it.state === "open" && it.everAsked.includes(id) && !it.rejected.includes(id),
    );
    if (asked.length === 0) return "conflict";
    this.#answer = this.#remember("reject", by, asked, now);
    for (const it of asked) {
      it.rejected.push(id);
      this.story.push(`Passed on by ${by.name} for ${it.of.name}`);
      if (it.asked.every((one) => it.rejected.includes(one))) this.#next(it, now);
    }
    this.#settle(now);
    this.#clear();
    return "done";
  }

  handOff(by: ModelCaller, to: readonly string[], now: number): Answer {
    if (this.deleted) return "not_found";
    if (this.status === "resolved") return "conflict";
    this.#answer = null;
    const names = to.map((id) => this.#all.get(id)?.name).join(", ");
    this.story.push(`Handed off by ${by.name} to ${names}`);
    this.#cancel(["open", "acknowledged"], now);
    for (const id of to) this.#begin(id, now);
    this.status = "open";
    this.snoozedUntil = null;
    this.#settle(now);
    this.#clear();
    return "done";
  }

  change(by: ModelCaller, title: string): Answer {
    if (this.deleted) return "not_found";
    const change = title === this.title ? "nothing" : `title (was “${this.title}”)`;
    this.title = title;
    this.story.push(`Changed by ${by.name}: ${change}`);
    return "done";
  }

  remove(by: ModelCaller): Answer {
    if (this.deleted) return "not_found";
    this.#cancel(["open"], 0);
    this.snoozedUntil = null;
    this.story.push(`Deleted by ${by.name}`);
    this.deleted = true;
    this.waiting = [];
    return "done";
  }

  reopen(by: ModelCaller, now: number): Answer {
    if (this.deleted) return "not_found";
    if (this.status !== "resolved") return "conflict";
    this.#answer = null;
    this.story.push(`Reopened by ${by.name}: escalation starts at step 1`);
    const current = this.#own().filter(
      (it) => it.state !== "cancelled" || it.cancelledAt === this.resolvedAt,
    );
    this.status = "open";
    this.resolvedAt = null;
    for (const it of current) this.#restart(it, now);
    this.#settle(now);
    this.#clear();
    return "done";
  }

  undo(by: ModelCaller, now: number): Answer {
    if (this.deleted) return "not_found";
    const answer = this.#answer;
    if (answer === null || answer.by !== by.id || answer.at + MINUTE < now) return "conflict";
    if (answer.type === "reject") return this.#undoReject(answer, by, now);
    this.#answer = null;
    const others = answer.workflows.flatMap(({ of: it }) =>
      it.everAsked.filter((one) => !it.rejected.includes(one) && one !== by.id),
    );
    const told = answer.type === "acknowledge" && !this.#silent ? new Set(others).size : 0;
    const noun = answer.type === "acknowledge" ? "Acknowledgement" : "Resolution";
    const late = `: ${told} ${told === 1 ? "person was" : "people were"} notified of it`;
    this.story.push(`${noun} undone by ${by.name}${told === 0 ? "" : late}`);
    this.acknowledgedAt = answer.acknowledgedAt;
    this.snoozedUntil = answer.snoozedUntil;
    this.resolvedAt = null;
    for (const { of: it, state } of answer.workflows) {
      if (state === "open") this.#askAgain(it, now);
      else it.state = state;
    }
    if (answer.workflows.some(({ state }) => state === "open")) this.#settle(now);
    else this.status = answer.status;
    this.#clear();
    return "done";
  }

  #undoReject({ workflows }: ModelAnswer, by: ModelCaller, now: number): Answer {
    const id = by.id ?? "";
    const same = workflows.map(({ of }) => of).filter((it) => it.asked.includes(id));
    if (same.length === 0) return "conflict";
    this.#answer = null;
    const names = same.map((it) => it.of.name).join(", ");
    this.story.push(`Passing on undone by ${by.name} for ${names}`);
    for (const it of same) {
      it.rejected = it.rejected.filter((one) => one !== id);
      if (it.state !== "open") this.#askAgain(it, now);
      else if (!this.#silent) {
        const { layer, pass } = it;
        this.#page({ event: "alert.open", person: id, layer, pass, at: now, of: it });
      }
    }
    this.#settle(now);
    this.#clear();
    return "done";
  }

  /** Notifies the workflow's current layer again. */
  #askAgain(workflow: ModelWorkflow, now: number): void {
    const layer = workflow.layer === null ? null : workflow.layer - 1;
    Object.assign(workflow, { state: "open", layer, cancelledAt: null, by: null });
    this.#next(workflow, now);
  }

  #remember(
    type: ModelAnswer["type"],
    by: ModelCaller,
    concerned: readonly ModelWorkflow[],
    at: number,
  ): ModelAnswer | null {
    if (by.id === null) return null;
    const { acknowledgedAt, snoozedUntil, status } = this;
    // In the order of the alert's workflows.
    const workflows = this.workflows
      .filter((it) => concerned.includes(it))
      .map((of) => ({ of, state: of.state }));
    return { type, by: by.id, at, workflows, acknowledgedAt, snoozedUntil, status };
  }

  snooze(by: ModelCaller, until: number, now: number): Answer {
    if (this.deleted) return "not_found";
    if (!["open", "acknowledged", "dropped"].includes(this.status)) return "conflict";
    if (until <= now || until > now + 30 * DAY) return "invalid";
    this.#answer = null;
    const open = this.workflows.filter((it) => it.state === "open");
    for (const it of this.#own()) {
      if (it.state === "cancelled") continue;
      if (it.state !== "acknowledged") it.by = by.id;
      Object.assign(it, { state: "acknowledged", due: null });
    }
    for (const it of open.filter(({ requested }) => requested)) this.#cancelOne(it, now);
    this.story.push(`Snoozed by ${by.name} until ${new Date(until).toISOString()}`);
    const asked = open.flatMap((it) => it.everAsked.filter((one) => !it.rejected.includes(one)));
    for (const one of new Set(asked)) {
      if (one !== by.id && !this.#silent) this.#notify("alert.acknowledged", one, now);
    }
    this.status = "acknowledged";
    this.snoozedUntil = until;
    this.acknowledgedAt ??= now;
    this.#clear();
    return "done";
  }

  escalate(by: ModelCaller, now: number): Answer {
    if (this.deleted) return "not_found";
    if (this.status !== "open") return "conflict";
    const open = this.workflows.filter((it) => it.state === "open");
    const known = new Set(this.workflows.map((it) => it.of.id));
    const advancing = open.filter(
      (it) => followingLayer(it, now).found !== null || it.of.reassign.some((id) => !known.has(id)),
    );
    if (advancing.length === 0) return "conflict";
    this.#answer = null;
    this.story.push(`Escalated by ${by.name}`);
    for (const it of open) {
      if (advancing.includes(it)) this.#next(it, now);
      else this.story.push(`${it.of.name}: nobody is left to escalate to`);
    }
    this.#settle(now);
    this.#clear();
    return "done";
  }

  requestResponders(by: ModelCaller, ids: readonly string[], now: number): Answer {
    if (this.deleted) return "not_found";
    if (!["open", "acknowledged", "dropped"].includes(this.status)) return "conflict";
    const asked = this.workflows.filter((it) => it.requested && it.state === "open");
    const added = ids.filter((id) => !asked.some((it) => it.of.id === id));
    if (added.length === 0) return "conflict";
    this.#answer = null;
    const names = added.map((id) => this.#all.get(id)?.name).join(", ");
    const role = added.length === 1 ? "a responder" : "responders";
    this.story.push(`${by.name} requested ${names} as ${role}`);
    for (const id of added) this.#begin(id, now, true);
    this.#clear();
    return "done";
  }

  /** Advances the time to `now` and executes everything that is due, once. */
  tick(now: number): void {
    if (this.deleted) return;
    const due = this.workflows.filter((it) => it.state === "open" && (it.due ?? now + 1) <= now);
    const isAwake = this.snoozedUntil !== null && this.snoozedUntil <= now;
    if (due.length === 0 && !isAwake) return;
    this.#answer = null;
    if (isAwake) this.#wake(now);
    for (const it of due) {
      this.story.push(`${it.of.name}, step ${it.layer}: nobody acknowledged in time`);
      this.#next(it, now);
    }
    this.#settle(now);
    this.#clear();
  }

  /** Confirms an attempted page; a failure is added to the timeline once. */
  confirm(page: number, failure: string | null): void {
    this.waiting = this.waiting.filter((it) => it !== page);
    if (failure === null || this.deleted || this.failed.has(page)) return;
    this.failed.add(page);
    this.story.push(failure);
  }

  // ── Escalation within a destination ──

  #own(): ModelWorkflow[] {
    return this.workflows.filter((it) => !it.requested);
  }

  #begin(id: string, now: number, requested = false): void {
    const of = this.#all.get(id) as ModelDestination;
    const existing = this.workflows.find((it) => it.of.id === id && it.requested === requested);
    if (existing) {
      const isRunning = existing.state === "open" || existing.state === "acknowledged";
      if (requested || !isRunning) this.#restart(existing, now);
      return;
    }
    const workflow = { of, requested, state: "open" } as ModelWorkflow;
    this.workflows.push(workflow);
    this.#restart(workflow, now);
  }

  #restart(workflow: ModelWorkflow, now: number): void {
    const initial = {
      layer: null,
      pass: 1,
      asked: [],
      everAsked: [],
      rejected: [],
      due: null,
      by: null,
    };
    Object.assign(workflow, initial, { state: "open", cancelledAt: null });
    this.#next(workflow, now);
  }

  #wake(now: number): void {
    this.snoozedUntil = null;
    this.story.push("The snooze has ended: escalation starts at step 1");
    const acknowledged = this.#own().filter((it) => it.state === "acknowledged");
    for (const it of acknowledged) this.#restart(it, now);
    this.#settle(now);
  }

  #repeat(to: readonly string[], now: number): void {
    this.#answer = null;
    this.story.push("Event repeated: reopened, escalation starts at step 1");
    const before = this.#own().filter((it) => !to.includes(it.of.id));
    for (const { of } of before) this.#begin(of.id, now);
    for (const id of to) this.#begin(id, now);
    this.#settle(now);
  }

  /** Notifies the next layer with anybody left; else ends the workflow and reassigns the alert. */
  #next(workflow: ModelWorkflow, now: number): void {
    const { of, rejected, requested } = workflow;
    const { skipped, found } = followingLayer(workflow, now);
    workflow.by = null;
    this.story.push(...skipped);
    if (found !== null) {
      const { layer, pass, asked, minutes } = found;
      const due = now + minutes * MINUTE;
      const everAsked = [...new Set([...workflow.everAsked, ...asked])];
      Object.assign(workflow, { layer, pass, asked, everAsked, due });
      this.#notifyLayer(workflow, due, now);
      return;
    }
    const all = workflow.everAsked;
    const refused = all.length > 0 && all.every((one) => rejected.includes(one));
    const why = refused ? "everybody notified has passed it on" : "nobody is left to notify";
    this.story.push(`${of.name}: ${why}`);
    Object.assign(workflow, { state: refused ? "rejected" : "timed_out", due: null });
    for (const id of of.reassign) {
      if (this.workflows.some((it) => it.of.id === id)) continue;
      this.story.push(`${of.name}: reassigned to ${this.#all.get(id)?.name}`);
      this.#begin(id, now, requested);
    }
  }

  #notifyLayer(workflow: ModelWorkflow, due: number, now: number): void {
    const { layer, pass, asked } = workflow;
    this.story.push(layerText(workflow, due, this.#nameOf, this.#silent));
    if (this.#silent) return;
    for (const person of asked)
      this.#page({ event: "alert.open", person, layer, pass, at: now, of: workflow });
  }

  // ── The alert's status ──

  #settle(now: number): void {
    const before = this.status;
    const has = (state: string) => this.#own().some((it) => it.state === state);
    this.status = has("open") ? "open" : has("acknowledged") ? "acknowledged" : "dropped";
    if (this.status !== "dropped" || before === "dropped") return;
    this.story.push("Unanswered: nobody is left to notify");
    const recipients = new Set(this.#own().flatMap((it) => it.of.toldOfDrops));
    const isRecent = this.#droppedAt !== null && this.#droppedAt + DROP_NOTICE_EVERY > now;
    if (recipients.size === 0 || isRecent || this.#silent) return;
    const people = recipients.size === 1 ? "1 person" : `${recipients.size} people`;
    this.story.push(`Telling ${people} that nobody is left to notify`);
    for (const one of recipients) this.#notify("alert.dropped", one, now);
    this.#droppedAt = now;
  }

  #cancel(states: readonly string[], now: number): void {
    for (const it of this.workflows) if (states.includes(it.state)) this.#cancelOne(it, now);
  }

  #cancelOne(workflow: ModelWorkflow, now: number): void {
    Object.assign(workflow, { state: "cancelled", due: null, cancelledAt: now });
  }

  #notify(event: string, person: string, at: number): void {
    this.#page({ event, person, layer: null, pass: null, at, of: null });
  }

  #page(page: ModelPage): void {
    this.waiting.push(this.pages.length);
    this.pages.push(page);
  }

  /** Removes waiting pages of destinations that are acknowledged, rejected or cancelled. */
  #clear(): void {
    const answered = this.workflows.filter((it) =>
      ["acknowledged", "rejected", "cancelled"].includes(it.state),
    );
    this.waiting = this.waiting.filter((page) => {
      const { of } = this.pages[page] as ModelPage;
      return of === null || !answered.includes(of);
    });
  }
}
