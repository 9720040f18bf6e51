// The commands in Slack: who is on call, and a page to a team or a person.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { linkSlackUser } from "../../../support/providers/chat/linking.ts";
import {
  commanded,
  fromSlack,
  makeSlackApp,
  openSlack,
  type SlackIntegration,
  signedHeaders,
} from "../../../support/providers/chat/slack.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { makePerson, makeTeam, type Person } from "../../../support/worker/world.ts";

const [BEN, EVE] = ["U0BEN", "U0EVE"];

let account: Account;
let ben: Person;
let integration: SlackIntegration;

beforeEach(async () => {
  openSlack();
  openMailbox();
  account = await makeAccount("Ada Admin");
  ben = await makePerson(account, "Ben Backup");
  integration = await makeSlackApp(account);
  await linkSlackUser(integration, BEN, ben.accountUserId);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function write(command: string, text: string, user = BEN): Promise<string> {
  const { status, body } = await fromSlack(integration, "commands", commanded(command, text, user));
  expect([status, body.response_type]).toEqual([200, "ephemeral"]);
  return body.text;
}

const alerts = async () => (await account.api("GET", "/alerts")).body.data;
const onCall = (name: string, people: readonly string[]) =>
  makeTeam(account, [{ seconds: 600, people }], { name });

describe("/oncall", () => {
  test("lists who is on call now, of every team or of those with the name", async () => {
    await onCall("Payments", [ben.accountUserId, account.accountUserId]);
    await onCall("Ops <!channel>", []);
    expect(await write("/oncall", "")).toMatch(
      /^Ops &lt;!channel&gt;: nobody is on call\nPayments: step 1: (Ben Backup, Ada Admin|Ada Admin, Ben Backup)$/,
    );
    expect(await write("/oncall", "PAY")).toMatch(/^Payments: step 1: [^\n]+$/);
    expect(await write("/oncall", "nothing")).toBe("No team's name contains nothing.");
  });

  test("says nothing to somebody who has not linked their account", async () => {
    await onCall("Payments", [ben.accountUserId]);
    const text = await write("/oncall", "", EVE);
    expect(text).toContain("/chat/link/");
    expect(text).not.toContain("Payments");
  });
});

describe("/page", () => {
  test.each([
    ["payments the database is down", "the database is down"],
    ["@Payments DB &lt;b&gt; &amp; more", "DB <b> & more"],
    ['"Payments" down', "down"],
  ])("%s pages the team as the person", async (text, title) => {
    const team = await onCall("Payments", [account.accountUserId]);
    await onCall("Pay", [account.accountUserId]);
    expect(await write("/page", text)).toMatch(/^Created: .* https:\/\/\S+\/alerts\/alt_\S+$/);
    expect(await alerts()).toMatchObject([
      { title, destination_team_ids: [team.id], source_id: ben.accountUserId },
    ]);
  });

  test("pages a person by their name, or as Slack mentions them", async () => {
    await write("/page", "ada admin look at this");
    expect(await alerts()).toMatchObject([
      { title: "look at this", destination_account_user_ids: [account.accountUserId] },
    ]);
    expect(await write("/page", "<@U0ADA|ada> and this")).toMatch(/has not linked/);
    await linkSlackUser(integration, "U0ADA", account.accountUserId);
    await write("/page", "<@U0ADA|ada> and this");
    expect((await alerts())[0]).toMatchObject({
      title: "and this",
      destination_account_user_ids: [account.accountUserId],
    });
  });

  test.each([
    ["", "Nothing was created. Write /page, the name"],
    ["payments", "Nothing was created. The title is missing"],
    ["nobody down", "Nothing was created. No team and no person"],
    ["twins down", "Nothing was created. Several teams"],
    [`payments ${"x".repeat(1_025)}`, "Nothing was created. The title is longer"],
  ])("%s creates nothing, and says why", async (text, why) => {
    await onCall("Payments", [account.accountUserId]);
    await onCall("Twins", []);
    await onCall("TWINS", []);
    expect(await write("/page", text)).toContain(why);
    expect(await alerts()).toEqual([]);
  });

  test("creates nothing for somebody who has not linked their account, or when it comes again", async () => {
    await onCall("Payments", [account.accountUserId]);
    await write("/page", "payments down", EVE);
    expect(await alerts()).toEqual([]);
    const body = commanded("/page", "payments down", BEN);
    const headers = signedHeaders(body);
    expect((await fromSlack(integration, "commands", body, headers)).status).toBe(200);
    expect((await fromSlack(integration, "commands", body, headers)).status).toBe(403);
    expect(await alerts()).toHaveLength(1);
  });
});

test("another command, or none, is answered", async () => {
  expect(await write("/other", "x")).toBe("Commands are /oncall and /page.");
  expect((await fromSlack(integration, "commands", "command=%2Foncall")).status).toBe(400);
});
