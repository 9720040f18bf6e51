// The posts of a Mattermost app: which actions an alert has in each status, and what its requests mean.
import { expect, test } from "vitest";
import type { OutgoingEvent } from "../../../../src/domain/integrations/announcement.ts";
import type { OutgoingMessage } from "../../../../src/products/integration-type.ts";
import {
  BUTTONS_MS,
  buttonsToken,
  dialogToken,
  endOfButtons,
  endOfDialog,
} from "../../../../src/products/mattermost/action-token.ts";
import { readMattermostAnswer } from "../../../../src/products/mattermost/api.ts";
import { mattermostApp } from "../../../../src/products/mattermost/mattermost-app-type.ts";
import {
  readClaim,
  readMattermostCommand,
  readMattermostPress,
  readMattermostSubmission,
  stateOf,
} from "../../../../src/products/mattermost/read-requests.ts";
import { escapeMarkdown } from "../../../../src/products/mattermost/text.ts";

const ID = "01JJ5E6V7P8Q9R0STVWXYZ0123";
const SERVER = "https://chat.example.com/";
const USER = "w5o5bqtwoibz8cuzxzg5eksuse";
const secrets = { bot_token: "bot" };
const options = { server: SERVER, channel: "qmd5oqtwoibz8cuzxzg5ekshgr" };
const SUBJECT = { integrationId: "int_1", alertId: ID };
const APP = { origin: "https://tocsin.test", integrationId: "int_1" };

const message = (
  status: string,
  event = "alert.open",
  app: OutgoingMessage["app"] = APP,
): OutgoingMessage => ({
  event: event as OutgoingEvent,
  ...{ at: 0, url: "https://tocsin.test/alerts/alt_1", app },
  payload: {
    ...{ about: "alert", sourceName: "Shop", destinations: ["Payments"], detail: null },
    alert: { id: ID, title: "Disk full", description: null, status, urgency: "high" },
    by: { accountUserId: null, name: "Ada" },
  },
});

type Body = { readonly props: { readonly attachments: readonly { readonly actions?: any[] }[] } };

const requestOf = (it: OutgoingMessage) => mattermostApp.outgoing?.announce(it, options, secrets);
const actionsOf = (it: OutgoingMessage): any[] => {
  const body = requestOf(it)?.body as Body | undefined;
  return body?.props.attachments[0]?.actions ?? [];
};

test.each([
  ["open", ["acknowledge", "reject", "resolve", "snooze", "handoff", "comment"]],
  ["dropped", ["acknowledge", "resolve", "snooze", "handoff", "comment"]],
  ["acknowledged", ["resolve", "snooze", "handoff", "comment"]],
  ["suppressed", ["acknowledge"]],
  ["resolved", ["comment"]],
  ["queued", []],
])("an alert that is %s has the actions %j", (status, actions) => {
  expect(actionsOf(message(status)).map(({ id }) => id)).toEqual(actions);
});

test("a deleted alert has none, nor one without a public URL", () => {
  expect(actionsOf(message("open", "alert.destroyed"))).toEqual([]);
  expect(actionsOf(message("open", "alert.open", null))).toEqual([]);
});

test("a press is sent to the integration, with a token of the alert's", () => {
  expect(requestOf(message("open"))).toMatchObject({
    ...{ method: "POST", url: "https://chat.example.com/api/v4/posts" },
    headers: { authorization: "Bearer bot" },
  });
  const [{ integration }] = actionsOf(message("open")) as [any];
  expect(integration).toEqual({
    url: "https://tocsin.test/callbacks/mattermost/int_1/actions",
    context: { token: buttonsToken("bot", SUBJECT, 0), alert: ID, action: "acknowledge" },
  });
});

test("a later event changes the post and replies to it, a comment only replies", () => {
  const posted = { channel: "c", messageId: "p1" };
  const follow = (it: OutgoingMessage) =>
    mattermostApp.outgoing?.chat?.follow(it, posted, options, secrets);
  expect(follow(message("acknowledged", "alert.acknowledged"))).toMatchObject([
    { method: "PUT", url: "https://chat.example.com/api/v4/posts/p1/patch" },
    { method: "POST", body: { channel_id: "c", root_id: "p1", message: "Acknowledged by Ada" } },
  ]);
  const comment: OutgoingMessage = {
    ...{ event: "comment.created", at: 0, url: null, app: APP },
    payload: {
      ...{ about: "comment", on: "Disk full" },
      comment: { created_by_name: "Ada", body: "@all x", alert_id: ID },
    },
  };
  expect(follow(comment)).toMatchObject([{ body: { message: "Comment by Ada\n@\u200ball x" } }]);
});

