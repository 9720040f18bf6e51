// Queue messages of the previous version and of this one, as committed under test/fixtures/versions.
import { expect, test } from "vitest";
import { isAccessMailMessage } from "../../../src/domain/access/access-mail.ts";
import { isSecurityMailMessage } from "../../../src/domain/access/security-notice.ts";
import type { CloseMessage } from "../../../src/domain/notifications/close-message.ts";
import { isCloseMessage } from "../../../src/domain/notifications/close-message.ts";
import {
  isPageMessage,
  isReleaseMessage,
  type PageMessage,
  type ReleaseMessage,
} from "../../../src/domain/notifications/page.ts";
import {
  isRepeatCallMessage,
  type RepeatCallMessage,
} from "../../../src/domain/notifications/repeat-call.ts";
import {
  isUnconfirmedMessage,
  isUndeliveredMessage,
  type UnconfirmedMessage,
  type UndeliveredMessage,
} from "../../../src/domain/notifications/undelivered.ts";
import { isProbeMessage, type ProbeMessage } from "../../../src/domain/operations/probe.ts";
import {
  isSmsProofMessage,
  type SmsProofMessage,
} from "../../../src/domain/operations/sms-proof-message.ts";
import { isWelcomeMessage, type WelcomeMessage } from "../../../src/domain/people/welcome.ts";
import {
  MESSAGE_VERSIONS,
  readableKind,
  tagged,
} from "../../../src/domain/shared/message-versions.ts";
import current from "../../fixtures/versions/current/messages.json" with { type: "json" };
import previous from "../../fixtures/versions/previous/messages.json" with { type: "json" };
import { shapeOf } from "../../support/upgrades/shape.ts";

const READERS: Readonly<Record<string, (body: unknown) => boolean>> = {
  page: isPageMessage,
  notice: isPageMessage,
  release: isReleaseMessage,
  welcome: isWelcomeMessage,
  accessMail: isAccessMailMessage,
  securityMail: isSecurityMailMessage,
  probe: isProbeMessage,
  smsProof: isSmsProofMessage,
  undelivered: isUndeliveredMessage,
  unconfirmed: isUnconfirmedMessage,
  close: isCloseMessage,
  repeatCall: isRepeatCallMessage,
};

const cases = [
  ...Object.entries(previous).map(([kind, body]) => ["the previous version", kind, body] as const),
  ...Object.entries(current).map(([kind, body]) => ["this version", kind, body] as const),
];

test.each(cases)("reads, of %s, the message %s", (_, kind, body) => {
  expect(readableKind(body)).toBe(kind === "notice" ? "page" : kind);
  const readers = Object.entries(READERS).filter(([, reads]) => reads(body));
  expect(readers.map(([name]) => name)).toContain(kind);
});

test("has a fixture of every kind", () => {
  expect(Object.keys(current).sort()).toEqual([...Object.keys(MESSAGE_VERSIONS), "notice"].sort());
});

/** Every attribute of a type, also the optional ones. */
type Whole<T> = T extends readonly (infer Item)[]
  ? readonly Whole<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]-?: Whole<T[Key]> }
    : T;

const [accountId, accountUserId, channel, id] = ["", "", "sms", ""] as const;
const page = { effectId: "", event: "alert.open", accountUserId, workflowId: "" } as const;
const times = { layer: 1, pass: 1, at: 0, until: 0, detail: null };
const alert = {
  id,
  version: 1,
  title: "",
  description: null,
  urgency: "high",
  createdAt: 0,
} as const;

/** Typed: a new attribute of a message has to be added here, and then to a fixture. */
const WHOLE = {
  page: {
    accountId,
    page: { ...page, ...times, isNews: true },
    alert: { ...alert, destinationName: "", exercise: "test" },
    notice: null,
    stage: 0,
    view: { alert: { title: "" }, log: {} },
  } satisfies Omit<Whole<PageMessage>, "notice" | "view"> & Pick<PageMessage, "notice" | "view">,
  release: {
    accountId,
    release: { accountUserId, channel, kind: "burst", dueAt: 0 },
  } satisfies Whole<ReleaseMessage>,
  welcome: { welcome: { accountId, accountUserId } } satisfies Whole<WelcomeMessage>,
  probe: { probe: { id, providers: [""] } } satisfies Whole<ProbeMessage>,
  smsProof: { smsProof: { provider: "twilio", code: "" } } satisfies Whole<SmsProofMessage>,
  undelivered: {
    accountId,
    undelivered: {
      ...{ accountUserId, channel, notificationIds: [""], reason: "" },
      ...{ at: 0, isProviderAtFault: true },
    },
  } satisfies Whole<UndeliveredMessage>,
  unconfirmed: {
    accountId,
    unconfirmed: { accountUserId, channel, notificationIds: [""], seconds: 1 },
  } satisfies Whole<UnconfirmedMessage>,
  close: { accountId, close: { alertId: "" } } satisfies Whole<CloseMessage>,
  repeatCall: {
    accountId,
    repeatCall: {
      ...{ notificationId: "", alertId: "" },
      page: { effectId: "", accountUserId, workflowId: "", layer: 1, pass: 1 },
    },
  } satisfies Whole<RepeatCallMessage>,
};

test.each(Object.entries(WHOLE))("has a fixture with all of the message %s", (kind, body) => {
  const fixtures: Readonly<Record<string, unknown>> = current;
  expect(shapeOf(tagged(body))).toEqual(shapeOf(fixtures[kind]));
});

test("sends every message with its kind, and reads it by that", () => {
  for (const [name, body] of Object.entries(current)) {
    const { kind, v, ...untagged } = body;
    expect([name, tagged(untagged)]).toEqual([name, body]);
    expect(readableKind({ kind, v })).toBe(kind);
  }
});

test("does not read a newer version, an unknown kind or what is no message", () => {
  const unknown = [
    { ...current.page, v: 2 },
    { later: {} },
    { ...current.close, v: "1" },
    null,
    1,
    { ...current.close, kind: "later" },
    { kind: 1, close: {} },
  ];
  expect(unknown.filter((body) => readableKind(body) !== null)).toEqual([]);
});
