// A team's object: notifies its handoff recipients of each change of who is on call, whatever made it: a shift's
// boundary, exactly then; an edit or a removal, as soon as it is committed. It stores whom it last knew on call, so each
// change is notified once, and the pages that are not confirmed.
import { readTeamHandoffs, type TeamHandoffFacts } from "../db/handoff-rows.ts";
import type { PageMessage, PageReport } from "../domain/page.ts";
import { handoffsSince } from "../domain/shift-handoff.ts";
import { AlarmObject, type AlarmWork } from "./alarm-object.ts";
import { handoffPages } from "./handoff-pages.ts";
import { confirmationTimeout } from "./retry.ts";
import type { TeamStub, WatchedTeam } from "./rpc.ts";
import { sendAll } from "./send-all.ts";
import { TeamStorage } from "./team-storage.ts";

export class TeamObject extends AlarmObject implements TeamStub {
  protected override readonly alarmWork: AlarmWork = {
    failure: "a handoff waits",
    nextAt: () => this.#kept.nextAt(),
    run: () => this.#run(),
  };
  readonly #kept = new TeamStorage(this.ctx.storage);
  #looking: Promise<void> = Promise.resolve();

  /** Who is on call for the team, or who is notified of it, may have changed. */
  async look(team: WatchedTeam): Promise<void> {
    await this.#look(team);
    await this.#deliver();
  }

  /** The consumer's word that attempts have been recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    this.#kept.confirm(reports.map((report) => report.effectId));
    this.arm();
  }

  async #run(): Promise<void> {
    const watch = this.#kept.read();
    if (watch === null) return;
    if (watch.nextAt !== null && watch.nextAt <= Date.now()) await this.#look(watch);
    await this.#deliver();
  }

  /** One after the other: what was read before another look's commit must not be committed after it. */
  #look(team: WatchedTeam): Promise<void> {
    const looked = this.#looking.then(() => this.#lookOnce(team));
    this.#looking = looked.catch(() => undefined);
    return looked;
  }

  async #lookOnce({ id, accountId }: WatchedTeam): Promise<void> {
    const known = this.#kept.read();
    const dueAt = known?.nextAt ?? null;
    const from = Math.min(dueAt ?? Number.POSITIVE_INFINITY, Date.now()) - 1;
    const names = known?.names ?? {};
    const { DB } = this.env;
    const facts = await readTeamHandoffs(DB, accountId, id, from, Object.keys(names));
    if (facts === null) return this.#kept.empty();
    // Nobody is interested: who is on call by the time somebody is will be where it begins.
    if (!facts.notifies) {
      this.#kept.forget();
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
    this.#kept.commit(watch, pages);
    this.arm();
  }

  /** Hands pages to the queue; they stay until the consumer confirms them. */
  async #deliver(): Promise<void> {
    const now = Date.now();
    const rows = this.#kept.pagesDue(now);
    if (rows.length === 0) return;
    this.#kept.delivering(rows, (attempts) => now + confirmationTimeout(attempts));
    this.arm();
    const messages = rows.map(({ message }) => JSON.parse(message) as PageMessage);
    await sendAll(this.env.PAGES, messages);
  }
}

/** The names of those on call: somebody who goes off because they were removed has none any more. */
function namesOf(
  { names }: TeamHandoffFacts,
  onCall: Readonly<Record<number, readonly string[]>>,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const ids = Object.values(onCall).flat();
  return Object.fromEntries(ids.map((id) => [id, names.get(id) ?? known[id] ?? id]));
}
