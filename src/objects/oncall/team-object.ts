// A team's object: notifies its handoff recipients of each change of who is on call, at a shift's
// boundary or as soon as an edit or a removal is committed. It stores who was last on call, so that
// each change is notified once, and the pages that are not confirmed.
import { readTeamHandoffs, type TeamHandoffFacts } from "../../db/oncall/handoff-rows.ts";
import type { PageMessage, PageReport } from "../../domain/alerts/notifications/page.ts";
import { handoffsSince } from "../../domain/oncall/shift-handoff.ts";
import { AlarmObject, type AlarmWork } from "../shared/alarm-object.ts";
import { confirmationTimeout } from "../shared/retry.ts";
import type { TeamStub, WatchedTeam } from "../shared/rpc.ts";
import { sendAll } from "../shared/send-all.ts";
import { handoffPages } from "./handoff-pages.ts";
import { TeamStorage } from "./team-storage.ts";

export class TeamObject extends AlarmObject implements TeamStub {
  protected override readonly alarmWork: AlarmWork = {
    failure: "a handoff notice is postponed",
    nextAt: () => this.#storage.nextAt(),
    run: () => this.#run(),
  };
  readonly #storage = new TeamStorage(this.ctx.storage);
  #checking: Promise<void> = Promise.resolve();

  /** Checks for handoffs after who is on call, or who is notified, may have changed. */
  async refresh(team: WatchedTeam): Promise<void> {
    await this.#check(team);
    await this.#sendPages();
  }

  /** Removes pages whose attempts the consumer has recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    this.#storage.confirm(reports.map((report) => report.effectId));
    this.arm();
  }

  async #run(): Promise<void> {
    const watch = this.#storage.read();
    if (watch === null) return;
    if (watch.nextAt !== null && watch.nextAt <= Date.now()) await this.#check(watch);
    await this.#sendPages();
  }

  /** Runs checks one at a time: facts read before a commit must not be committed after it. */
  #check(team: WatchedTeam): Promise<void> {
    const check = this.#checking.then(() => this.#checkOnce(team));
    this.#checking = check.catch(() => undefined);
    return check;
  }

  async #checkOnce({ id, accountId }: WatchedTeam): Promise<void> {
    const known = this.#storage.read();
    const dueAt = known?.nextAt ?? null;
    const from = Math.min(dueAt ?? Number.POSITIVE_INFINITY, Date.now()) - 1;
    const names = known?.names ?? {};
    const { DB } = this.env;
    const facts = await readTeamHandoffs(DB, accountId, id, from, Object.keys(names));
    if (facts === null) return this.#storage.empty();
    // Nobody is notified: tracking starts anew once somebody is.
    if (!facts.notifies) {
      this.#storage.forget();
      this.arm();
      return;
    }
    const since = handoffsSince(facts.events, known?.onCall ?? null, dueAt, Date.now());
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

  /** Sends pages to the queue; they stay stored until the consumer confirms them. */
  async #sendPages(): Promise<void> {
    const now = Date.now();
    const rows = this.#storage.pagesDue(now);
    if (rows.length === 0) return;
    this.#storage.markSending(rows, (attempts) => now + confirmationTimeout(attempts));
    this.arm();
    const messages = rows.map(({ message }) => JSON.parse(message) as PageMessage);
    await sendAll(this.env.PAGES, messages);
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
