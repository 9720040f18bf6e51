// A small reference model of an alert, written from contract 3: whom it notifies and when, in plain
// mutable lists. Shares no code with the implementation under test.

/** A destination: its layers, and who is on call on each until `until`. */
export type ModelDestination = {
  readonly id: string;
  readonly name: string;
  readonly layers: readonly { readonly people: readonly string[]; readonly minutes: number }[];
  readonly repeat: number;
  /** The people who can acknowledge for it. */
  readonly members: readonly string[];
  readonly toldOfDrops: readonly string[];
  /** The destinations to which it reassigns the alert, by id. */
  readonly reassign: readonly string[];
  /** Why the people are notified, and until when (epoch ms) anybody is on call. */
  readonly reason: string;
  readonly until: number;
};

export type ModelWorkflow = {
  readonly of: ModelDestination;
  state: "open" | "acknowledged" | "rejected" | "timed_out" | "cancelled";
  layer: number | null;
  pass: number;
  asked: string[];
  everAsked: string[];
  rejected: string[];
  due: number | null;
};

export type ModelPage = {
  readonly event: string;
  readonly person: string;
  readonly layer: number | null;
  readonly pass: number | null;
  readonly at: number;
  readonly of: ModelDestination | null;
};

/** A person by id, or a sender (`id` null). */
export type ModelCaller = { readonly id: string | null; readonly name: string };

export type Answer = "done" | "created" | "counted" | "finished" | "conflict" | "not_found";

const MINUTE = 60_000;
const DROP_NOTICE_EVERY = 60 * MINUTE;

export class AlertModel {
  status = "none";
  deleted = false;
  count = 0;
  counted = 0;
  title = "Disk full";
  acknowledgedAt: number | null = null;
  resolvedAt: number | null = null;
  readonly workflows: ModelWorkflow[] = [];
  readonly story: string[] = [];
  /** All pages; `waiting` has the indices of the unconfirmed ones. */
  readonly pages: ModelPage[] = [];
  waiting: number[] = [];
  readonly failed = new Set<number>();
  #droppedAt: number | null = null;
  readonly #all: ReadonlyMap<string, ModelDestination>;
  readonly #nameOf: (person: string) => string;
  readonly #silent: boolean;

  constructor(
    all: ReadonlyMap<string, ModelDestination>,
    nameOf: (person: string) => string,
    silent: boolean,
  ) {
    this.#all = all;
    this.#nameOf = nameOf;
    this.#silent = silent;
  }

  // ── Commands ──

  create(sequences: readonly number[], to: readonly string[], now: number): Answer {
    const fresh = [...new Set(sequences)].filter((it) => it > this.counted);
    if (this.status === "none") {
      this.counted = Math.max(0, ...fresh);
      this.count = Math.max(0, fresh.length - 1);
      this.status = "queued";
      this.story.push("Created by integration Monitoring");
      for (const id of to) this.#begin(id, now);
      this.#settle(now);
      return "created";
    }
    if (fresh.length === 0) return "counted";
    if (this.deleted || this.status === "resolved") return "finished";
    this.counted = Math.max(...fresh);
    this.count += fresh.length;
    if (this.status === "dropped") this.#reopen(to, now);
    this.#clear();
    return "counted";
  }

  acknowledge(by: ModelCaller, now: number): Answer {
    if (this.deleted) return "not_found";
    if (this.status !== "open" && this.status !== "dropped") return "conflict";
    const ownWorkflows = this.workflows.filter(
      (it) => by.id !== null && [...it.everAsked, ...it.of.members].includes(by.id),
    );
    const affected = (ownWorkflows.length > 0 ? ownWorkflows : this.workflows).filter(
      (it) => it.state !== "acknowledged",
    );
    if (affected.length === 0) return "conflict";
    for (const it of affected) Object.assign(it, { state: "acknowledged", due: null });
    this.story.push(
      `Acknowledged by ${by.name} for ${affected.map((it) => it.of.name).join(", ")}`,
    );
    this.acknowledgedAt ??= now;
    this.status = this.workflows.some((it) => it.state === "open") ? "open" : "acknowledged";
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
    this.#cancel(["open"]);
    this.story.push(`Resolved by ${by.name}`);
    this.status = "resolved";
    this.resolvedAt = now;
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
    for (const it of asked) {
      it.rejected.push(id);
      this.story.push(`Rejected by ${by.name} for ${it.of.name}`);
      if (it.asked.every((one) => it.rejected.includes(one))) this.#next(it, now);
    }
    this.#settle(now);
    this.#clear();
    return "done";
  }

