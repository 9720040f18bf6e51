// The list pages of the API and the console, with every filter that promises to read only its page.
import { EMAIL, PASSWORD } from "../../support/worker/dev-worker.ts";
import { summary } from "../measure.ts";
import type { Server } from "../server.ts";

export type Page = {
  readonly what: string;
  readonly path: string;
  /** Whether it may read more rows the more there are: totals and rows without an index. */
  readonly mayScan?: boolean;
};

/** What the filters name. */
export type Named = {
  readonly teamId: string;
  /** A team and a person with fewer alerts than a page. */
  readonly rareTeamId: string;
  readonly personId: string;
  readonly rarePersonId: string;
  readonly integrationId: string;
  readonly alertId: string;
  readonly thirdpartyId: string;
  /** A word that all titles have, and one that only the rare alerts have. */
  readonly word: string;
  readonly rareWord: string;
  /** A day that has alerts, as two instants of ISO 8601. */
  readonly day: readonly [string, string];
};

export function pagesOf(named: Named): Page[] {
  const { teamId, rareTeamId, personId, rarePersonId, integrationId, alertId } = named;
  const day = `ops=created_at:between&created_at=${named.day.join("..")}`;
  const api = (what: string, query: string, mayScan = false) => ({
    what: `API ${what}`,
    path: `/api/v4${query}`,
    mayScan,
  });
  const shown = (what: string, path: string, mayScan = false) => ({
    what: `console ${what}`,
    path,
    mayScan,
  });
  return [
    api("alerts", "/alerts"),
    api("alerts, limit 100", "/alerts?limit=100"),
    api("alerts, offset 10,000", "/alerts?offset=10000", true),
    api("alerts, status open", "/alerts?status=open"),
    api("alerts, status resolved", "/alerts?status=resolved"),
    api("alerts of a team", `/teams/${teamId}/alerts`),
    api("alerts of a team that has few", `/teams/${rareTeamId}/alerts`),
    api("alerts, destination_team_ids", `/alerts?destination_team_ids=${teamId}`),
    api("the same, few", `/alerts?destination_team_ids=${rareTeamId}`),
    api(
      "alerts, destination_account_user_ids",
      `/alerts?destination_account_user_ids=${rarePersonId}`,
    ),
    api("alerts, thirdparty_id", `/alerts?thirdparty_id=${named.thirdpartyId}`),
    // Its total counts the ids of the day.
    api("alerts, created_at within a day", `/alerts?${day}`, true),
    api("alerts, q of all", `/alerts?q=${named.word}`, true),
    api("alerts, q of few", `/alerts?q=${named.rareWord}`, true),
    api("alerts, urgency", "/alerts?urgency=low", true),
    api("notifications of an alert", `/alerts/${alertId}/notifications`),
    api("workflows of an alert", `/alerts/${alertId}/workflows`),
    api("logs", "/logs"),
    api("logs of an integration", `/logs?owner_id=${integrationId}`, true),
    api("logs of an alert", `/logs?owner_id=${alertId}`),
    shown("alerts, active", "/alerts"),
    shown("alerts, open", "/alerts?status=open"),
    shown("alerts, resolved", "/alerts?status=resolved"),
    shown("alerts, all", "/alerts?status=all"),
    shown("alerts of a team, all", `/alerts?status=all&team=${teamId}`),
    shown("alerts of a team that has few", `/alerts?status=all&team=${rareTeamId}`),
    shown("alerts, search", `/alerts?status=all&q=${named.word}`, true),
    shown("alert", `/alerts/${alertId}`),
    shown("person", `/people/${personId}`),
    shown("integration", `/integrations/${integrationId}`, true),
    shown("integration's log", `/integrations/${integrationId}/log`, true),
    shown("reports", "/reports", true),
  ];
}

type Reading = { readonly rows: number; readonly ms: number; readonly status: number };

/** The most requests of a page, and when no more are sent (ms). */
const MAX = { requests: 20, ms: 4_000 };

/** The readings by the name of the page. */
export type Readings = ReadonlyMap<string, Reading>;

/** Requests of a page before it is measured. */
const WARM_UP = 3;

/** Requests every page. */
export async function readPages(server: Server, pages: readonly Page[]): Promise<Readings> {
  const cookie = await signIn(server);
  const readings = new Map<string, Reading>();
  for (const { what, path } of pages) readings.set(what, await readPage(server, cookie, path));
  return readings;
}

/** Requests a page several times; returns rows read per request and the median time. */
async function readPage(server: Server, cookie: string, path: string): Promise<Reading> {
  const headers = path.startsWith("/api/")
    ? server.headers
    : { Cookie: cookie, Accept: "text/html" };
  const read = async () => {
    const response = await fetch(server.url + path, { headers, redirect: "manual" });
    await response.arrayBuffer();
    return response.status;
  };
  let status = 0;
  for (let i = 0; i < WARM_UP; i += 1) status = await read();
  await server.reset();
  const times: number[] = [];
  const started = performance.now();
  while (times.length < MAX.requests && performance.now() - started < MAX.ms) {
    const sent = performance.now();
    await read();
    times.push(performance.now() - sent);
  }
  const { d1 } = await server.report();
  const rows = Object.values(d1).reduce((sum, it) => sum + it.rowsRead, 0);
  return { rows: rows / times.length, ms: summary(times).median, status };
}

/** Signs the first person in; returns the cookies. */
async function signIn({ url }: Server): Promise<string> {
  const response = await fetch(`${url}/sign-in`, {
    method: "POST",
    headers: { Origin: url, Accept: "text/html" },
    body: new URLSearchParams({ email: EMAIL, password: PASSWORD }),
    redirect: "manual",
  });
  if (response.status !== 303) throw new Error(`signing in was answered ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}
