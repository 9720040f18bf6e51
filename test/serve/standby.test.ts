// A primary and its standby: what the standby holds, confirms, takes over and gives back.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../support/serve/server.ts";
import {
  type Deployment,
  isShownActive,
  type Pair,
  sendEvent,
  startPair,
  statusesOf,
} from "../support/serve/standby.ts";

const PATIENCE = { timeout: 120_000, interval: 100 };

let pair: Pair;
beforeAll(async () => {
  pair = await startPair(1, [600, 600]);
});
afterAll(() => pair?.close());

const create = (Id: string) => ({ event_type: "create", Id, Title: `Fire ${Id}` });
const send = ({ place }: Deployment, body: object) => sendEvent(pair, place.url, body);

const pagesAt = ({ mailbox }: Deployment, id: string) =>
  mailbox.letters.filter(({ subject }) => subject.endsWith(`Fire ${id}`));

const untilReport = (expected: object) =>
  expect.poll(() => pair.report(), PATIENCE).toMatchObject(expected);
const READY = { role: "silent", held: 0, snapshotAt: expect.any(Number) };

/** Answers a page by the link in it. */
async function answer(page: { readonly text: string } | undefined, action: string) {
  const link = /http:\/\/127\.0\.0\.1:\d+\/a\/\S+/.exec(page?.text ?? "")?.[0] ?? "";
  expect(link).toContain(pair.standby.place.url);
  const body = new URLSearchParams({ action });
  expect((await fetch(link, { method: "POST", body })).status).toBe(200);
}

test("a standby stores events and stays silent, and its primary confirms them", async () => {
  await untilReport(READY);
  expect(await send(pair.primary, create("1"))).toBe(200);
  expect(await send(pair.standby, create("1"))).toBe(200);
  await expect.poll(() => pagesAt(pair.primary, "1"), PATIENCE).toHaveLength(1);
  await untilReport(READY);
  expect(pagesAt(pair.primary, "1")).toHaveLength(1);
  expect(await statusesOf(pair, "Fire 1")).toHaveLength(1);
  expect(pair.standby.mailbox.letters).toEqual([]);
});

test("what only the standby got, it gives on, in order", async () => {
  expect(await send(pair.standby, create("2"))).toBe(200);
  expect(await send(pair.standby, create("2 too"))).toBe(200);
  expect(await send(pair.standby, { ...create("2 too"), event_type: "resolve" })).toBe(200);
  await expect.poll(() => pagesAt(pair.primary, "2"), PATIENCE).toHaveLength(1);
  await untilReport(READY);
  await expect.poll(() => statusesOf(pair, "Fire 2 too"), PATIENCE).toEqual(["resolved"]);
  expect(pair.standby.mailbox.letters).toEqual([]);
});

test("an event of an integration that it does not know is to be sent again", async () => {
  await untilReport(READY);
  const known = pair.world.integrations[0] ?? "";
  const other = known.slice(0, 8) + (known[8] === "a" ? "b" : "a") + known.slice(9);
  const unknown = await fetch(`${pair.standby.place.url}/integration/${other}`, { method: "POST" });
  expect(unknown.status).toBe(503);
});

test("a bad line to the primary alone is no reason to take over", async () => {
  pair.line.fault = "cut";
  expect(await send(pair.standby, create("3"))).toBe(200);
  await new Promise((done) => setTimeout(done, 8_000));
  expect(await pair.report()).toMatchObject({ role: "silent", held: 1 });
  pair.line.fault = null;
  await untilReport(READY);
  await expect.poll(() => pagesAt(pair.primary, "3"), PATIENCE).toHaveLength(1);
});

