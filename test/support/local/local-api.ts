/**
 * The API without HTTP: its routes in Node, on a database in memory, with a clock that the test sets
 * (fake timers). Objects and queues do not exist: a calendar is read when a request asks for it, and
 * company holidays when the test does.
 */

import type { MemberActor } from "../../../src/domain/access/actor.ts";
import { isRefusal } from "../../../src/domain/shared/refusal.ts";
import { previewAbsences } from "../../../src/features/oncall/absence-calendars/absence-source.ts";
import { readAbsences } from "../../../src/features/oncall/absence-calendars/read-absences.ts";
import { previewReading } from "../../../src/features/oncall/calendar-imports/preview-reading.ts";
import { readImport } from "../../../src/features/oncall/calendar-imports/read-import.ts";
import type {
  PreviewedAbsences,
  PreviewedImport,
  WatchedCalendar,
} from "../../../src/features/rpc.ts";
import type { Answer } from "../../../src/kernel/http/answers.ts";
import { findRoutes } from "../../../src/kernel/http/find-route.ts";
import type { Route } from "../../../src/kernel/http/route.ts";
import { runRoute } from "../../../src/kernel/http/serve.ts";
import { routes } from "../../../src/routes.ts";
import { buildColleague, buildFirstAccount } from "../../../src/setup/first-account.ts";
import type { LocalDatabase } from "./sqlite-database.ts";

type LocalReply = {
  /** 200, 201, 204, or the reason of a refusal. */
  readonly status: number | string;
  /** The faulty fields of a refusal, sorted. */
  readonly fields: readonly string[];
  readonly body: any;
  /** The operation id of the route. */
  readonly operation: string;
};

export type LocalAccount = {
  readonly accountId: string;
  /** The ids of the people: an admin, then members. */
  readonly people: readonly string[];
  /** Their e-mail addresses. */
  readonly emails: readonly string[];
  /** Calls a route as the person with this index; 0 is the admin. */
  readonly api: (
    method: string,
    path: string,
    body?: Record<string, unknown>,
    by?: number,
  ) => Promise<LocalReply>;
  /** Reads the company holidays into absences, as the objects do after every change. */
  readonly follow: () => Promise<void>;
};

let accounts = 0;

/** The routes by the number of parts of their paths: generated tests look for one hundreds of thousands of times. */
const routesByLength = Map.groupBy(routes, ({ path }) => path.split("/").length);

function routeAt(method: string, path: string): Route {
  const alike = routesByLength.get(path.split("/").length) ?? [];
  const [route] = findRoutes(
    alike.filter((it) => it.method === method),
    path,
  );
  if (!route) throw new Error(`no route ${method} ${path}`);
  return route;
}

/** The operation id of the route at a path; throws if there is none. */
export const operationAt = (method: string, path: string): string =>
  routeAt(method, path).operation;

/** Creates an account with an admin and some members. */
export async function makeLocalAccount(
  database: LocalDatabase,
  members: number,
): Promise<LocalAccount> {
  const now = Date.now();
  accounts += 1;
  const names = ["admin", ...Array.from({ length: members }, (_, index) => `member-${index}`)];
  const emails = names.map((person) => `${person}.${accounts}@example.com`);
  const named = (at: number) => ({ person: names[at] ?? "", email: emails[at] ?? "" });
  const first = buildFirstAccount({ account: `Account ${accounts}`, ...named(0) }, now);
  const { accountId } = first;
  const colleagues = Array.from({ length: members }, (_, index) =>
    buildColleague(accountId, named(index + 1), now),
  );
  const rows = [first, ...colleagues].flatMap(({ statements }) => statements);
  await database.batch(rows.map(({ sql, params }) => database.prepare(sql).bind(...params)));
  const people = [first, ...colleagues].map(({ accountUserId }) => accountUserId);
  const variables = { DB: database, RATE_LIMITS: "off", LOG_CHANGES: "off" };
  const reading = { complete: true, begin: async () => {}, died: null };
  const calendarImports = {
    getByName: () => ({
      expect: async () => {},
      refresh: (it: WatchedCalendar) => readImport(env, { ...it, ...reading }, () => {}),
      preview: (it: PreviewedImport) => previewReading(env, it),
    }),
  };
  // A reading that a change of the holidays starts by itself comes before those that are asked for.
  let read: Promise<unknown> = Promise.resolve();
  const readInTurn = (it: WatchedCalendar): Promise<unknown> => {
    read = read.then(() => readAbsences(env, { ...it, ...reading }));
    return read;
  };
  const absenceCalendars = {
    getByName: () => ({
      expect: async () => {},
      refresh: readInTurn,
      preview: (it: PreviewedAbsences) => previewAbsences(env, it),
    }),
  };
  const env = {
    ...{ ...variables, CALENDAR_IMPORT: calendarImports, ABSENCE_CALENDAR: absenceCalendars },
    ...{ SCHEDULE: notified, TEAM: notified, PERSON: notified, COVER_REQUEST: notified },
  } as unknown as Cloudflare.Env;
  const api: LocalAccount["api"] = async (method, path, body = {}, by = 0) => {
    const url = new URL(`https://tocsin.test/api/v4${path}`);
    const below = path.replace(/\?.*/, "");
    const route = routeAt(method, below);
    const actor = actorOf(accountId, people[by] ?? "", by === 0);
    const { answer } = await runRoute(route, {
      ...{ env, db: database, requestId: "request", url, params: paramsOf(route, below) },
      ...{ idempotencyKey: null, longestPage: 100, isCounted: true },
      identify: async () => actor,
      // As it arrives: without what JSON does not have.
      readParameters: async () => JSON.parse(JSON.stringify(body)),
      waitUntil: () => {},
    });
    return replyOf(answer, route);
  };
  const follow = async () => {
    const { body } = await api("GET", "/absence_calendars?company_holidays=true&limit=100");
    for (const { id } of body.data) await readInTurn({ id, accountId });
  };
  return { accountId, people, emails, api, follow };
}

/** Objects that are told of changes, and do nothing about them. */
const notified = { getByName: () => new Proxy({}, { get: () => async () => {} }) };

const paramsOf = ({ path }: Route, sent: string): Record<string, string> => {
  const parts = sent.split("/");
  return Object.fromEntries(
    path.split("/").flatMap((name, at) => {
      return name.startsWith(":") ? [[name.slice(1), parts[at] ?? ""]] : [];
    }),
  );
};

const actorOf = (accountId: string, accountUserId: string, admin: boolean): MemberActor => ({
  ...{ kind: "key", accountId, accountUserId, userId: accountUserId, name: "Person" },
  ...{ credentialId: accountUserId, isOwnCredential: true, readOnly: false },
  roles: { admin, billing: false, broadcaster: false, communicator: false },
});

function replyOf(answer: Answer, { operation }: Route): LocalReply {
  if (isRefusal(answer)) {
    const fields = answer.errors.map(({ field = "" }) => field).sort();
    return { status: answer.reason, fields, body: answer.errors, operation };
  }
  const done = { fields: [], operation };
  switch (answer.kind) {
    case "record":
      return { ...done, status: answer.status, body: answer.record };
    case "list":
      return { ...done, status: 200, body: answer.list };
    case "bare":
      return { ...done, status: 200, body: answer.body };
    default:
      return { ...done, status: 204, body: null };
  }
}
