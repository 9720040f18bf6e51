// The actions of the settings.
import { MESSENGERS } from "../../domain/people/messengers.ts";
import { isRefusal, notFound, type Refusal } from "../../domain/shared/refusal.ts";
import {
  closeEndedConsoles,
  endSessions,
  forgetSessions,
} from "../../features/access/sessions/session.ts";
import { describeMessenger } from "../../features/people/channel-addresses/list-messengers.ts";
import { noteOpened } from "../../features/people/push-subscriptions/note-opened.ts";
import { changedParameters, NOTHING_CHANGED } from "../../kernel/console/changed.ts";
import { Heading, LinkButton, Panel } from "../../kernel/console/panel.tsx";
import {
  done,
  notDone,
  pageReply,
  type Reply,
  redisplayForm,
  refusalText,
} from "../../kernel/console/reply.ts";
import { keepTheme } from "../../kernel/console/theme.ts";
import { textOf, type Values } from "../../kernel/console/values.ts";
import { action, type ConsolePage, deletion, idOf, step, type Visit } from "../page.ts";
import { CHANNELS, type RefusedForm } from "../people/reach-panels.tsx";
import { SHIFTS } from "../people/shift-settings.tsx";
import { settingsPage } from "./settings.tsx";
import { signedOut } from "./sign-in.tsx";

// Addresses on messaging apps: the actions of the settings, and the link to the provider.

const BACK = "/settings#addresses";

const linkPage = (title: string, url: string): Reply =>
  pageReply(
    `Link ${title}`,
    <>
      <Heading title={`Link ${title}`}>
        <LinkButton to={BACK}>Back to settings</LinkButton>
      </Heading>
      <Panel title="Open the bot">
        <p>
          Open the link on the device that has {title}, and choose Start. It is valid for a short
          time, and links the chat of whoever opens it: do not share it.
        </p>
        <p>
          <a class="button primary" href={url} rel="noreferrer">
            Open {title}
          </a>
        </p>
        <p>
          <code>{url}</code>
        </p>
      </Panel>
    </>,
  );

/** Sends the code of an address, or shows the page with its link. */
async function sendCode({ api }: Visit, id: string, title: string): Promise<Reply> {
  const proof = await api.post("/channel_addresses/:id/send_code", { id });
  if (isRefusal(proof)) return notDone(BACK, proof);
  return proof.link_url === null
    ? done(BACK, `Code sent by ${title}. Enter it below.`)
    : linkPage(title, proof.link_url);
}

/** Adds an address and sends its code: two API calls, the second only if the first succeeds. */
async function addAddress(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const channel = MESSENGERS.find((one) => one === textOf(form, "channel"));
  if (channel === undefined) return notFound("channel_address");
  const messenger = describeMessenger(channel);
  const settings = Object.fromEntries(messenger.fields.map(({ key }) => [key, textOf(form, key)]));
  const name = textOf(form, "name");
  const address = await api.post("/channel_addresses", { channel, settings, name });
  if (isRefusal(address)) return showAgain(visit, "addresses", address);
  return sendCode(visit, address.id, messenger.title);
}

async function sendAnother(visit: Visit): Promise<Reply> {
  const id = idOf(visit);
  const address = await visit.api.get("/channel_addresses/:id", { id });
  if (isRefusal(address)) return notDone(BACK, address);
  return sendCode(visit, id, describeMessenger(address.channel).title);
}

/** Updates the person, then redirects to the page with a flash message. */
async function updateUser(visit: Visit, place: string, body: Values): Promise<Reply> {
  const { api, session } = visit;
  const to = `/settings#${place}`;
  const current = await api.get("/users/:id", { id: session.actor.userId });
  if (isRefusal(current)) return notDone(to, current);
  const changes = changedParameters(body, current);
  if (Object.keys(changes).length === 0) return done(to, NOTHING_CHANGED);
  const user = await api.put("/users/:id", { ...changes, id: session.actor.userId });
  if (isRefusal(user)) return notDone(to, user);
  forgetSessions((known) => known.actor.userId === session.actor.userId);
  return done(to, SAVED);
}

function profileOf(form: Values): Values {
  const changed = ["name", "time_zone"].filter((name) => name in form);
  return Object.fromEntries(changed.map((name) => [name, textOf(form, name)]));
}

/** Adds a number and sends its code: two API calls, the second only if the first succeeds. */
async function addPhone(visit: Visit): Promise<Reply> {
  const { api, form, session } = visit;
  const to = "/settings#phones";
  const phone = textOf(form, "phone");
  const method = textOf(form, "confirmation_method") === "voice" ? "voice" : "sms";
  const id = session.actor.userId;
  const before = await api.get("/users/:id", { id });
  if (isRefusal(before)) return notDone(to, before);
  const entry = { phone, confirmation_method: method };
  const user = await api.put("/users/:id", { id, phones_attributes: [entry] });
  if (isRefusal(user)) return showAgain(visit, "phones", user);
  const previousIds = new Set(before.phones.map((it) => it.id));
  const added = user.phones.find((it) => !previousIds.has(it.id));
  if (!added) return done(to, "You already have this number.");
  const sent = await api.post("/phones/:id/send_code", { id: added.id });
  return isRefusal(sent)
    ? { kind: "goto", to, flash: { tone: "bad", text: `Number added. ${refusalText(sent)}` } }
    : done(to, `Code sent to ${added.phone}.`);
}

