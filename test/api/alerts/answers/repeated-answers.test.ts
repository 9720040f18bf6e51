// A second answer in every channel: the same person's is confirmed, another person's is told who was first and
// when; the alert has one step.
import { afterEach, expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../../src/domain/shared/identifiers.ts";
import {
  type Answerer,
  CHATS,
  MESSAGES,
  OWN,
  type Way,
} from "../../../support/alerts/answering.ts";
import { makeAccount } from "../../../support/api/api.ts";
import { makeAlert } from "../../../support/integrations/outgoing.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { makePerson } from "../../../support/worker/world.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

type Words = { readonly first: RegExp; readonly same: RegExp; readonly other: RegExp };

/** A time as each channel writes it. */
const AT = String.raw`(\d\d:\u200b?\d\d|<!date\^\d+\^[^>]*>|<t:\d+:t>)`;
const same = new RegExp(`^Acknowledged, already by you at ${AT}\\.$`);
const other = new RegExp(
  `^Nothing was changed\\. The alert is acknowledged;.*\\. Acknowledged by Ada One.* at ${AT}\\.$`,
);
const changes: Words = { first: /^$/, same, other };
const sms: Words = { first: /^Acknowledged: Disk full$/, same, other };
const spoken: Words = {
  first: /The alert is acknowledged\. Goodbye\./,
  same: /Acknowledged, already by you at \d\d:\d\d\. Goodbye\./,
  other:
    /Nothing was changed\. The alert is acknowledged.* Acknowledged by Ada One.* at \d\d:\d\d\. Goodbye\./,
};

const WORDS: Record<keyof typeof CHATS | keyof typeof MESSAGES | keyof typeof OWN, Words> = {
  slack: changes,
  // The message as it was is answered once by each person.
  mattermost: { ...changes, same: /^Your answer was received before\.$/ },
  discord: changes,
  google_chat: changes,
  teams: { ...changes, first: /^Done\.$/ },
  "an SMS by Twilio": sms,
  "an SMS by Vonage": sms,
  "an SMS by Telnyx": sms,
  "a call by Twilio": spoken,
  "a call by Vonage": spoken,
  "a call by Telnyx": spoken,
  Telegram: { first: /^Acknowledged$/, same, other },
  Pushover: { first: /^204$/, same: /^204$/, other: /^204$/ },
  "the API": {
    first: /^200 $/,
    same: /^409 the alert is acknowledged;.*\. Acknowledged by Ada One.* at 20\S+Z$/,
    other: /^409 the alert is acknowledged;.*\. Acknowledged by Ada One.* at 20\S+Z$/,
  },
  "the console": {
    first: /Alert acknowledged/,
    same: /Acknowledged, already by you at \d\d:\d\d\./,
    other: /The alert is acknowledged;.* Acknowledged by Ada One.* at \d\d:\d\d\./,
  },
  "a link": {
    first: /Alert acknowledged Escalation stops\./,
    same: /Alert acknowledged Acknowledged, already by you at 20\S+ \d\d:\d\d UTC\./,
    other: /Nothing was changed The alert is acknowledged;.* Acknowledged by Ada One.* at 20/,
  },
  "a push button": { first: /^200$/, same: /^200$/, other: /^409$/ },
};

const WAYS: Readonly<Record<string, Way>> = { ...CHATS, ...MESSAGES, ...OWN };

test.each(Object.entries(WORDS))("by %s", async (name, words) => {
  openMailbox();
  const account = await makeAccount();
  const answer = await WAYS[name]?.(account);
  if (answer === undefined) throw new Error(`no ${name}`);
  const ada: Answerer = { ...(await makePerson(account, "Ada One")), user: "ada" };
  const bo: Answerer = { ...(await makePerson(account, "Bo Two")), user: "bo" };
  const made = await makeAlert(account, { destination_account_user_ids: [ada.accountUserId] });
  const id = String(made.id);
  const log = async () => {
    const { body } = await account.api("GET", `/logs/${prefixIdOf("log", id)}`);
    return body.details.sublogs.map((line: { message: string }) => line.message) as string[];
  };
  expect(await answer(ada, id)).toMatch(words.first);
  expect((await account.api("GET", `/alerts/${id}`)).body.status).toBe("acknowledged");
  const before = await log();
  expect(before.filter((line) => line.startsWith("Acknowledged by Ada One"))).toHaveLength(1);
  expect(await answer(ada, id)).toMatch(words.same);
  expect(await answer(bo, id)).toMatch(words.other);
  expect(await log()).toEqual(before);
});
