// Plays a sequence of changes over HTTP, and after each compares everything that the product says with the model.
import { expect, vi } from "vitest";
import {
  announced,
  differences,
  type Entry,
  type Preview,
} from "../../../support/oncall/previewed.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { applyChange, type Change } from "./changes.ts";
import { agree } from "./checks.ts";
import { DAY } from "./clock.ts";
import { PEOPLE, type Sequence } from "./generator.ts";
import { keepsFrom } from "./kept-past.ts";
import { EMPTY, onCall, readable, type State, unitePeople } from "./model.ts";
import { makeFeed, servedOf, windowOf } from "./reads.ts";
import type { Hours } from "./recurrence.ts";
import { requestOf } from "./requests.ts";

const iso = (at: number) => new Date(at).toISOString();

/** How far back, and ahead, is compared. */
const BACK = 30 * DAY;
const AHEAD = 60 * DAY;

/** What is not undone: undos, two changes at once, people who left, and absences, which may have no entry in the history. */
const LAST: ReadonlySet<Change["kind"]> = new Set([
  "undo",
  "race",
  "leave_account",
  "leave_team",
  "absence",
  "end_absence",
] as const);

/** What was played: the changes by kind, and how many of them the product refused. */
export type Played = {
  readonly rota: Rota;
  readonly kinds: readonly Change["kind"][];
  readonly refused: readonly string[];
};

const hoursOf = ({ start, end }: Preview["window"]): Hours => ({
  ...{ from: Date.parse(start), to: Date.parse(end) },
});

/** What the preview of a change says, and who was on call in its hours where that reaches beyond what is known. */
type Announcing = {
  readonly preview: Preview;
  readonly hours: Hours;
  readonly was: readonly Entry[] | null;
};

/** Who was and is on call in a window. */
type Known = { readonly was: readonly Entry[]; readonly is: readonly Entry[] };

/** A sequence under way. */
class Play {
  readonly rota: Rota;
  readonly feed: string;
  readonly ids = new Map<string, string>();
  readonly kinds: Change["kind"][] = [];
  readonly refused: string[] = [];
  state: State = EMPTY;
  /** When each series and override was made, by its key. */
  readonly madeAt = new Map<string, number>();
  /** The last change, if it can be undone: who was on call before it, and when it was made. */
  before: {
    readonly change: Change;
    readonly state: State;
    readonly entries: readonly Entry[];
    readonly at: number;
  } | null = null;
  present = PEOPLE;

  constructor(rota: Rota, feed: string) {
    this.rota = rota;
    this.feed = feed;
  }

  async step(change: Change, now: number, label: string): Promise<void> {
    const states = this.statesAfter(change, now);
    if (states.length === 0) return;
    const window = { from: now - BACK, to: now + AHEAD };
    const was = await windowOf(this.rota, window);
    const announcing = change.kind === "race" ? null : await this.preview(change, window, label);
    if (!(await this.write(change, announcing !== null, label))) return;
    const is = await windowOf(this.rota, window);
    await this.comparePreview(announcing, { was, is }, label);
    const ahead = { from: now, to: now + AHEAD };
    const found = readable(unitePeople(servedOf(this.rota, is), ahead));
    const state = states.find((it) => readable(onCall(it, ahead)).join() === found.join());
    if (!state) {
      const expected = states.map((it) => readable(onCall(it, ahead)));
      expect(found, `${label}: who is on call`).toEqual(expected[0]);
    }
    // Before what is undone, everybody was on call as without it.
    const undone = change.kind === "undo" ? this.before : null;
    const since = undone?.at ?? now - BACK;
    if (undone) this.comparePast(undone.entries, is, { from: now - BACK, to: since }, label);
    const next = state ?? this.state;
    const kept = keepsFrom(undone?.change ?? change, undone?.state ?? this.state, this.madeAt, now);
    if (kept !== null) {
      this.comparePast(was, is, { from: Math.max(since, kept), to: now }, label);
    }
    for (const { key } of [...next.series, ...next.overrides]) {
      if (!this.madeAt.has(key)) this.madeAt.set(key, now);
    }
    // What changes nothing is not in the history.
    const isSame = JSON.stringify(next) === JSON.stringify(this.state);
    const isUndoable = !LAST.has(change.kind) && !isSame;
    this.before = isUndoable ? { change, state: this.state, entries: was, at: now } : null;
    this.state = next;
    this.kinds.push(change.kind);
    if (change.kind === "leave_account" || change.kind === "leave_team") {
      this.present = this.present.replace(change.person, "");
    }
    await agree(this.rota, is, this.feed, this.present, label);
  }

