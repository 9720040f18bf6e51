// When the SMS to our own number is sent, and when it counts as lost.
import { expect, test } from "vitest";
import { type Canary, isCanaryMissing } from "../../../src/domain/operations/canary.ts";
import {
  isNewlyLost,
  isProofDue,
  isProofText,
  isUnproven,
  proofIntervalMs,
  proofNumber,
  proofText,
  type SmsProof,
  unprovenProviders,
} from "../../../src/domain/operations/sms-proof.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const sent: SmsProof = {
  ...{ code: "0A1B2C3D", sentAt: 0, arrivedAt: null, isLost: false, isAfterLoss: false },
};

test.each([
  [undefined, HOUR],
  ["", HOUR],
  ["60", HOUR],
  ["15", 15 * MINUTE],
  ["1", 5 * MINUTE],
  ["0", 5 * MINUTE],
  ["-3", 5 * MINUTE],
  ["Infinity", HOUR],
  ["often", HOUR],
])("every %j minutes: %i ms", (setting, expected) => {
  expect(proofIntervalMs(setting)).toBe(expected);
});

test.each([
  [undefined, null],
  ["", null],
  ["+1 (415) 555-0123", "+14155550123"],
  ["14155550123", "+14155550123"],
])("the number %j is %j", (setting, expected) => {
  expect(proofNumber(setting)).toBe(expected);
});

test("an SMS is found by its code, whatever stands around it", () => {
  const text = proofText(sent.code);
  expect(isProofText(sent, text)).toBe(true);
  expect(isProofText(sent, `Sent from a trial account - ${text} Msg&data rates`)).toBe(true);
  expect(isProofText(sent, proofText("0A1B2C3E"))).toBe(false);
});

test("an SMS has three minutes; one that is lost is repeated five minutes after it was sent", () => {
  expect(isUnproven(sent, 3 * MINUTE)).toBe(false);
  expect(isUnproven(sent, 3 * MINUTE + 1)).toBe(true);
  expect([isNewlyLost(sent, 3 * MINUTE), isNewlyLost(sent, 3 * MINUTE + 1)]).toEqual([false, true]);
  expect(isNewlyLost({ ...sent, isLost: true }, HOUR)).toBe(false);
  expect(isUnproven({ ...sent, isLost: true }, 1)).toBe(true);
  expect(isProofDue(undefined, 0, HOUR)).toBe(true);
  expect(isProofDue(sent, 4 * MINUTE, HOUR)).toBe(false);
  expect(isProofDue(sent, 5 * MINUTE, HOUR)).toBe(true);
  const arrived = { ...sent, arrivedAt: 2_000 };
  expect(isUnproven(arrived, HOUR)).toBe(false);
  expect(isProofDue(arrived, HOUR - 1, HOUR)).toBe(false);
  expect(isProofDue(arrived, HOUR, HOUR)).toBe(true);
  expect(isProofDue(arrived, -1, HOUR)).toBe(true);
});

test("after a loss nothing is proven until one has arrived", () => {
  const next = { ...sent, isAfterLoss: true };
  expect(isUnproven(next, 1)).toBe(true);
  expect(isUnproven({ ...next, arrivedAt: 1 }, 1)).toBe(false);
  const canary: Canary = { id: "c", sentAt: 0, arrivedAt: null, isLost: false, isAfterLoss: true };
  expect(isCanaryMissing(canary, 1)).toBe(true);
  expect(isCanaryMissing({ ...canary, arrivedAt: 1 }, 1)).toBe(false);
  expect(isCanaryMissing({ ...canary, isAfterLoss: false }, MINUTE)).toBe(false);
  expect(isCanaryMissing({ ...canary, isAfterLoss: false }, MINUTE + 1)).toBe(true);
  expect(isCanaryMissing(null, HOUR)).toBe(false);
});

test("a provider that is not in use any more is not judged", () => {
  const proofs = { twilio: { ...sent, isLost: true }, vonage: sent, telnyx: sent };
  expect(unprovenProviders(proofs, ["twilio", "vonage"], MINUTE)).toEqual(["twilio"]);
  expect(unprovenProviders(proofs, ["vonage"], MINUTE)).toEqual([]);
  expect(unprovenProviders({}, ["twilio"], MINUTE)).toEqual([]);
});
