// Alerts, destinations and commands for tests: times are relative to `T0`, ids are words.
import type { Alert, Destination, LogEntry, Page } from "../../../src/domain/alerts/alert.ts";
import {
  type AlertDraft,
  type Command,
  type CommandAuthor,
  type Facts,
  factsKey,
  type Outcome,
} from "../../../src/domain/alerts/commands.ts";
import { type DestinationFacts, personFacts } from "../../../src/domain/alerts/escalation.ts";
import { transition } from "../../../src/domain/alerts/transition.ts";
import type { PageReport } from "../../../src/domain/notifications/page.ts";
import type { Routers } from "../../../src/domain/routing/routing.ts";

/** The instant that test times are relative to. */
export const T0 = Date.UTC(2026, 0, 5, 9);
export const MINUTE = 60_000;

const person = (id: string) => ({ accountUserId: id, name: id.toUpperCase(), reason: "on call" });

/** A team whose n-th layer has these people on call ("ann bob"), each layer with a five-minute timeout. */
export function team(
  id: string,
  layers: readonly string[],
  options: {
    repeat?: number;
    members?: readonly string[];
    dropRecipients?: readonly string[];
    reassign?: readonly Destination[];
  } = {},
): DestinationFacts {
  const people = layers.map((names) => (names === "" ? [] : names.split(" ").map(person)));
  return {
    destination: { type: "team", id },
    name: `Team ${id}`,
    layers: layers.map((_, i) => ({ layer: i + 1, timeoutMs: 5 * MINUTE })),
    repeat: options.repeat ?? 0,
    onCall: Object.fromEntries(people.map((those, i) => [i + 1, those])),
    memberIds: options.members ?? people.flat().map((it) => it.accountUserId),
    dropRecipientIds: options.dropRecipients ?? [],
    reassign: options.reassign ?? [],
  };
}

export const personAlone = (id: string): DestinationFacts =>
  personFacts({ type: "account_user", id }, id.toUpperCase());

export const by = (id: string): CommandAuthor & { readonly accountUserId: string } => ({
  accountUserId: id,
  name: id.toUpperCase(),
});

/** A sender that represents no person. */
export const SENDER: CommandAuthor = { accountUserId: null, name: "integration Monitoring" };

export function draft(
  destinations: readonly DestinationFacts[],
  changes: Partial<AlertDraft> = {},
): AlertDraft {
  const of = (type: "team" | "account_user") =>
    destinations.filter((it) => it.destination.type === type).map((it) => it.destination.id);
  return {
    id: "alert",
    accountId: "account",
    source: { type: "Integration", id: "integration", name: "Monitoring", logId: "log" },
    thirdpartyId: "disk",
    dedupKeys: [],
    destinations: { teamIds: of("team"), routerIds: [], accountUserIds: of("account_user") },
    title: "Disk full",
    description: null,
    urgency: "high",
    tags: [],
    meta: {},
    additionalData: [],
    log: null,
    maintenance: null,
    requestId: null,
    autoResolveMs: null,
    ...changes,
  };
}

/** An alert and the results of all commands applied to it. */
export type History = {
  alert: Alert | null;
  readonly log: LogEntry[];
  readonly pages: Page[];
  readonly outcomes: Outcome[];
  /** The facts of the destinations; tests change them to simulate schedule changes. */
  facts: Facts;
  routers: Routers | null;
  firsts: ReadonlyMap<string, string>;
  /** Whether a reopened alert gets its identifiers back. */
  hasClaimed: boolean;
  /** The maintenance windows of its integration, as [start, end) in minutes after T0. */
  windows: readonly (readonly [number, number])[];
  /** Applies a command at `minutes` after T0. */
  do: (command: Command, minutes: number) => Outcome;
};

export function knowing(destinations: readonly DestinationFacts[]): Facts {
  return new Map(destinations.map((it) => [factsKey(it.destination), it]));
}

/** A history without an alert. All facts are passed in, as if the object had read them on request. */
export function history(destinations: readonly DestinationFacts[]): History {
  let ids = 0;
  const it: History = {
    alert: null,
    log: [],
    pages: [],
    outcomes: [],
    facts: knowing(destinations),
    routers: new Map(),
    firsts: new Map(),
    hasClaimed: true,
    windows: [],
    do: (command, minutes) => {
      const now = T0 + minutes * MINUTE;
      const newId = () => {
        ids += 1;
        return `workflow-${ids}`;
      };
      const ends = it.windows.flatMap(([from, to]) =>
        from <= minutes && minutes < to ? [to] : [],
      );
      const until = ends.length === 0 ? null : T0 + Math.max(...ends) * MINUTE;
      const outcome = transition(it.alert, command, {
        now,
        newId,
        facts: it.facts,
        routers: it.routers,
        firsts: it.firsts,
        hasClaimed: it.hasClaimed,
        window: { until, log: null },
      });
      if (outcome.kind === "changed") {
        it.alert = outcome.alert;
        it.log.push(...outcome.log);
        it.pages.push(...outcome.pages);
      }
      it.outcomes.push(outcome);
      return outcome;
    },
  };
  return it;
}

/** A history whose alert is created at T0 for these destinations. */
export function made(destinations: readonly DestinationFacts[]): History {
  const it = history(destinations);
  it.do({ type: "create", draft: draft(destinations), sequences: [1] }, 0);
  return it;
}

/** The people that a history paged, in order. */
export const paged = (it: History) => it.pages.map((page) => page.accountUserId).join(" ");

/** The state of each workflow, in order. */
export const states = (it: History) => it.alert?.workflows.map((one) => one.state).join(" ");

/** The consumer's report that no contact is left for the person of the first page. */
export function notReached(it: History, message: string): PageReport {
  const [page] = it.pages;
  if (page === undefined) throw new Error("nobody was paged");
  const lines = [{ key: `${page.effectId}:0:none`, level: "error", message } as const];
  return { effectId: page.effectId, lines, unreached: true, page };
}
