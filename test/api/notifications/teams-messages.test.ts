// Direct messages in Teams from end to end: a linked account is proven, an alert is sent by the account's bot
// and answered by its buttons, and a person who cannot be reached leads to the next channel.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague } from "../../support/people/people.ts";
import { linkIn } from "../../support/providers/chat/linking.ts";
import {
  failing,
  makeTeamsApp,
  openTeams,
  personal,
  pressed,
  type Teams,
  type TeamsApp,
  type TeamsMessage,
  wroteInPrivate,
} from "../../support/providers/chat/teams.ts";
import { actionsOf, cardIn } from "../../support/providers/chat/teams-message.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { signIn } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
let teams: Teams;
let app: TeamsApp;
/** Of each test its own: open conversations are kept. */
let user: string;
let users = 0;

beforeEach(async () => {
  openMailbox();
  teams = openTeams();
  account = await makeAccount();
  app = await makeTeamsApp(account, { option_everything: false });
  users += 1;
  user = `tess${users}`;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const direct = (): TeamsMessage[] =>
  teams.messages.filter(({ conversation }) => conversation === personal(user));

/** The title of a message's card. */
const titleOf = ({ body }: TeamsMessage): string => cardIn(body)?.body[0].inlines[0].text;

/** A person who has linked their Teams account. */
async function makeLinked(): Promise<Colleague> {
  const person = await addColleague(account, "Tess Teams");
  await app.send(wroteInPrivate(user, "oncall"));
  const browser = await signIn(person.id);
  const text = direct().at(-1)?.body.text ?? "";
  expect((await browser.submit(linkIn(text))).to).toMatch(/^\/settings/);
  teams.messages.length = 0;
  return person;
}

const addAddress = (person: Colleague) =>
  person.api("POST", "/channel_addresses", { channel: "teams" });

/** A person with a confirmed address in Teams, and e-mail. */
async function makeOwner(notify_email = false): Promise<Colleague> {
  const person = await makeLinked();
  const made = await addAddress(person);
  expect(made.status, made.text).toBe(201);
  const path = `/channel_addresses/${made.body.id}`;
  expect((await person.api("POST", `${path}/send_code`)).body.sent).toBe(true);
  const code = /^\d{6}/.exec(titleOf(direct().at(-1) as TeamsMessage))?.[0];
  expect((await person.api("POST", `${path}/confirm`, { code })).body.confirmed_at).not.toBeNull();
  await person.api("PUT", `/users/${person.userId}`, { notify_email, notify_push: false });
  teams.messages.length = 0;
  return person;
}

async function alertFor({ id }: Colleague): Promise<string> {
  const { body, status, text } = await account.api("POST", "/alerts", {
    ...{ title: "Disk full", urgency: "high", destination_account_user_ids: [id] },
  });
  expect(status, text).toBe(201);
  return body.id;
}

const statusOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body.status;

const notificationsOf = async (id: string) =>
  (await account.api("GET", `/alerts/${id}/notifications`)).body.data;

/** The message of a person's alert, once it is sent. */
async function open(): Promise<{ id: string; message: TeamsMessage }> {
  const id = await alertFor(await makeOwner());
  await vi.waitFor(async () => {
    expect(await notificationsOf(id)).toMatchObject([{ channel: "teams", status: "sent" }]);
  }, soon);
  return { id, message: direct().find((it) => titleOf(it) === "Disk full") as TeamsMessage };
}

test("an alert is answered by the buttons of its message, which then says who has", async () => {
  const { id, message } = await open();
  expect(actionsOf(message.body)).toEqual(["acknowledge", "reject"]);
  const { body } = await app.send(pressed(message, "acknowledge", user));
  expect(body.value).toBe("Done.");
  expect(await statusOf(id)).toBe("acknowledged");
  await vi.waitFor(() => {
    expect(titleOf(message)).toMatch(/^Acknowledged by Tess Teams .*: Disk full$/);
    expect(actionsOf(message.body)).toEqual([]);
  }, soon);
});

test("an answer elsewhere replaces the buttons; a late press says who was first", async () => {
  const { id, message } = await open();
  const late = pressed(message, "reject", user);
  await account.api("POST", `/alerts/${id}/acknowledge`);
  await vi.waitFor(() => expect(titleOf(message)).toMatch(/^Acknowledged by /), soon);
  expect((await app.send(late)).body.value).toMatch(/^Nothing was changed.*Acknowledged by/s);
});

test("a person who has removed the app leads to the next channel", async () => {
  const owner = await makeOwner(true);
  teams.failures.push(failing(403, "BotNotInConversationRoster"));
  const id = await alertFor(owner);
  await vi.waitFor(async () => {
    const shown = await notificationsOf(id);
    const reason = "Teams answered 403: BotNotInConversationRoster";
    expect(shown).toContainEqual(
      expect.objectContaining({ channel: "teams", status: "failed", reason }),
    );
    expect(shown).toContainEqual(expect.objectContaining({ channel: "email", status: "sent" }));
  }, soon);
});

test("a failure of Teams is waited for", async () => {
  const owner = await makeOwner();
  teams.failures.push(failing(502, "BadGateway"));
  const id = await alertFor(owner);
  await vi.waitFor(async () => {
    expect(await notificationsOf(id)).toMatchObject([{ channel: "teams", status: "sent" }]);
  }, soon);
  expect(direct()).toHaveLength(1);
});

test("a token that is refused is replaced by a new one", async () => {
  const owner = await makeOwner();
  const before = teams.tokens;
  teams.failures.push(failing(401, "Unauthorized"));
  const id = await alertFor(owner);
  await vi.waitFor(async () => {
    expect(await notificationsOf(id)).toMatchObject([{ channel: "teams", status: "sent" }]);
  }, soon);
  expect(teams.tokens).toBe(before + 1);
});

test("only who has linked an account, and has the app, can add it", async () => {
  const stranger = await addColleague(account, "Sam Stranger");
  const unlinked = await addAddress(stranger);
  expect([unlinked.status, unlinked.text]).toEqual([
    409,
    expect.stringContaining("no Microsoft Teams account is linked"),
  ]);
  const person = await makeLinked();
  teams.isInstalled = false;
  const refused = await addAddress(person);
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("Teams answered 403: BotNotInConversationRoster"),
  ]);
  teams.isInstalled = true;
  expect((await addAddress(person)).status).toBe(201);
  await account.api("PUT", `/integrations/${app.id}`, { enabled: false });
  expect((await addAddress(person)).status).toBe(409);
});
