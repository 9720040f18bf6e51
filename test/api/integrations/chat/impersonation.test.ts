// What reaches a browser or a channel gives nobody the power to act as somebody else: it is sent to every
// callback of every chat in another person's name.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../../src/domain/shared/identifiers.ts";
import { type Answerer, CHATS } from "../../../support/alerts/answering.ts";
import {
  type Account,
  call,
  callAgain,
  makeAccount,
  type Reply,
} from "../../../support/api/api.ts";
import { makeAlert } from "../../../support/integrations/outgoing.ts";
import { linkIn } from "../../../support/providers/chat/linking.ts";
import {
  command,
  type Mattermost,
  type MattermostIntegration,
  makeMattermostApp,
  openMattermost,
  type Post,
  press,
  submitDialog,
  userId,
} from "../../../support/providers/chat/mattermost.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { signIn } from "../../../support/worker/console.ts";
import { soon } from "../../../support/worker/faults.ts";
import { makePerson } from "../../../support/worker/world.ts";

let account: Account;
let ada: Answerer;
let mo: Answerer;

beforeEach(async () => {
  openMailbox();
  account = await makeAccount("Ivy Admin");
  ada = { ...(await makePerson(account, "Ada Keeper")), user: "ada" };
  mo = { ...(await makePerson(account, "Mo Member")), user: "mo" };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const forAda = () => ({ destination_account_user_ids: [ada.accountUserId] });

async function linesOf(id: string): Promise<string> {
  const { body } = await account.api("GET", `/logs/${prefixIdOf("log", id)}`);
  const comments = await account.api("GET", `/alerts/${id}/comments`);
  const lines = body.details.sublogs.map((line: { message: string }) => line.message);
  return [...lines, JSON.stringify(comments.body.data)].join("\n");
}

/** Every text in a value, and every object in a text of JSON. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    const inner = /^[[{]/.test(value) ? textsIn(JSON.parse(value)) : [];
    return [value, ...inner];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const ROUTES = [
  ["slack", ["interactions", "choices", "commands", "events"]],
  ["mattermost", ["actions", "dialogs", "commands"]],
  ["discord", ["interactions"]],
  ["google-chat", ["events"]],
  ["teams", ["messages"]],
] as const;

test.each(Object.entries(CHATS))(
  "%s: a request is nobody's without its signature",
  async (_, prepare) => {
    const answer = await prepare(account);
    const { id } = await makeAlert(account, forAda());
    const other = await makeAlert(account, forAda());
    // Both are linked, and have pressed a button of another alert.
    await answer(mo, String(other.id));
    await answer(ada, String(other.id));
    const { results } = await env.DB.prepare(
      "select prefix_id from integrations where account_id = ?",
    )
      .bind(account.accountId)
      .all<{ prefix_id: string }>();
    for (const [product, names] of ROUTES) {
      for (const name of names) {
        for (const { prefix_id: prefixId } of results) {
          const { status } = await callAgain(({ body, headers }) => ({
            path: `/callbacks/${product}/${prefixId}/${name}`,
            body: body.replaceAll(String(other.id), String(id)).replaceAll("mo", "ada"),
            headers: { "Content-Type": headers["Content-Type"] ?? "application/json" },
          }));
          expect([401, 403, 404]).toContain(status);
        }
      }
    }
    expect(await linesOf(String(id))).not.toMatch(/by Ada Keeper|by Mo Member/);
  },
);

/** A Mattermost in which both have linked their accounts. */
async function linked() {
  const mattermost = openMattermost();
  const integration = await makeMattermostApp(account);
  for (const who of [ada, mo]) {
    const { text } = await command(integration, "/oncall", "", who.user);
    expect(text).not.toContain("/chat/link/");
    const sent = mattermost.direct.at(-1);
    expect(sent?.userId).toBe(userId(who.user));
    const shown = await (await signIn(who.accountUserId)).submit(linkIn(sent?.text ?? ""));
    expect(shown.to).toContain("/settings");
  }
  const { id } = await makeAlert(account, forAda());
  await vi.waitUntil(() => mattermost.rootOf(String(id)), soon);
  return { mattermost, integration, id: String(id), post: mattermost.rootOf(String(id)) as Post };
}

/** What browsers get: posts without the integrations of their actions, dialogs, and answers. */
function seenBy({ posts, dialogs }: Mattermost, answers: readonly Reply[]): string[] {
  const withoutIntegration = (key: string, value: unknown) =>
    key === "integration" ? undefined : value;
  const shown = posts.map(({ body }) => JSON.parse(JSON.stringify(body, withoutIntegration)));
  return [...new Set(textsIn([shown, dialogs, answers.map(({ body }) => body)]))];
}

const ACTIONS = ["acknowledge", "reject", "resolve", "snooze", "comment", "handoff"];

async function tryAll(
  { prefixId }: MattermostIntegration,
  id: string,
  tokens: readonly string[],
  user: string,
): Promise<Reply[]> {
  const person = { user_id: userId(user), user_name: user, trigger_id: "t", channel_id: "c" };
  const submission = { value: prefixIdOf("account_user", mo.accountUserId) };
  const replies: Reply[] = [];
  for (const token of tokens) {
    for (const action of ACTIONS) {
      const context = { token, alert: id, action, dialog: "comment", selected_option: "60" };
      const state = JSON.stringify(context);
      for (const name of ["actions", "dialogs"]) {
        for (const body of [{ context }, { state }, { context, state }, { state: token }]) {
          replies.push(
            await call("POST", `/callbacks/mattermost/${prefixId}/${name}`, {
              body: { ...person, submission, ...body },
            }),
          );
        }
      }
    }
  }
  return replies;
}

test("mattermost: nothing that a browser gets acts as another person", async () => {
  const { mattermost, integration, id, post } = await linked();
  const answers = [
    await press(post, "comment", "mo"),
    await press(post, "handoff", "mo"),
    await submitDialog(mattermost, "mo", "nobody"),
    await press(post, "acknowledge", "eve"),
  ];
  const seen = seenBy(mattermost, answers);
  const tokens = seen.filter((it) => it.length > 8 && it.length < 600);
  expect(tokens.length).toBeGreaterThan(5);
  const replies = await tryAll(integration, id, tokens, "ada");
  replies.push(...(await tryAll(integration, id, tokens.slice(0, 3), "eve")));
  for (const { status, text } of replies) {
    expect([400, 403]).toContain(status);
    expect(text).not.toContain("/chat/link/");
  }
  expect(await linesOf(id)).not.toMatch(/by Ada Keeper|by_name":"Ada Keeper/);
  expect((await account.api("GET", `/alerts/${id}`)).body.status).toBe("open");
});

test("mattermost: a dialog is that of the person who opened it, once and for ten minutes", async () => {
  const { mattermost, id, post } = await linked();
  await press(post, "comment", "mo");
  expect((await submitDialog(mattermost, "ada", "It is fine")).status).toBe(403);
  expect((await submitDialog(mattermost, "mo", " ")).body.error).toBe("The comment is empty.");
  expect((await submitDialog(mattermost, "mo", "Looking at it")).body).toEqual({});
  expect((await submitDialog(mattermost, "mo", "Looking again")).body.error).toContain("before");
  expect(await linesOf(id)).not.toContain("again");
  await press(post, "comment", "mo");
  vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ["Date"] });
  expect((await submitDialog(mattermost, "mo", "Late")).body.error).toContain("open for too long");
  expect(await linesOf(id)).not.toContain("Late");
});

