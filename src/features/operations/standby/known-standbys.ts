// What a primary knows of its standbys: what each said of itself when it pulled a snapshot, and the drills that
// admins asked for.
import {
  afterPull,
  type DrilledAccount,
  type DrillRequest,
  type DueDrill,
  dueDrills,
  isDrillPending,
  type KnownStandby,
} from "../../../domain/operations/standby-drill.ts";
import type { StandbyCard } from "../../rpc.ts";

export class KnownStandbys {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  get list(): readonly KnownStandby[] {
    return this.#kv.get<readonly KnownStandby[]>("standbys") ?? [];
  }

  /** The last one of each account. */
  get #requests(): readonly DrillRequest[] {
    return this.#kv.get<readonly DrillRequest[]>("requests") ?? [];
  }

  /** Notes what a standby says of itself. Returns what it is to drill. `at` in epoch ms. */
  pulled(card: StandbyCard, accounts: readonly DrilledAccount[], at: number): readonly DueDrill[] {
    const standbys = afterPull(this.list, card, at);
    this.#kv.put("standbys", standbys);
    const standby = standbys.at(-1);
    return standby ? dueDrills(accounts, this.#requests, standbys, standby, at) : [];
  }

  /** Notes that an admin asks for a drill. Returns why not; null if it is noted. `at` in epoch ms. */
  ask(accountId: string, byId: string, at: number): string | null {
    if (isDrillPending(this.#requests, this.list, accountId, at)) return "a drill is under way";
    const others = this.#requests.filter((it) => it.accountId !== accountId);
    this.#kv.put("requests", [...others, { accountId, byId, at }]);
    return null;
  }
}
