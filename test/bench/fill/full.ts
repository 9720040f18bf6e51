// Fills one database with ended alerts, and measures what they occupy, and what list pages and the
// work of a day read of them. The alerts are copies of some that were made through the front door.
import { DatabaseSync } from "node:sqlite";
import { findDatabase, onCopy, treeSizesOf } from "../price/bytes.ts";
import { type Alert, expectOk, listAlerts, settled, sideBySide } from "../price/life.ts";
import { retireUntilQuiet } from "../price/retirement.ts";
import type { Prepared, Server } from "../server.ts";
import { makeWorld } from "../world.ts";
import { originalName, type Span } from "./copier.ts";
import { findOriginals, insertCopies, type Originals } from "./fill.ts";
import { type Named, pagesOf, readPages } from "./pages.ts";
import { printPages, printSizes } from "./print.ts";
import { readTables } from "./tables.ts";
import { measureWork } from "./work.ts";

const ORIGINALS = 100;
/** Alerts of the team and of the person that have few: fewer than a page. */
const RARE = 5;
const CONCURRENCY = 8;
const DAY_MS = 86_400_000;
const UNLIMITED = { RATE_LIMITS: "off", PAGES_AT_ONCE: "0" };

/** Prints the section. `alerts`: how many to fill the database with. */
export async function full(bench: Prepared, alerts: number): Promise<string[]> {
  const { made, before, count } = await fillWithCopies(bench, alerts);
  const faults = printSizes(before, sizesOf(findDatabase(bench.state)), count);
  await bench.during(UNLIMITED, async (server) => {
    await server.sweep();
    const filled = await readPages(server, made.pages);
    faults.push(...printPages(made.pages, made.readings, filled));
    faults.push(...(await measureWork(server, made.intake)));
  });
  return faults;
}

/**
 * Fills the database.
 *
 * @returns the originals, the sizes with nothing but them, and the number of copies
 */
export async function fillWithCopies(bench: Prepared, alerts: number) {
  const made = await bench.during(UNLIMITED, makeOriginals);
  const path = findDatabase(bench.state);
  const before = sizesOf(path);
  const copies = Math.ceil(alerts / ORIGINALS);
  const started = performance.now();
  insertCopies(path, made.originals, copies);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  const count = copies * ORIGINALS;
  console.log(`\n${count} ended alerts of 400 days, written in ${seconds} s`);
  return { made, before, count };
}

/** Makes the originals, measures the pages of a database that has only them, and reads them. */
async function makeOriginals(server: Server) {
  const { intake, integrationId, teamId, people } = await makeWorld(server);
  const rare = await makeRare(server);
  await settled(server);
  const from = Date.now();
  const names = Array.from({ length: ORIGINALS }, (_, n) => n);
  await sideBySide(names, CONCURRENCY, (n) =>
    expectOk(
      server.post(intake, {
        event_type: "create",
        Id: originalName(n),
        Title: `Disk full on db-${n}`,
        Description: "Volume /data is 97 % full.",
      }),
    ),
  );
  await settled(server);
  const alerts = (await listAlerts(server)).slice(0, ORIGINALS);
  for (const verb of ["acknowledge", "resolve"]) {
    await sideBySide(alerts, CONCURRENCY, ({ id }) =>
      expectOk(server.post(`/api/v4/alerts/${id}/${verb}`, {})),
    );
  }
  await settled(server);
  const span: Span = { from, to: Date.now() };
  const named: Named = {
    ...{ teamId, integrationId, ...rare, personId: people[0] ?? "" },
    alertId: (alerts[0] as Alert).id,
    thirdpartyId: originalName(7),
    ...{ word: "disk", rareWord: "flooded" },
    day: [new Date(from - DAY_MS), new Date(from)].map((at) => at.toISOString()) as [
      string,
      string,
    ],
  };
  const pages = pagesOf(named);
  const readings = await readPages(server, pages);
  const originals = await readOriginals(server, span);
  return { pages, readings, originals, intake };
}

/** A team and a person who have few alerts. */
async function makeRare({ api }: Server) {
  const person = await api("/account_users", {
    user_attributes: { name: "Rory", emails_attributes: [{ email: "rory@example.com" }] },
  });
  const people = [person.id];
  const team = await api("/teams", {
    name: "Rare",
    member_account_user_ids: people,
    admin_account_user_ids: people,
  });
  for (let i = 0; i < RARE; i += 1) {
    const alert = { title: `Cellar flooded ${i}`, urgency: "low" };
    await api("/alerts", { ...alert, destination_team_ids: [team.id] });
    await api("/alerts", { ...alert, destination_account_user_ids: [person.id] });
  }
  return { rareTeamId: team.id ?? "", rarePersonId: person.id ?? "" };
}

/** Reads the rows to copy: those before the retirement of request logs, and which of them it took. */
async function readOriginals(server: Server, span: Span): Promise<Originals> {
  const path = findDatabase(server.state);
  const tables = onCopy(path, readTables);
  await retireUntilQuiet(server, 31 * DAY_MS);
  return findOriginals(tables, onCopy(path, readTables), span);
}

/** The sizes in a database that no worker has open. */
function sizesOf(path: string) {
  using database = new DatabaseSync(path);
  return treeSizesOf(database);
}