test("mattermost: a button counts once for a person until the post changes, and not after 30 days", async () => {
  const { mattermost, id, post } = await linked();
  const first = structuredClone(post);
  expect((await press(first, "acknowledge", "mo")).body).toEqual({});
  await account.api("POST", `/alerts/${id}/resolve`);
  await account.api("POST", `/alerts/${id}/reopen`);
  const statusOf = async () => (await account.api("GET", `/alerts/${id}`)).body.status;
  const again = await press(first, "acknowledge", "mo");
  expect(again.body.ephemeral_text).toBe("Your answer was received before.");
  expect(await statusOf()).toBe("open");
  const tokenOf = ({ body }: Post) =>
    body.props.attachments[0].actions.find((it: { id: string }) => it.id === "resolve")?.integration
      .context.token;
  await vi.waitFor(() => {
    const current = mattermost.rootOf(id) as Post;
    expect(JSON.stringify(current.body)).toContain('"acknowledge"');
    expect(tokenOf(current)).not.toBe(tokenOf(first));
  }, soon);
  const current = structuredClone(mattermost.rootOf(id) as Post);
  // Of a refusal nothing is claimed: it is said again.
  await account.api("POST", `/alerts/${id}/resolve`);
  for (const _ of [1, 2]) {
    const { body } = await press(current, "acknowledge", "mo");
    expect(body.ephemeral_text).toContain("Nothing was changed.");
  }
  await account.api("POST", `/alerts/${id}/reopen`);
  vi.useFakeTimers({ now: Date.now() + 31 * 86_400_000, toFake: ["Date"] });
  expect((await press(current, "acknowledge", "mo")).body.ephemeral_text).toContain("too old");
  vi.useRealTimers();
  expect((await press(current, "acknowledge", "mo")).body).toEqual({});
  expect(await statusOf()).toBe("acknowledged");
});
