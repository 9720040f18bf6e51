// What a primary knows of its standbys: what each said of itself when it came last, and the drills that admins
// asked for.
import {
  afterVisit,
  type DrilledAccount,
  type DrillRequest,
  type DueDrill,
  dueDrills,
  isDrillPending,
  type KnownStandby,
  type StandbyCard,
} from "../../../domain/operations/standby-drill.ts";

export class KnownStandbys {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  get list(): readonly KnownStandby[] {
    return this.#kv.get<readonly KnownStandby[]>("standbys") ?? [];
  }

  /** The last one of each account. */
  get requests(): readonly DrillRequest[] {
    return this.#kv.get<readonly DrillRequest[]>("requests") ?? [];
  }

  /** Notes what a standby says of itself. `at` in epoch ms. */
  note(card: StandbyCard, at: number): void {
    this.#kv.put("standbys", afterVisit(this.list, card, at));
  }

  /** What the standby that came last is to drill. `now` in epoch ms. */
  due(accounts: readonly DrilledAccount[], now: number): readonly DueDrill[] {
    const { list, requests } = this;
    const standby = list.at(-1);
    return standby ? dueDrills(accounts, requests, list, standby, now) : [];
  }

  /** Notes that an admin asks for a drill. Returns why not; null if it is noted. `at` in epoch ms. */
  ask(accountId: string, byId: string, at: number): string | null {
    if (isDrillPending(this.requests, this.list, accountId, at)) return "a drill is under way";
    const others = this.requests.filter((it) => it.accountId !== accountId);
    this.#kv.put("requests", [...others, { accountId, byId, at }]);
    return null;
  }
}
