// The drills of a standby: fire drills as any other, of teams as its snapshot has them, in its own database and by its
// own providers. They are stored until the next one of the account, so that the primary gets to know each end.
import {
  type DueDrill,
  isUnderWay,
  type StandbyDrill,
} from "../../../domain/operations/standby-drill.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { HOUR, MINUTE } from "../../../domain/shared/time.ts";
import { newDatedId } from "../../../kernel/db/identifiers.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { first } from "../../../kernel/db/select.ts";
import { drillRecords, selectDrillAdmin } from "../../alerts/drills/rows.ts";
import { startDrill } from "../../alerts/drills/start-drill.ts";
import { findUncovered } from "../../oncall/notices/find-uncovered.ts";

/** Nobody has acknowledged a drill that goes on for so long (ms). */
const LONGEST = HOUR;
/** How long a drill's page can be looked at after its end (ms). */
const LINGER = 15 * MINUTE;

type WaitUntil = (work: Promise<unknown>) => void;

export class StandbyDrills {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** The last drill of each account. */
  get list(): readonly StandbyDrill[] {
    return this.#kv.get<readonly StandbyDrill[]>("drills") ?? [];
  }

  /** By which the primary knows this standby: drawn once. */
  get id(): string {
    const known = this.#kv.get<string>("id");
    if (known !== undefined) return known;
    const id = newDatedId(Date.now());
    this.#kv.put("id", id);
    return id;
  }

  /** Notes what is to be drilled. Returns whether that is something new. `now` in epoch ms. */
  take(due: readonly DueDrill[], now: number): boolean {
    const { list } = this;
    const taken = due.flatMap((it) => {
      const last = list.find(({ accountId }) => accountId === it.accountId);
      if (last && (last.dueAt >= it.dueAt || isUnderWay(last))) return [];
      return [{ ...it, ...newDrill(now), number: last ? last.number + 1 : 0 }];
    });
    if (taken.length === 0) return false;
    const ids = new Set(taken.map(({ accountId }) => accountId));
    this.#kv.put("drills", [...list.filter((it) => !ids.has(it.accountId)), ...taken]);
    return true;
  }

  /** Starts what is to be started, and looks how the others go on. Never throws. */
  async run(env: Cloudflare.Env, waitUntil: WaitUntil): Promise<void> {
    for (const drill of this.list.filter(isUnderWay)) {
      const step = drill.status === "starting" ? start(env, drill, waitUntil) : look(env, drill);
      const next = await step.catch((error: unknown) => {
        logFault("a drill of the standby does not go on", error, { alert: drill.alertId });
        return drill;
      });
      this.#replace(isUnderWay(next) && isTooLong(next) ? ended(next, lateEnd(next)) : next);
    }
  }

  /** Whether nothing of the drills is needed any more. `now` in epoch ms. */
  areOver(now: number): boolean {
    return this.list.every((it) => it.endedAt !== null && now - it.endedAt >= LINGER);
  }

  /** Ends those that go on, since they cannot. */
  fail(): void {
    for (const drill of this.list.filter(isUnderWay)) this.#replace(ended(drill, "failed"));
  }

  /** Forgets those that go on: the standby has taken over, and they are due again. */
  abandon(): void {
    const { list } = this;
    if (list.some(isUnderWay)) {
      this.#kv.put(
        "drills",
        list.filter((it) => !isUnderWay(it)),
      );
    }
  }

  #replace(drill: StandbyDrill): void {
    this.#kv.put(
      "drills",
      this.list.map((it) => (it.alertId === drill.alertId ? drill : it)),
    );
  }
}

const newDrill = (now: number) => ({
  ...{ alertId: newDatedId(now), status: "starting" as const, startedAt: now, endedAt: null },
  ...{ teamId: null, acknowledgedById: null },
});

const isTooLong = ({ startedAt }: StandbyDrill): boolean => Date.now() - startedAt >= LONGEST;

const lateEnd = ({ status }: StandbyDrill) =>
  status === "starting" ? ("failed" as const) : ("not_acknowledged" as const);

const ended = (
  drill: StandbyDrill,
  status: "acknowledged" | "not_acknowledged" | "failed",
): StandbyDrill => ({ ...drill, status, endedAt: Date.now() });

/** Pages whoever is on call in one of the teams, another one each time. */
async function start(
  env: Cloudflare.Env,
  drill: StandbyDrill,
  waitUntil: WaitUntil,
): Promise<StandbyDrill> {
  const { accountId, alertId, byId, number } = drill;
  const now = Date.now();
  const { teams, uncovered } = await findUncovered(env.DB, accountId, now);
  const isEmpty = (id: string) =>
    uncovered.some((it) => it.teamId === id && it.layer === 1 && it.startAt <= now);
  const covered = teams.filter(({ id }) => !isEmpty(id));
  const team = covered[number % covered.length];
  const admin = await first(env.DB, selectDrillAdmin(accountId, byId));
  if (team === undefined || admin === null) return ended(drill, "failed");
  const name = byId === null ? "the standby" : admin.name;
  const actor = { kind: "link", accountId, accountUserId: admin.id, name } as const;
  const context = { env, db: env.DB, actor, now, stillAllowed: [], waitUntil };
  const started = await startDrill(context, alertId, { form: "id", value: team.id }, {});
  if (!isRefusal(started)) return { ...drill, status: "running", teamId: team.id };
  logFault("the standby could not start a drill", started.errors, { team: team.id });
  return started.reason === "unavailable" ? drill : ended(drill, "failed");
}

/** How a drill goes on, as its own report says. */
async function look(env: Cloudflare.Env, drill: StandbyDrill): Promise<StandbyDrill> {
  const { accountId, alertId } = drill;
  const identifier = { form: "id", value: alertId } as const;
  const shown = await first(env.DB, selectRecord(drillRecords, accountId, identifier));
  if (shown === null) return ended(drill, "failed");
  if (shown.ended_at === null) return drill;
  const { acknowledged_by_id: acknowledgedById } = shown;
  const status = acknowledgedById === null ? "not_acknowledged" : "acknowledged";
  return { ...ended(drill, status), acknowledgedById };
}
