// A fake Mattermost. It checks calls of the API against its documentation, keeps the posts of its
// channels, opens dialogs, and can fail:
// - https://developers.mattermost.com/api-documentation: POST /api/v4/posts (channel_id, message, root_id,
//   props.attachments; 201 with the post), PUT /api/v4/posts/{id}/patch (200), errors `{id, message, status_code}`
// - …/integrate/plugins/interactive-messages: actions with an id of letters and digits, a name and an
//   integration with url and context; a press posts user_id, user_name, channel_id, post_id, trigger_id, type and
//   context, in which a menu's `selected_option` is; readers do not get the integration
// - …/integrate/plugins/interactive-dialogs: POST /api/v4/actions/dialogs/open (trigger_id, url, dialog); a submission
//   has type, callback_id, state, user_id, submission, cancelled; the answer is {} or {error}
// - GET /api/v4/users/me (the bot), POST /api/v4/channels/direct (two user ids; 201 with the channel): a direct
//   message is a post in such a channel
// - …/integrate/slash-commands/custom: a form with token, command, text, user_id, user_name, user_mentions_ids; the
//   answer is {response_type, text}
import { type Account, call, type Reply } from "../../api/api.ts";
import { serveAt } from "../outbound.ts";

export const SERVER = "https://mattermost.tocsin-tests.example.com";
export const CHANNEL = "qmd5oqtwoibz8cuzxzg5ekshgr";
const BOT = "bot0000000000000000000bots";
const DIRECT = "direct-with-";
const TOKEN = "w5o5bqtwoibz8cuzxzg5eksbot";
const COMMAND_TOKEN = "gr8edh8qyjg7pryxzg5ekscmdt";

type Json = Record<string, any>;

export type Post = { readonly id: string; body: Json; readonly root: string | null };

export type Mattermost = {
  /** By the order in which they were posted. */
  readonly posts: Post[];
  /** Dialogs that were opened. */
  readonly dialogs: Json[];
  /** Direct messages of the bot, each with whom it is for. */
  readonly direct: { readonly userId: string; readonly text: string }[];
  /** Answers instead of accepting, first one first. */
  readonly failures: (() => Response)[];
  /** The latest post of an alert. */
  readonly rootOf: (alertId: string) => Post | undefined;
  readonly threadOf: (id: string) => string[];
};

let ids = 0;
const newId = (): string => {
  ids += 1;
  return `post${String(ids).padStart(22, "0")}`;
};

/** Fails by the id of an error. */
export const failing = (status: number, id: string) => () =>
  Response.json({ id, message: "secret +14155550123", status_code: status }, { status });

const isAction = ({ id, name, type, integration, options }: Json): boolean =>
  /^[A-Za-z0-9]+$/.test(id) &&
  name !== "" &&
  URL.canParse(integration?.url) &&
  (type === "button" ? true : type === "select" && options.length > 0);

function answer(mattermost: Mattermost, method: string, path: string, sent: Json): Response {
  const actions: Json[] = sent.props?.attachments?.[0]?.actions ?? [];
  if (!actions.every(isAction)) return failing(400, "api.post.attachment.app_error")();
  if (method === "GET" && path === "/api/v4/users/me") return Response.json({ id: BOT });
  if (method === "POST" && path === "/api/v4/channels/direct") {
    const [bot, to] = sent as unknown as string[];
    if (bot !== BOT || !to) return failing(400, "api.channel.create_direct_channel.invalid_user")();
    return Response.json({ id: `${DIRECT}${to}` }, { status: 201 });
  }
  if (method === "POST" && path === "/api/v4/posts" && sent.channel_id.startsWith(DIRECT)) {
    mattermost.direct.push({ userId: sent.channel_id.slice(DIRECT.length), text: sent.message });
    return Response.json({ id: newId(), channel_id: sent.channel_id }, { status: 201 });
  }
  if (method === "POST" && path === "/api/v4/posts") {
    if (sent.channel_id !== CHANNEL) return failing(403, "api.context.permissions.app_error")();
    const root = sent.root_id ?? null;
    if (root !== null && !mattermost.posts.some(({ id }) => id === root)) {
      return failing(400, "api.post.create_post.root_id.app_error")();
    }
    const post = { id: newId(), body: sent, root };
    mattermost.posts.push(post);
    return Response.json({ id: post.id, channel_id: CHANNEL, ...sent }, { status: 201 });
  }
  const [, patched] = /^\/api\/v4\/posts\/(\w+)\/patch$/.exec(path) ?? [];
  if (method === "PUT" && patched !== undefined) {
    const post = mattermost.posts.find(({ id }) => id === patched);
    if (post === undefined) return failing(404, "app.post.get.app_error")();
    post.body = sent;
    return Response.json({ id: post.id, channel_id: CHANNEL, ...sent });
  }
  if (method === "POST" && path === "/api/v4/actions/dialogs/open") {
    const { trigger_id: trigger, url, dialog } = sent;
    const [element] = dialog?.elements ?? [];
    const isWhole = trigger && URL.canParse(url) && dialog.title && element?.display_name;
    if (!isWhole) return failing(400, "api.command.open_dialog.app_error")();
    mattermost.dialogs.push(sent);
    return Response.json({ status: "OK" });
  }
  return failing(404, "api.context.404.app_error")();
}