test("a token is that of one bot, integration and alert, and of nothing else that we give", () => {
  const token = buttonsToken("bot", SUBJECT, 7);
  expect(endOfButtons(token, "bot", SUBJECT)).toBe(7 + BUTTONS_MS);
  const dialog = { ...SUBJECT, dialog: "comment", userId: USER };
  const ofDialog = dialogToken("bot", dialog, 7);
  expect(endOfDialog(ofDialog, "bot", dialog)).toBe(7 + 600_000);
  for (const wrong of [
    endOfButtons(token, "other", SUBJECT),
    endOfButtons(token, "", SUBJECT),
    endOfButtons(token, "bot", { ...SUBJECT, integrationId: "int_2" }),
    endOfButtons(token, "bot", { ...SUBJECT, alertId: ID.replace("0", "1") }),
    endOfButtons(`1${token}`, "bot", SUBJECT),
    endOfButtons(`${token}=`, "bot", SUBJECT),
    endOfButtons("", "bot", SUBJECT),
    endOfButtons(ofDialog, "bot", SUBJECT),
    endOfDialog(token, "bot", dialog),
    endOfDialog(ofDialog, "bot", { ...dialog, userId: USER.replace("w", "x") }),
    endOfDialog(ofDialog, "bot", { ...dialog, dialog: "hand_off" }),
  ]) {
    expect(wrong).toBeNull();
  }
});

test.each([
  [201, { id: "p", channel_id: "c" }, { kind: "done", posted: { channel: "c", messageId: "p" } }],
  [200, { status: "OK" }, { kind: "done", posted: null }],
  [404, { id: "app.post.get.app_error" }, { kind: "lost" }],
  [400, { id: "api.post.create_post.root_id.app_error" }, { kind: "lost" }],
  [403, { id: "api.context.permissions.app_error" }, { kind: "refused" }],
  [401, { id: "api.context.session_expired.app_error" }, { kind: "refused" }],
  [403, null, { kind: "again" }],
  [429, { id: "rate" }, { kind: "again" }],
  [500, { id: "x" }, { kind: "again" }],
  [400, { id: "secret +14155550123" }, { kind: "again", reason: "Mattermost answered 400" }],
])("an answer %i %j means %j", (status, body, expected) => {
  expect(readMattermostAnswer(status, body)).toMatchObject(expected);
});

const press = (context: object, more: object = {}) =>
  readMattermostPress(
    JSON.stringify({ user_id: USER, user_name: "ada", trigger_id: "t", context, ...more }),
    SERVER,
  );

test("presses, submissions and commands are read, anything else is none", () => {
  const person = { workspaceId: "chat.example.com", userId: USER, name: "ada" };
  expect(press({ alert: ID, action: "snooze", selected_option: "60" })).toEqual({
    person,
    alertId: ID,
    act: { kind: "action", action: { kind: "snooze", minutes: 60 } },
  });
  expect(press({ alert: ID, action: "handoff" })?.act).toEqual({
    ...{ kind: "ask", dialog: "hand_off", triggerId: "t" },
  });
  for (const none of [
    press({ alert: ID, action: "snooze", selected_option: "61" }),
    press({ alert: ID, action: "__proto__" }),
    press({ alert: "x", action: "resolve" }),
    press({ alert: ID, action: "resolve" }, { user_id: "" }),
    readMattermostPress("[]", SERVER),
    readMattermostPress("{", SERVER),
    readMattermostPress("null", ""),
  ]) {
    expect(none).toBeNull();
  }
  const state = stateOf("x", ID, "comment");
  const submission = JSON.stringify({ user_id: USER, state, submission: { value: " hi " } });
  expect(readClaim(submission)).toEqual({
    ...{ token: "x", alertId: ID, userId: USER, dialog: "comment" },
  });
  expect(readMattermostSubmission(submission, SERVER)).toMatchObject({
    ...{ alertId: ID, dialog: "comment", value: "hi" },
  });
  expect(readClaim("null")).toEqual({ token: "", alertId: "", userId: "", dialog: "" });
  expect(readMattermostSubmission(`{"state":"{"}`, SERVER)).toBeNull();
  const form = new URLSearchParams({ command: "/page", text: " Ada x ", user_id: USER });
  expect(readMattermostCommand(form, SERVER)).toMatchObject({
    ...{ name: "/page", text: "Ada x", mentionedId: null },
  });
  expect(readMattermostCommand(new URLSearchParams({ user_id: USER }), SERVER)).toBeNull();
});

test.each([
  [
    "Hi @all: *x* https://t.test/a_b/c-d y_z",
    "Hi @\u200ball: \\*x\\* https://t.test/a_b/c-d y\\_z",
  ],
  ["pod:8080 'err:*' at 12:30:45", "pod:8080 'err:\\*' at 12:30:45"],
  ["ada@example.com, (@here)", "ada@example.com, \\(@\u200bhere\\)"],
  [
    ":fire: :100: :D :+1: 10.0.0.1:100:2",
    ":\u200bfire: :\u200b100: :\u200bD :\u200b\\+1: 10.0.0.1:\u200b100:2",
  ],
  ["https://a@t.test/@here`x`", "https://a@t.test/%40here%60x%60"],
])("%s is shown as it is: links stay links, and nobody is mentioned", (text, expected) => {
  expect(escapeMarkdown(text)).toBe(expected);
});