/** Adds an address, to which a link is sent. */
async function addEmail(visit: Visit): Promise<Reply> {
  const { api, form, session } = visit;
  const entry = { email: textOf(form, "email") };
  const user = await api.put("/users/:id", {
    ...{ id: session.actor.userId, emails_attributes: [entry] },
  });
  if (isRefusal(user)) return showAgain(visit, "emails", user);
  const text = "Address added. Follow the link in the e-mail sent to it to verify it.";
  return done("/settings#emails", text);
}

/** Shows the page with the form as it was submitted, and what is wrong at its field. */
const showAgain = (visit: Visit, form: RefusedForm["form"], refusal: Refusal) =>
  redisplayForm(refusal, (it) => settingsPage(visit, undefined, { form, refusal: it }));

async function createFeed(visit: Visit): Promise<Reply> {
  const { api, session } = visit;
  const feed = await api.post("/account_users/:id/feeds", {
    id: session.actor.accountUserId,
    name: "My shifts",
  });
  if (isRefusal(feed)) return notDone("/settings#feeds", feed);
  return settingsPage(visit, feed.url);
}

async function sendTest(visit: Visit): Promise<Reply> {
  const alert = await visit.api.post("/test_pages");
  if (isRefusal(alert)) return notDone("/settings#test", alert);
  return { kind: "goto", to: `/settings?test=${alert.prefix_id}#test` };
}

async function signOutOf({ context, env, db, form, session }: Visit): Promise<Reply> {
  const id = textOf(form, "id");
  const everywhere = id === "all";
  await endSessions(db, session.actor.userId, everywhere ? null : id);
  context.executionCtx.waitUntil(closeEndedConsoles(env, session.actor.accountId));
  if (!everywhere) return done("/settings", "Session signed out.");
  return signedOut(context, "Signed out everywhere. This can take up to 30 seconds.");
}

/** A device with push opened the console: whether it is still subscribed. */
async function seePush(visit: Visit): Promise<Reply> {
  const { accountUserId } = visit.session.actor;
  const isSubscribed = await noteOpened(visit, accountUserId, textOf(visit.form, "endpoint"));
  return { kind: "data", value: { isSubscribed } };
}

const removing = (list: "phones" | "emails") => (visit: Visit, id: string) =>
  visit.api.put("/users/:id", {
    ...{ id: visit.session.actor.userId, [`${list}_attributes`]: [{ id, _destroy: true }] },
  });

const useRule = ({ api, form, session }: Visit) =>
  api.put("/account_users/:id", {
    id: session.actor.accountUserId,
    notification_rule_id: textOf(form, "notification_rule_id") || null,
  });

const subscribe = ({ api, form }: Visit) =>
  api.post("/push_subscriptions", {
    endpoint: textOf(form, "endpoint"),
    keys: { p256dh: textOf(form, "p256dh"), auth: textOf(form, "auth") },
    name: textOf(form, "name").slice(0, 255),
  });

const PHONES = "/settings#phones";
const EMAILS = "/settings#emails";
const SAVED = "Changes saved.";
const LINK_SENT = "Verification e-mail sent. Follow its link to verify the address.";
const SUBSCRIBED = "Push notifications enabled on this device.";

export const settingsActions: readonly ConsolePage[] = [
  action("/settings/addresses", addAddress),
  action("/settings/addresses/:id/code", sendAnother),
  step(
    "/settings/addresses/:id/confirm",
    ({ api, form }, id) =>
      api.post("/channel_addresses/:id/confirm", { id, code: textOf(form, "code") }),
    "Address confirmed. You get notifications there.",
    BACK,
  ),
  deletion("/settings/addresses/:id/remove", "/channel_addresses/:id", "Address removed.", BACK),
  action("/settings/profile", (visit) => updateUser(visit, "zone", profileOf(visit.form))),
  action("/settings/channels", (visit) =>
    updateUser(visit, "channels", CHANNELS.bodyOf(visit.form)),
  ),
  action("/settings/shifts", (visit) => updateUser(visit, "shifts", SHIFTS.bodyOf(visit.form))),
  step("/settings/rule", useRule, SAVED, "/settings#channels"),
  action("/settings/phones", addPhone),
  step("/settings/phones/:id/code", "/phones/:id/send_code", "Code sent.", PHONES),
  step(
    "/settings/phones/:id/confirm",
    ({ api, form }, id) => api.post("/phones/:id/confirm", { id, code: textOf(form, "code") }),
    "Number confirmed.",
    PHONES,
  ),
  step("/settings/phones/:id/remove", removing("phones"), "Number removed.", PHONES),
  action("/settings/emails", addEmail),
  step("/settings/emails/:id/link", "/emails/:id/send_link", LINK_SENT, EMAILS),
  step("/settings/emails/:id/remove", removing("emails"), "Address removed.", EMAILS),
  step("/settings/push", subscribe, SUBSCRIBED, "/settings#push"),
  action("/settings/push/seen", seePush),
  deletion(
    "/settings/push/:id/remove",
    "/push_subscriptions/:id",
    "Device removed.",
    "/settings#push",
  ),
  action("/settings/feeds", createFeed),
  deletion("/settings/feeds/:id/remove", "/feeds/:id", "Calendar feed revoked.", "/settings#feeds"),
  action("/settings/theme", async ({ context, form }) => {
    keepTheme(context, textOf(form, "theme"));
    return done("/settings#look", "Theme saved for this browser.");
  }),
  action("/settings/test", sendTest),
  action("/settings/sessions", signOutOf),
];
