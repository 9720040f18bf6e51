// A replay of past alerts: which messages `pause_for` and `reopen_within` would have withheld, in the API and in the
// console's form.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { call, makeAccount } from "../../../support/api/api.ts";
import { faultyFields } from "../../../support/people/people.ts";
import { type Mailbox, openMailbox } from "../../../support/providers/mailbox.ts";
import { signInAdmin } from "../../../support/worker/console.ts";
import { soon } from "../../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../../support/worker/world.ts";

let mailbox: Mailbox;
beforeEach(() => {
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("tells which messages would not have been sent, and which of those somebody had answered", async () => {
  const account = await makeAccount();
  const [ann, bob] = [await makePerson(account, "ann"), await makePerson(account, "bob")];
  const team = await makeTeam(account, [{ seconds: 600, people: [ann.accountUserId] }]);
  const integration = await makeIntegration(account, [team.id]);
  const other = await makeIntegration(account, [team.id]);
  const read = async () =>
    (await account.api("GET", "/alerts?thirdparty_id=a&limit=10")).body.data as {
      id: string;
      status: string;
    }[];
  const send = async (event_type: string, count: number, status: string) => {
    await integration.send({ event_type, Id: "a", Title: "Disk full" });
    await vi.waitFor(async () => {
      const alerts = await read();
      expect([alerts.length, alerts[0]?.status]).toEqual([count, status]);
    }, soon);
  };
  const pages = async (count: number) =>
    vi.waitFor(async () => {
      const { to } = { to: ann.email };
      const sent = mailbox.mails.filter(
        (mail) => mail.to === to && /disk full/i.test(mail.subject),
      );
      expect(sent.filter(({ subject }) => !/resolved|acknowledged/i.test(subject))).toHaveLength(
        count,
      );
    }, soon);
  await send("create", 1, "open");
  await pages(1);
  const [first] = await read();
  await call("POST", `/api/v4/alerts/${first?.id}/acknowledge`, { key: bob.key });
  await send("resolve", 1, "resolved");
  await send("create", 2, "open");
  await pages(2);
  await send("resolve", 2, "resolved");
  await other.send({ event_type: "create", Id: "a", Title: "Other" });
  const [second] = await read();
  const replay = (body: object, id = integration.prefixId) =>
    account.api("POST", `/integrations/${id}/replay`, body);
  const settled = async (body: object, expected: object) =>
    vi.waitFor(async () => {
      const { status, body: found, text } = await replay(body);
      expect(status, text).toBe(200);
      expect(found).toMatchObject(expected);
    }, soon);
  const nothing = { alerts: 2, paused: 0, continued: 0, pages: 0, answered: 0, results: [] };
  await settled({}, { ...nothing, complete: true });
  await settled(
    { option_pause_for: 5 },
    {
      ...{ alerts: 2, paused: 2, continued: 0, pages: 2, answered: 1 },
      results: [
        { alert_id: first?.id, option: "pause_for", pages: 1, answered: true, continues_id: null },
        { alert_id: second?.id, option: "pause_for", pages: 1, answered: false },
      ],
    },
  );
  await settled(
    { option_reopen_within: 5 },
    {
      ...{ paused: 0, continued: 1, pages: 1, answered: 0 },
      results: [
        { alert_id: second?.id, option: "reopen_within", pages: 1, continues_id: first?.id },
      ],
    },
  );
  expect((await replay({ option_pause_for: 5 }, other.prefixId)).body).toMatchObject({ paused: 0 });
  expect(faultyFields(await replay({ option_pause_for: 2_000 }))).toEqual(["option_pause_for"]);

  const browser = await signInAdmin(account);
  const path = `/integrations/${integration.prefixId}`;
  const shown = await browser.get(path);
  expect(shown.text).toContain("Show the last 90 days");
  const tried = await browser.submit(`${path}/try`, {
    ...{ name: "Unsaved", option_pause_for: "5", option_reopen_within: "" },
  });
  expect(tried.status).toBe(200);
  expect(tried.text).toContain("2 messages would not have been sent.");
  expect(tried.text).toContain("Unsaved");
  const stored = await account.api("GET", path);
  expect(stored.body).toMatchObject({ name: "Monitoring", options: { pause_for: null } });
  const wrong = await browser.submit(`${path}/try`, { option_pause_for: "x" });
  expect(wrong.status).toBe(422);
});