  handOff(by: ModelCaller, to: readonly string[], now: number): Answer {
    if (this.deleted) return "not_found";
    if (this.status === "resolved") return "conflict";
    const names = to.map((id) => this.#all.get(id)?.name).join(", ");
    this.story.push(`Handed off by ${by.name} to ${names}`);
    this.#cancel(["open", "acknowledged"]);
    for (const id of to) this.#begin(id, now);
    this.status = "open";
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
    this.#cancel(["open"]);
    this.story.push(`Deleted by ${by.name}`);
    this.deleted = true;
    this.waiting = [];
    return "done";
  }

  /** Advances the time to `now` and executes everything that is due, once. */
  tick(now: number): void {
    if (this.deleted) return;
    const due = this.workflows.filter((it) => it.state === "open" && (it.due ?? now + 1) <= now);
    if (due.length === 0) return;
    for (const it of due) {
      this.story.push(`${it.of.name}, layer ${it.layer}: nobody acknowledged in time`);
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

  #begin(id: string, now: number): void {
    const of = this.#all.get(id) as ModelDestination;
    const existing = this.workflows.find((it) => it.of.id === id);
    if (existing?.state === "open" || existing?.state === "acknowledged") return;
    const initial = { layer: null, pass: 1, asked: [], everAsked: [], rejected: [], due: null };
    const workflow: ModelWorkflow = Object.assign(
      existing ?? { of },
      { state: "open" as const },
      initial,
    );
    if (existing === undefined) this.workflows.push(workflow);
    this.#next(workflow, now);
  }

  #reopen(to: readonly string[], now: number): void {
    this.story.push("Event repeated: reopened, escalation starts at the first layer");
    const before = this.workflows.filter((it) => !to.includes(it.of.id));
    for (const { of } of before) this.#begin(of.id, now);
    for (const id of to) this.#begin(id, now);
    this.#settle(now);
  }

  /** Notifies the next layer with anybody left; else ends the workflow and reassigns the alert. */
  #next(workflow: ModelWorkflow, now: number): void {
    const { of, rejected } = workflow;
    for (let { pass } = workflow; pass <= of.repeat + 1; pass += 1) {
      const isWholePass = pass > workflow.pass || workflow.layer === null;
      for (const [i, { people, minutes }] of of.layers.entries()) {
        const layer = i + 1;
        if (!isWholePass && layer <= (workflow.layer ?? 0)) continue;
        const onCall = now < of.until ? people : [];
        const asked = onCall.filter((one) => !rejected.includes(one));
        if (asked.length > 0) {
          const due = now + minutes * MINUTE;
          const everAsked = [...new Set([...workflow.everAsked, ...asked])];
          Object.assign(workflow, { layer, pass, asked, everAsked, due });
          this.#notifyLayer(workflow, due, now);
          return;
        }
        const why = onCall.length === 0 ? "nobody is on call" : "everybody on call has rejected";
        this.story.push(`${of.name}, layer ${layer}: ${why}, skipped`);
      }
      if (isWholePass) break;
    }
    const all = workflow.everAsked;
    const refused = all.length > 0 && all.every((one) => rejected.includes(one));
    const why = refused ? "everybody notified has rejected" : "nobody is left to notify";
    this.story.push(`${of.name}: ${why}`);
    Object.assign(workflow, { state: refused ? "rejected" : "timed_out", due: null });
    for (const id of of.reassign) {
      if (this.workflows.some((it) => it.of.id === id)) continue;
      this.story.push(`${of.name}: reassigned to ${this.#all.get(id)?.name}`);
      this.#begin(id, now);
    }
  }

  #notifyLayer({ of, layer, pass, asked }: ModelWorkflow, due: number, now: number): void {
    const where = `${of.name}, layer ${layer}${pass > 1 ? `, pass ${pass}` : ""}`;
    const people = asked.map((one) => `${this.#nameOf(one)} (${of.reason})`).join(", ");
    const verb = this.#silent ? "would notify" : "notifying";
    this.story.push(`${where}: ${verb} ${people}; next step at ${new Date(due).toISOString()}`);
    if (this.#silent) return;
    for (const person of asked)
      this.#page({ event: "alert.open", person, layer, pass, at: now, of });
  }

  // ── The alert's status ──

  #settle(now: number): void {
    const before = this.status;
    const has = (state: string) => this.workflows.some((it) => it.state === state);
    this.status = has("open") ? "open" : has("acknowledged") ? "acknowledged" : "dropped";
    if (this.status !== "dropped" || before === "dropped") return;
    this.story.push("Dropped: no destination has anybody left to notify");
    const recipients = new Set(this.workflows.flatMap((it) => it.of.toldOfDrops));
    const isRecent = this.#droppedAt !== null && this.#droppedAt + DROP_NOTICE_EVERY > now;
    if (recipients.size === 0 || isRecent || this.#silent) return;
    this.story.push(`Notifying ${recipients.size} recipients of the drop`);
    for (const one of recipients) this.#notify("alert.dropped", one, now);
    this.#droppedAt = now;
  }

  #cancel(states: readonly string[]): void {
    for (const it of this.workflows) {
      if (states.includes(it.state)) Object.assign(it, { state: "cancelled", due: null });
    }
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
    const answeredDestinations = new Set(answered.map((it) => it.of));
    this.waiting = this.waiting.filter((page) => {
      const { of } = this.pages[page] as ModelPage;
      return of === null || !answeredDestinations.has(of);
    });
  }
}