  comparePast(was: readonly Entry[], is: readonly Entry[], { from, to }: Hours, label: string) {
    const past = { start: iso(from), end: iso(to) };
    expect(differences(was, is, past), `${label}: the past`).toEqual([]);
  }

  /** What the model says may follow; nothing if the change makes no sense any more. */
  statesAfter(change: Change, now: number): State[] {
    if (change.kind === "undo") return this.before ? [this.before.state] : [];
    const orders: Change[][] =
      change.kind === "race"
        ? [[change.one, change.other], [change.other, change.one], [change.one], [change.other]]
        : [[change]];
    return orders.flatMap((order) => {
      try {
        return [order.reduce((state, it) => applyChange(state, it, now), this.state)];
      } catch {
        return [];
      }
    });
  }

  /** What the preview of a change says, with who is on call then if that is not known; null: it is refused. */
  async preview(change: Change, window: Hours, label: string): Promise<Announcing | null> {
    const { status, body, text } = await this.send(change, "?preview=true");
    expect(status, `${label}: the preview answers ${text}`).toBeLessThan(500);
    if (status >= 300) return null;
    const hours = hoursOf(body.window);
    const isInside = hours.from >= window.from && hours.to <= window.to;
    return { preview: body, hours, was: isInside ? null : await windowOf(this.rota, hours) };
  }

  async comparePreview(announcing: Announcing | null, known: Known, label: string): Promise<void> {
    if (!announcing) return;
    const { preview, hours, was } = announcing;
    const is = was ? await windowOf(this.rota, hours) : known.is;
    const happened = differences(was ?? known.was, is, preview.window);
    expect(announced(preview).sort(), `${label}: the preview`).toEqual(happened.sort());
  }

  /** Makes the change; false: it was refused. */
  async write(change: Change, isAnnounced: boolean, label: string): Promise<boolean> {
    if (change.kind === "race") {
      const both = await Promise.all([change.one, change.other].map((it) => this.send(it)));
      for (const { status, text } of both) expect(status, `${label} ${text}`).toBeLessThan(500);
      return both.some(({ status }) => status < 300);
    }
    const { status, text } = await this.send(change);
    expect(status, `${label} ${text}`).toBeLessThan(500);
    expect(status < 300, `${label}: as in the preview ${text}`).toBe(isAnnounced);
    if (status >= 300) this.refused.push(`${label}: ${text}`);
    return status < 300;
  }

  async send(change: Change, query = "") {
    const { account, scheduleId } = this.rota;
    if (change.kind === "undo") {
      const { body } = await account.api("GET", `/schedules/${scheduleId}/changes?limit=1`);
      return account.api(
        "POST",
        `/schedules/${scheduleId}/changes/${body.data[0].id}/undo${query}`,
      );
    }
    const request = requestOf(this.rota, change, (key) => this.ids.get(key) ?? key, this.present);
    const sent = await account.api(request.method, `${request.path}${query}`, request.body);
    if (query === "" && sent.status < 300 && "key" in change && sent.body?.id)
      this.ids.set(change.key, sent.body.id);
    return sent;
  }
}

/**
 * Plays a sequence; the clock is at its last change afterwards.
 *
 * @throws if the product and the model, or two of the product's readers, differ
 */
export async function play({ start, steps }: Sequence): Promise<Played> {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  const rota = await makeRota(PEOPLE);
  const playing = new Play(rota, await makeFeed(rota));
  let now = start;
  for (const [index, { after, change }] of steps.entries()) {
    now += after;
    vi.setSystemTime(now);
    await playing.step(change, now, `step ${index} ${change.kind}`);
  }
  return playing;
}

/** The shortest sequence that fails, found by leaving out one change after another, and why it fails. */
export async function shorten(
  sequence: Sequence,
  error: unknown,
): Promise<{ sequence: Sequence; error: unknown }> {
  const at = Number(/step (\d+)/.exec(String(error))?.[1] ?? sequence.steps.length - 1);
  let failing = { sequence: { ...sequence, steps: sequence.steps.slice(0, at + 1) }, error };
  for (let index = at - 1; index >= 0; index--) {
    const { steps } = failing.sequence;
    const left = steps.flatMap((it, other) => {
      if (other === index) return [];
      // The time stays.
      return other === index + 1 ? [{ ...it, after: it.after + (steps[index]?.after ?? 0) }] : [it];
    });
    const shorter = { ...sequence, steps: left };
    const failed = await play(shorter).then(
      () => null,
      (reason: unknown) => ({ reason }),
    );
    if (failed && kindOf(failed.reason) === kindOf(error))
      failing = { sequence: shorter, error: failed.reason };
  }
  return failing;
}

/** What differed, whichever the change and the hours. */
const kindOf = (error: unknown): string => /: ([a-z ]+)/.exec(String(error))?.[1] ?? "";
