// An answer hangs up the calls about its alert (contract 6: one answer everywhere).
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague } from "../../support/people/people.ts";
import { givePhone } from "../../support/people/phones.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { configure, type PhoneStandIn } from "../../support/providers/phone-stand-in.ts";
import { openTelnyx } from "../../support/providers/telnyx.ts";
import { callBack, openTwilio, type Twilio, twilioError } from "../../support/providers/twilio.ts";
import { openVonage } from "../../support/providers/vonage.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeTeam } from "../../support/worker/world.ts";

let account: Account;
let twilio: Twilio;
beforeAll(async () => {
  account = await makeAccount("Ada Admin");
});
beforeEach(() => {
  twilio = openTwilio();
  openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function makeCalled(name: string) {
  const person = await addColleague(account, name);
  const number = await givePhone(person.id);
  await person.api("PUT", `/users/${person.userId}`, {
    notify_push: false,
    notify_email: false,
    notify_sms: false,
    notify_voice: true,
  });
  return { ...person, number };
}

type Called = Awaited<ReturnType<typeof makeCalled>>;

/** Creates an alert for people who are asked together: each acknowledgement is for all of them. */
async function raise(people: readonly Called[], title = "Disk full"): Promise<string> {
  const team = await makeTeam(account, [{ seconds: 3600, people: people.map(({ id }) => id) }]);
  const alert = { title, urgency: "high", destination_team_ids: [team.id] };
  const made = await account.api("POST", "/alerts", alert);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

type Shown = {
  readonly account_user_id: string;
  readonly event: string;
  readonly channel: string;
  readonly status: string;
  readonly reason: string | null;
};

/** The notifications that ask a person to answer. */
async function pagesOf(person: Called, alertId: string): Promise<readonly Shown[]> {
  const { body } = await account.api("GET", `/alerts/${alertId}/notifications`);
  return body.data.filter(
    (it: Shown) => it.account_user_id === person.id && it.event === "alert.open",
  );
}

async function callOf(person: Called, alertId: string): Promise<Shown | undefined> {
  return (await pagesOf(person, alertId)).find(({ channel }) => channel === "voice");
}

const untilCall = (person: Called, alertId: string, expected: Partial<Shown>) =>
  vi.waitFor(async () => expect(await callOf(person, alertId)).toMatchObject(expected), soon);

async function untilRinging(people: readonly Called[], alertId: string): Promise<void> {
  for (const person of people) await untilCall(person, alertId, { status: "sent" });
}

const madeTo = ({ number }: Called) => {
  const made = twilio.taken.find(({ form }) => form.To === number);
  if (made === undefined) throw new Error("there was no call");
  return made;
};

const press = (person: Called, digit: string) => {
  const { form, sid } = madeTo(person);
  const [, url = ""] = /action="([^"]+)"/.exec(form.Twiml ?? "") ?? [];
  return callBack(url, { CallSid: sid, Digits: digit });
};

describe("an answer elsewhere", () => {
  test("hangs up every call, once, and says who answered", async () => {
    const [ida, max] = [await makeCalled("Ida"), await makeCalled("Max")];
    const alertId = await raise([ida, max]);
    await untilRinging([ida, max], alertId);
    await ida.api("POST", `/alerts/${alertId}/acknowledge`);
    const ended = [madeTo(ida).sid, madeTo(max).sid].sort();
    await vi.waitFor(() => expect(twilio.ended.toSorted()).toEqual(ended), soon);
    const reason = expect.stringMatching(/^hung up: Acknowledged by Ida/);
    await untilCall(max, alertId, { status: "skipped", reason });
    await account.api("POST", `/alerts/${alertId}/resolve`);
    await scheduler.wait(100);
    expect(twilio.ended.toSorted()).toEqual(ended);
  });

  test.each(["canceled", "no-answer", "completed"])(
    "is no failure to deliver when the provider then reports %s",
    async (word) => {
      const ida = await makeCalled("Ida");
      const alertId = await raise([ida]);
      await untilRinging([ida], alertId);
      await account.api("POST", `/alerts/${alertId}/resolve`);
      await untilCall(ida, alertId, { status: "skipped" });
      const { form, sid } = madeTo(ida);
      await callBack(form.StatusCallback ?? "", { CallSid: sid, CallStatus: word });
      await scheduler.wait(100);
      expect(await pagesOf(ida, alertId)).toMatchObject([{ channel: "voice", status: "skipped" }]);
    },
  );

  test("reaches a call that was still being made", async () => {
    const ida = await makeCalled("Ida");
    let accept = () => {};
    const accepted = new Promise<void>((resolve) => {
      accept = resolve;
    });
    twilio.refusal = async () => {
      twilio.refusal = null;
      await accepted;
      const sid = `CA${"7".repeat(32)}`;
      return Response.json({ sid, status: "queued" }, { status: 201 });
    };
    const alertId = await raise([ida]);
    await vi.waitFor(() => expect(twilio.refusal).toBeNull(), soon);
    await account.api("POST", `/alerts/${alertId}/acknowledge`);
    accept();
    await vi.waitFor(() => expect(twilio.ended).toEqual([`CA${"7".repeat(32)}`]), soon);
  });

  test("is tried again when the provider has an outage, and given up when the call is over", async () => {
    const ida = await makeCalled("Ida");
    const alertId = await raise([ida]);
    await untilRinging([ida], alertId);
    const asked = twilio.asked;
    const refusals = [twilioError(503, 20500), twilioError(404, 20404)];
    twilio.refusal = () => {
      const [refuse = twilioError(404, 20404)] = refusals.splice(0, 1);
      return refuse();
    };
    await account.api("POST", `/alerts/${alertId}/acknowledge`);
    await vi.waitFor(() => expect(refusals).toEqual([]), soon);
    await untilCall(ida, alertId, { status: "skipped" });
    await account.api("POST", `/alerts/${alertId}/resolve`);
    await scheduler.wait(100);
    expect(twilio.asked).toBe(asked + 2);
  });

  test("does not end a call that is long over", async () => {
    const ida = await makeCalled("Ida");
    const alertId = await raise([ida]);
    await untilRinging([ida], alertId);
    await env.DB.prepare("update notifications set sent_at = sent_at - 600000 where owner_id = ?")
      .bind(alertId)
      .run();
    await account.api("POST", `/alerts/${alertId}/acknowledge`);
    await scheduler.wait(200);
    expect(twilio.ended).toEqual([]);
    expect(await callOf(ida, alertId)).toMatchObject({ status: "sent" });
  });
});

describe("a digit", () => {
  test("ends the other calls; its own says goodbye", async () => {
    const [ida, max] = [await makeCalled("Ida"), await makeCalled("Max")];
    const alertId = await raise([ida, max]);
    await untilRinging([ida, max], alertId);
    expect((await press(max, "1")).text).toContain("The alert is acknowledged. Goodbye.");
    await vi.waitFor(() => expect(twilio.ended).toEqual([madeTo(ida).sid]), soon);
    await untilCall(max, alertId, { status: "delivered" });
    const reason = expect.stringMatching(/^hung up: Acknowledged by Max/);
    await untilCall(ida, alertId, { status: "skipped", reason });
  });

  test("that rejects ends no call of somebody who is still asked", async () => {
    const [ida, max] = [await makeCalled("Ida"), await makeCalled("Max")];
    const alertId = await raise([ida, max]);
    await untilRinging([ida, max], alertId);
    expect((await press(max, "2")).text).toContain("passed on");
    await scheduler.wait(200);
    expect(twilio.ended).toEqual([]);
    await untilCall(ida, alertId, { status: "sent" });
  });
});

test("a call about several alerts rings until all of them are answered", async () => {
  const ida = await makeCalled("Ida");
  const first = await raise([ida], "Disk full");
  await untilRinging([ida], first);
  const { sid } = madeTo(ida);
  const second = await raise([ida], "No power");
  await untilRinging([ida], second);
  // Both become one message, as when many are paged in a short time.
  await env.DB.prepare(
    `update notifications set due_at = 1, bundle = 'burst', provider_id = ?
     where owner_id in (?, ?) and channel = 'voice'`,
  )
    .bind(sid, first, second)
    .run();
  await account.api("POST", `/alerts/${first}/acknowledge`);
  await scheduler.wait(200);
  expect(twilio.ended).toEqual([]);
  await account.api("POST", `/alerts/${second}/acknowledge`);
  await vi.waitFor(() => expect(twilio.ended).toEqual([sid]), soon);
});

describe.each([
  ["Vonage", openVonage],
  ["Telnyx", openTelnyx],
] as const)("by %s", (_, open) => {
  let provider: PhoneStandIn;
  beforeEach(async () => {
    provider = await open();
    configure({ VOICE_PROVIDERS: provider.name });
  });

  test("a call is hung up, and that of a digit is not", async () => {
    const [ida, max] = [await makeCalled("Ida"), await makeCalled("Max")];
    const alertId = await raise([ida, max]);
    await untilRinging([ida, max], alertId);
    const [own, other] = [max, ida].map(({ number }) =>
      provider.taken.find(({ to }) => to === number),
    );
    if (own === undefined || other === undefined) throw new Error("there was no call");
    expect((await provider.press(own, "1")).text).toContain("acknowledged");
    await vi.waitFor(() => expect(provider.ended).toEqual([other.id]), soon);
    await untilCall(max, alertId, { status: "delivered" });
  });
});