test("it takes over from a primary that is gone, pages as the standby, and gives answers back", async () => {
  await untilReport(READY);
  await pair.primary.server.kill();
  for (const id of ["4", "5"]) expect(await send(pair.standby, create(id))).toBe(200);
  await expect.poll(() => pagesAt(pair.standby, "5"), PATIENCE).toHaveLength(1);
  expect(await pair.report()).toMatchObject({ role: "active", byHand: false });
  const [page] = pagesAt(pair.standby, "4");
  expect(page?.subject).toContain("By the standby: Fire 4");
  await answer(page, "acknowledge");
  await answer(pagesAt(pair.standby, "5")[0], "resolve");

  pair.primary.server = await startServer(pair.primary.place);
  await untilReport(READY);
  await expect.poll(() => statusesOf(pair, "Fire 4"), PATIENCE).toEqual(["acknowledged"]);
  await expect.poll(() => statusesOf(pair, "Fire 5"), PATIENCE).toEqual(["resolved"]);
  expect([pagesAt(pair.standby, "4"), pagesAt(pair.standby, "5")]).toMatchObject([[{}], [{}]]);
});

test("a person takes over and stands down, whether the primary answers or not", async () => {
  expect(await pair.command("take-over")).toBe(200);
  expect(await send(pair.standby, create("6"))).toBe(200);
  await expect.poll(() => pagesAt(pair.standby, "6"), PATIENCE).toHaveLength(1);
  // The primary answers, is told that it is not alone, and gets the event as well.
  await expect.poll(() => isShownActive(pair), PATIENCE).toBe(true);
  await expect.poll(() => statusesOf(pair, "Fire 6"), PATIENCE).toEqual(["open"]);
  await new Promise((done) => setTimeout(done, 5_000));
  expect(await pair.report()).toMatchObject({ role: "active", byHand: true });
  await answer(pagesAt(pair.standby, "6")[0], "acknowledge");
  expect(await pair.command("stand-down")).toBe(200);
  await untilReport(READY);
  await expect.poll(() => isShownActive(pair), PATIENCE).toBe(false);
  await expect.poll(() => statusesOf(pair, "Fire 6"), PATIENCE).toEqual(["acknowledged"]);
});

test("where it may not take over by itself, an admin has it do so by a link, and stand down by another", async () => {
  await untilReport(READY);
  // Nobody in another network says anything.
  pair.outside.fault = "cut";
  pair.line.fault = "cut";
  const questions = (subject: string) =>
    pair.standby.mailbox.letters.filter((it) => it.subject.includes(subject));
  const linkIn = (subject: string) =>
    /http:\/\/127\.0\.0\.1:\d+\/a\/\S+/.exec(questions(subject).at(-1)?.text ?? "")?.[0] ?? "";
  const press = (link: string, action: string) =>
    fetch(link, { method: "POST", body: new URLSearchParams({ action }) });

  await expect.poll(() => questions("Take over?"), PATIENCE).toHaveLength(1);
  const take = linkIn("Take over?");
  expect((await fetch(take)).status).toBe(200);
  expect(await pair.report()).toMatchObject({ role: "silent" });
  expect((await press(take, "take_over")).status).toBe(200);
  await untilReport({ role: "active", byHand: true });
  expect((await press(take, "take_over")).status).toBe(410);
  expect(await send(pair.standby, create("7"))).toBe(200);
  await expect.poll(() => pagesAt(pair.standby, "7"), PATIENCE).toHaveLength(1);

  // A question that is over may come late: a message of the take-over before.
  const asked = async () => {
    const link = linkIn("has taken over");
    return link === "" ? 0 : (await fetch(link)).status;
  };
  await expect.poll(asked, PATIENCE).toBe(200);
  pair.line.fault = null;
  pair.outside.fault = null;
  const down = linkIn("has taken over");
  expect((await press(down, "stand_down")).status).toBe(200);
  await untilReport(READY);
  expect((await press(down, "stand_down")).status).toBe(410);
  const { deeds } = await pair.report();
  expect(deeds.slice(0, 2)).toMatchObject([
    { order: "stand_down", by: "link" },
    { order: "take_over", by: "link" },
  ]);
  await expect.poll(() => statusesOf(pair, "Fire 7"), PATIENCE).toEqual(["open"]);
});