/** Starts the server. */
export function openMattermost(): Mattermost {
  const mattermost: Mattermost = {
    ...{ posts: [], dialogs: [], direct: [], failures: [] },
    rootOf: (alertId) =>
      mattermost.posts.findLast(
        ({ root, body }) => root === null && JSON.stringify(body).includes(`"alert":"${alertId}"`),
      ),
    threadOf: (id) =>
      mattermost.posts.filter(({ root }) => root === id).map(({ body }) => body.message),
  };
  serveAt(new URL(SERVER).host, ({ method, url, headers, body }) => {
    const failure = mattermost.failures.shift();
    if (failure) return failure();
    if (headers.get("authorization") !== `Bearer ${TOKEN}`) {
      return failing(401, "api.context.session_expired.app_error")();
    }
    const sent = (method === "GET" ? {} : JSON.parse(new TextDecoder().decode(body))) as Json;
    return answer(mattermost, method, url.pathname, sent);
  });
  return mattermost;
}

export type MattermostIntegration = { readonly id: string; readonly prefixId: string };

/** Creates a `mattermost_app` for an account; `more` overrides its parameters. */
export async function makeMattermostApp(
  account: Account,
  more: Record<string, unknown> = {},
): Promise<MattermostIntegration> {
  const made = await account.api("POST", "/integrations", {
    ...{ name: "Mattermost", urgency: "low", integration_type_id: "mattermost_app" },
    ...{ option_server: SERVER, option_channel: CHANNEL, option_bot_token: TOKEN },
    ...{ option_command_tokens: `another ${COMMAND_TOKEN}`, option_everything: true },
    account_user_ids: [account.accountUserId],
    ...more,
  });
  if (made.status !== 201) throw new Error(made.text);
  return { id: made.body.id, prefixId: made.body.prefix_id };
}

/** An id of a user, as Mattermost's are. */
export const userId = (name: string): string => name.padEnd(26, "0");

/** Posts JSON to one of our addresses, as Mattermost does. */
export const send = (url: string, body: Json): Promise<Reply> =>
  call("POST", new URL(url).pathname, {
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });

/** The action of a post. */
export function actionOf({ body }: Post, id: string): Json {
  const action = body.props.attachments[0].actions?.find((it: Json) => it.id === id);
  if (!action) throw new Error(`the post has no ${id}`);
  return action;
}

/** Presses a button, or chooses from a menu. `context` overrides what the button has. */
export function press(
  post: Post,
  id: string,
  user: string,
  selected?: string,
  context: Json = {},
): Promise<Reply> {
  const { integration, type } = actionOf(post, id);
  const chosen = selected !== undefined && { selected_option: selected };
  return send(integration.url, {
    ...{ user_id: userId(user), user_name: user, channel_id: CHANNEL, team_id: "t" },
    ...{ post_id: post.id, trigger_id: `trigger-${id}`, type },
    context: { ...integration.context, ...chosen, ...context },
  });
}

/** Submits the dialog that was opened last. */
export function submitDialog(
  { dialogs }: Mattermost,
  user: string,
  value: string,
  more: Json = {},
): Promise<Reply> {
  const { url, dialog } = dialogs.at(-1) ?? {};
  return send(url, {
    ...{ type: "dialog_submission", callback_id: dialog.callback_id, state: dialog.state },
    ...{ user_id: userId(user), channel_id: CHANNEL, submission: { value }, cancelled: false },
    ...more,
  });
}

/** Sends a slash command. */
export function command(
  { prefixId }: MattermostIntegration,
  name: string,
  text: string,
  user: string,
  more: Record<string, string> = {},
): Promise<Reply> {
  return call("POST", `/callbacks/mattermost/${prefixId}/commands`, {
    body: new URLSearchParams({
      ...{ token: COMMAND_TOKEN, command: name, text, team_id: "t", channel_id: CHANNEL },
      ...{ user_id: userId(user), user_name: user, trigger_id: newId() },
      ...more,
    }).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
}
