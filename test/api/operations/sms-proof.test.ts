// Each provider of SMS is proven by a text to a second number of our own, which its callback reports.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  audit,
  awaitProbe,
  brokenIn,
  forgetOperations,
  monitor,
  scrape,
} from "../../support/operations/operations.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import {
  callBack,
  openTwilio,
  type Twilio,
  text,
  twilioError,
} from "../../support/providers/twilio.ts";
import { failDatabase, soon } from "../../support/worker/faults.ts";

const SECOND_NUMBER = "+15005550010";
const MINUTE = 60_000;

let twilio: Twilio;
let watcher: ReturnType<typeof monitor>;

beforeEach(async () => {
  openMailbox();
  vi.spyOn(console, "error").mockImplementation(() => {});
  twilio = openTwilio();
  watcher = monitor();
  await forgetOperations();
  vi.spyOn(env, "SMS_PROOF_NUMBER", "get").mockReturnValue("+1 500 555 0010");
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await forgetOperations();
});

const counted = async (outcome: string) =>
  (await scrape()).get(`tocsin_sms_proof_total{provider="twilio",outcome="${outcome}"}`) ?? 0;

/** An audit some minutes later, with a queue that works. */
async function auditAfter(minutes: number): Promise<void> {
  await awaitProbe();
  vi.useFakeTimers({ now: Date.now() + minutes * MINUTE, toFake: ["Date"] });
  await audit();
}

/** Waits until the queue's consumer has asked Twilio so many times. */
const untilAsked = (times: number) => vi.waitFor(() => expect(twilio.asked).toBe(times), soon);

const sentTexts = () => twilio.taken.map(({ form }) => form.Body ?? "");

/** What Twilio reports of the latest SMS to the second number. */
const deliver = () => text(env.TWILIO_FROM, sentTexts().at(-1) ?? "", SECOND_NUMBER);

test("an SMS is sent once in an hour, arrives by the callback, and gets no reply", async () => {
  await audit();
  await untilAsked(1);
  expect(twilio.taken).toMatchObject([
    { resource: "Messages", form: { To: SECOND_NUMBER, From: env.TWILIO_FROM } },
  ]);
  expect(await deliver()).toBeNull();
  await auditAfter(59);
  expect(sentTexts()).toHaveLength(1);
  const values = await scrape();
  expect(brokenIn(values)).toEqual([]);
  expect(values.get('tocsin_sms_proof_seconds_count{provider="twilio"}')).toBe(1);
  expect([await counted("sent"), await counted("arrived"), await counted("lost")]).toEqual([
    1, 1, 0,
  ]);
  await auditAfter(1);
  await untilAsked(2);
  expect(new Set(sentTexts()).size).toBe(2);
});

test("a provider that takes SMS and delivers none stops the heartbeat until one arrives", async () => {
  await audit();
  await untilAsked(1);
  await auditAfter(3);
  await auditAfter(1);
  expect(brokenIn(await scrape())).toEqual(["sms_arrives"]);
  expect(await counted("lost")).toBe(1);
  const { beats } = watcher;
  // The next one is on its way, which proves nothing.
  await auditAfter(1);
  await untilAsked(2);
  await auditAfter(1);
  expect(brokenIn(await scrape())).toEqual(["sms_arrives"]);
  expect(watcher.beats).toBe(beats);
  await deliver();
  await auditAfter(1);
  expect(brokenIn(await scrape())).toEqual([]);
  expect(watcher.beats).toBe(beats + 1);
  expect([await counted("lost"), await counted("arrived")]).toEqual([1, 1]);
});

test("a provider that refuses it is unproven at once", async () => {
  twilio.refusal = twilioError(400, 21606);
  await audit();
  await vi.waitFor(async () => expect(await counted("refused")).toBe(1), soon);
  await auditAfter(1);
  expect(brokenIn(await scrape())).toEqual(["sms_arrives"]);
  expect([await counted("refused"), await counted("lost")]).toEqual([1, 0]);
});

test("neither another text nor a forged callback proves anything", async () => {
  await audit();
  await untilAsked(1);
  expect(
    await text("+14155550199", "Tocsin checks that SMS arrive: 00000000", SECOND_NUMBER),
  ).toBeNull();
  const form = { From: env.TWILIO_FROM, To: SECOND_NUMBER, Body: sentTexts()[0] ?? "" };
  const forged = await callBack("messages", form, "another token");
  expect(forged.status).toBe(403);
  expect(await counted("arrived")).toBe(0);
});

test("it is sent and reported while the database is down", async () => {
  const mend = failDatabase();
  await audit();
  await untilAsked(1);
  await deliver();
  mend();
  expect(await counted("arrived")).toBe(1);
});

test("without the number nothing is sent", async () => {
  vi.spyOn(env, "SMS_PROOF_NUMBER", "get").mockReturnValue("");
  await audit();
  await awaitProbe();
  expect(twilio.asked).toBe(0);
});
