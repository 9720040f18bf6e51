// A team's object: notifies its handoff recipients of each change of who is on call, at a shift's
// boundary or as soon as an edit or a removal is committed, and its gap recipients of new gaps. It
// stores who was last on call and the known gaps, so that each is notified once, and the pages that
// are not confirmed.

import type { PageReport } from "../../../domain/notifications/page.ts";
import { handoffsSince } from "../../../domain/oncall/shift-handoff.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { pagesQueue } from "../../../kernel/objects/pages-queue.ts";
import { SerialQueue } from "../../../kernel/objects/serial-queue.ts";
import type { TeamStub, WatchedTeam } from "../../rpc.ts";
import { findGaps, gapsChanged } from "../notices/gap-notices.ts";
import { handoffPages } from "../notices/handoff-pages.ts";
import { readTeamHandoffs, type TeamHandoffFacts } from "../notices/handoff-rows.ts";
import { TeamStorage } from "./team-storage.ts";

export class TeamObject extends AlarmObject implements TeamStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "team",
    failure: "a notice of a handoff or a gap is postponed",
    nextAt: () => this.#storage.nextAt(),
    run: () => this.#run(),
  };
  readonly #storage = new TeamStorage(this.ctx.storage);
  /** Facts read before a commit must not be committed after it. */
  readonly #checks = new SerialQueue();

  /**
   * Checks for handoffs after who is on call, or who is notified, may have changed. Gaps are looked
   * for later, when there are no more changes.
   */
  async refresh(team: WatchedTeam): Promise<void> {
    await this.#checks.run(() => this.#checkHandoffs(team, true));
    await this.#sendPages();
  }

  /** Removes pages whose attempts the consumer has recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    this.#storage.outbox.confirm(reports.map((report) => report.effectId));
    this.arm();
  }

  async #run(): Promise<void> {
    const isDue = (nextAt: number | null = null) => nextAt !== null && nextAt <= Date.now();
    const watch = this.#storage.read();
    if (watch && isDue(watch.nextAt)) {
      await this.#checks.run(() => this.#checkHandoffs(watch, false));
    }
    if (isDue(this.#storage.readGaps()?.nextAt)) await this.#checks.run(() => this.#checkGaps());
    await this.#sendPages();
  }

  async #checkHandoffs({ id, accountId }: WatchedTeam, isChanged: boolean): Promise<void> {
    const known = this.#storage.read();
    const dueAt = known?.nextAt ?? null;
    const from = Math.min(dueAt ?? Number.POSITIVE_INFINITY, Date.now()) - 1;
    const names = known?.names ?? {};
    const { DB } = this.env;
    const facts = await readTeamHandoffs(DB, accountId, id, from, Object.keys(names));
    if (facts === null) {
      this.forgetAlarm();
      return this.#storage.empty();
    }
    if (isChanged) this.#noteChange({ id, accountId }, facts);
    // Nobody is notified: tracking starts anew once somebody is.
    if (!facts.notifies) {
      this.#storage.forget();
      this.arm();
      return;
    }
    const since = handoffsSince(facts.schedule, known?.onCall ?? null, dueAt, Date.now());
    const sent = known?.sent ?? 0;
    const pages = since.handoffs.flatMap((handoff, i) =>
      handoffPages({ id, accountId, sequence: sent + i + 1 }, facts, handoff, names),
    );
    const watch = {
      ...{ id, accountId, nextAt: since.nextAt, onCall: since.onCall },
      names: namesOf(facts, since.onCall, names),
      sent: sent + since.handoffs.length,
    };
    this.#storage.commit(watch, pages);
    this.arm();
  }

  /** Looks for gaps after a change, if the team notifies anybody of them. */
  #noteChange(team: WatchedTeam, { notifiesOfGaps }: TeamHandoffFacts): void {
    if (notifiesOfGaps) {
      const watch = gapsChanged(this.#storage.readGaps(), team, Date.now());
      this.#storage.commitGaps(watch, []);
    } else {
      this.#storage.forgetGaps();
    }
  }

  async #checkGaps(): Promise<void> {
    const known = this.#storage.readGaps();
    if (known === null) return;
    const found = await findGaps(this.env, known, Date.now());
    if (found === null) this.#storage.forgetGaps();
    else this.#storage.commitGaps(found.watch, found.pages);
    this.arm();
  }

  /** Sends pages to the queue; they stay stored until the consumer confirms them. */
  #sendPages(): Promise<void> {
    return this.#storage.outbox.send(pagesQueue(this.env), this.arm);
  }
}

/** The names of those on call, stored because a removed person's name cannot be read any more. */
function namesOf(
  { names }: TeamHandoffFacts,
  onCall: Readonly<Record<number, readonly string[]>>,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const ids = Object.values(onCall).flat();
  return Object.fromEntries(ids.map((id) => [id, names.get(id) ?? known[id] ?? id]));
}
