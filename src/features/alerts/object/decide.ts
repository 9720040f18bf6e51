// Decides a command on an alert: load, `transition`, commit. Reads from D1 what the decision needs,
// and the alert's own state if its object has emptied itself; then decides again on what is current,
// so that concurrent changes are never overwritten.
import type { Alert } from "../../../domain/alerts/alert.ts";
import type { Command, Facts, Outcome, WindowFacts } from "../../../domain/alerts/commands.ts";
import { transition } from "../../../domain/alerts/transition.ts";
import type { Routers } from "../../../domain/routing/routing.ts";
import { type Identifier, instantOfId } from "../../../domain/shared/identifiers.ts";
import { type Refusal, refuse, refused } from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { findFirstAlerts } from "../alerts/shared-keys.ts";
import { type FactsWith, readFactsWith } from "../escalation/destination-facts.ts";
import { type StoredAlert, selectBuriedAlert, selectStoredAlert } from "./stored-alert-rows.ts";
import { readWindow } from "./window-rows.ts";

type Changed = Extract<Outcome, { kind: "changed" }>;
type Needs = Extract<Outcome, { kind: "needs" }>;

type Read = readonly [
  FactsWith<StoredAlert>,
  Routers | null,
  ReadonlyMap<string, string>,
  WindowFacts | undefined,
];

/** The decision, and the alert after it; null if there is none. */
export type DecidedStep = {
  readonly outcome: Exclude<Outcome, Needs>;
  readonly alert: Alert | null;
};

/** The state of an alert's object. */
export type AlertState = {
  readonly read: () => Alert | null;
  readonly restore: (stored: StoredAlert) => void;
  /** How often the object has emptied itself: what was read before that is outdated. */
  readonly timesEmptied: () => number;
  readonly wasRetired: (id: string) => boolean;
  /** Claims the alert's `Id` and dedup keys; returns why it is refused. Throws if one is not reached. */
  readonly claim: (alert: Alert) => Promise<Refusal | null>;
  readonly commit: (before: Alert | null, outcome: Changed, now: number) => void;
};

/** How long an alert is new after its id was made (ms). */
const NEW_MS = 5_000;

const NOTHING_NEEDED: Needs = { kind: "needs", destinations: [] };
const FOREIGN: DecidedStep = {
  outcome: refused(refuse("not_found", "no such alert")),
  alert: null,
};
const FINISHED = { kind: "unchanged", result: "finished" } as const;

/** Reads routers by code that is loaded for the first alert that a router routes: the rules' languages are large. */
async function findRouters(
  env: Cloudflare.Env,
  accountId: string,
  identifiers: readonly string[],
): Promise<Routers> {
  const { readRouters } = await import("../../routing/routers/rows.ts");
  return readRouters(env.DB, accountId, identifiers);
}

/**
 * Decides and commits.
 *
 * @param name the object's name, the alert's `prefix_id`
 * @returns 503 if D1 cannot be read; nothing is decided then
 */
export async function decide(
  env: Cloudflare.Env,
  name: string,
  accountId: string,
  command: Command,
  state: AlertState,
): Promise<DecidedStep | Refusal> {
  let facts: Facts = new Map();
  let routers: Routers | null = null;
  let firsts: ReadonlyMap<string, string> = new Map();
  let hasClaimed = false;
  let window: WindowFacts | undefined;
  let isNew = isJustNamed(command) && state.timesEmptied() === 0;
  /** Whether there is no such alert: its id was made for this call, or D1 has just said so. */
  let isUnknown = isNew;
  for (;;) {
    const now = Date.now();
    const before = state.read();
    if (before === null && isUnknown && command.type === "create") {
      if (state.wasRetired(command.draft.id)) return { outcome: FINISHED, alert: null };
    }
    if (before !== null && before.accountId !== accountId) return FOREIGN;
    const known = { facts, routers, firsts, hasClaimed, ...(window && { window }) };
    const context = { now, newId: () => newId(now), ...known };
    const outcome = transition(before, command, context);
    const mustLoad = before === null && !isUnknown;
    if (outcome.kind !== "needs" && !mustLoad) {
      if (outcome.kind === "changed") state.commit(before, outcome, now);
      return { outcome, alert: outcome.kind === "changed" ? outcome.alert : before };
    }
    const needs = outcome.kind === "needs" ? outcome : NOTHING_NEEDED;
    const timesEmptied = state.timesEmptied();
    try {
      if (needs.claim && before !== null) {
        const refusal = await state.claim(before);
        if (refusal !== null) return { outcome: refused(refusal), alert: before };
        hasClaimed = true;
        // What is decided and committed now follows the claim without a pause.
        continue;
      }
      const stored = before === null && !isNew ? selectsOf(accountId, nameOf(command, name)) : [];
      const [read, found, first, around]: Read = await Promise.all([
        readFactsWith(env.DB, accountId, needs.destinations, now, stored),
        needs.routers ? findRouters(env, accountId, needs.routers) : routers,
        needs.aggregates
          ? findFirstAlerts(env, accountId, ownIdOf(command, before), needs.aggregates)
          : firsts,
        needs.window && before !== null ? readWindow(env.DB, before, now) : window,
      ]);
      window = around;
      facts = new Map([...facts, ...read.facts]);
      routers = found;
      firsts = first;
      const isCurrent = timesEmptied === state.timesEmptied();
      const [alert] = read.also.flat();
      isNew &&= isCurrent;
      isUnknown = isCurrent && alert === undefined;
      if (isCurrent && alert !== undefined && state.read() === null) state.restore(alert);
    } catch (error) {
      logFault("an alert could not read its destinations", error);
      return refuse("unavailable", "the database cannot be reached; nothing was changed");
    }
  }
}

/**
 * Whether the alert's id was made for this very call. Only for a moment: a call that comes late may follow its own
 * repetition, and the alert may have ended by then.
 */
const isJustNamed = (command: Command): boolean =>
  command.type === "create" &&
  command.isNew === true &&
  Math.abs(Date.now() - instantOfId(command.draft.id)) < NEW_MS;

/** Of a new alert the whole id is known: its `prefix_id` costs a look at all alerts of the minute. */
const nameOf = (command: Command, prefixId: string): Identifier =>
  command.type === "create"
    ? { form: "id", value: command.draft.id }
    : { form: "prefix_id", value: prefixId };

const selectsOf = (accountId: string, name: Identifier) => [
  selectStoredAlert(accountId, name),
  selectBuriedAlert(accountId, name),
];

/** The account's alert, read back from D1 if necessary; null if there is none. Throws if D1 does. */
export async function loadAlert(
  env: Cloudflare.Env,
  name: string,
  accountId: string,
  state: Pick<AlertState, "read" | "restore" | "timesEmptied">,
): Promise<Alert | null> {
  for (;;) {
    const known = state.read();
    if (known !== null) return known.accountId === accountId ? known : null;
    const timesEmptied = state.timesEmptied();
    const stored = selectsOf(accountId, { form: "prefix_id", value: name });
    const read = await readFactsWith(env.DB, accountId, [], Date.now(), stored);
    const [found] = read.also.flat();
    if (timesEmptied !== state.timesEmptied() || state.read() !== null) continue;
    if (found === undefined) return null;
    state.restore(found);
  }
}

const ownIdOf = (command: Command, before: Alert | null) =>
  before?.id ?? (command.type === "create" ? command.draft.id : "");
