// The actions of the setup guide and of the settings.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { endSessions, forgetSessions } from "../../features/access/sessions/session.ts";
import { noteOpened } from "../../features/people/push-subscriptions/note-opened.ts";
import { changedParameters, NOTHING_CHANGED } from "../../kernel/console/changed.ts";
import { dropCookie } from "../../kernel/console/cookies.ts";
import { done, notDone, redisplayForm, refusalText } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { keepTheme } from "../../kernel/console/theme.ts";
import { textOf } from "../../kernel/console/values.ts";
import { setUpPage } from "../configuration/set-up.tsx";
import { action, type ConsolePage, idOf, type Visit } from "../page.ts";
import { CHANNELS, type Refused } from "../people/reach-panels.tsx";
import { SHIFTS } from "../people/shift-settings.tsx";
import { settingsPage } from "./settings.tsx";

const backOf = ({ form }: Visit) => (textOf(form, "back") === "/set-up" ? "/set-up" : "/settings");

/** The page whose form was submitted. */
const pageOf = (visit: Visit) => (backOf(visit) === "/set-up" ? setUpPage : settingsPage);

/** Updates the person, then redirects to the page with a flash message. */
async function updateUser(
  visit: Visit,
  place: string,
  body: Readonly<Record<string, unknown>>,
  text: string,
): Promise<Reply> {
  const { api, session } = visit;
  const to = `${backOf(visit)}#${place}`;
  const current = await api.get("/users/:id", { id: session.actor.userId });
  if (isRefusal(current)) return notDone(to, current);
  const changes = changedParameters(body, current);
  if (Object.keys(changes).length === 0) return done(to, NOTHING_CHANGED);
  const user = await api.put("/users/:id", { ...changes, id: session.actor.userId });
  if (isRefusal(user)) return notDone(to, user);
  forgetSessions((known) => known.actor.userId === session.actor.userId);
  return done(to, text);
}

function changeProfile(visit: Visit): Promise<Reply> {
  const changed = ["name", "time_zone"].filter((name) => name in visit.form);
  const body = Object.fromEntries(changed.map((name) => [name, textOf(visit.form, name)]));
  return updateUser(visit, "zone", body, "Changes saved.");
}

function changeChannels(visit: Visit): Promise<Reply> {
  return updateUser(visit, "channels", CHANNELS.bodyOf(visit.form), "Changes saved.");
}

function changeShifts(visit: Visit): Promise<Reply> {
  return updateUser(visit, "shifts", SHIFTS.bodyOf(visit.form), "Changes saved.");
}

/** Adds a number and sends its code: two API calls, the second only if the first succeeds. */
async function addPhone(visit: Visit): Promise<Reply> {
  const { api, form, session } = visit;
  const to = `${backOf(visit)}#phones`;
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
  return done(`${backOf(visit)}#emails`, text);
}

/** Shows the page with the form as it was submitted, and what is wrong at its field. */
const showAgain = (visit: Visit, form: Refused["form"], refusal: Refusal) =>
  redisplayForm(refusal, (it) => pageOf(visit)(visit, undefined, { form, refusal: it }));

/** Calls one API operation, then redirects. */
const callAndRedirect =
  (
    place: string,
    run: (visit: Visit) => Promise<unknown | Refusal>,
    text: string,
  ): ((visit: Visit) => Promise<Reply>) =>
  async (visit) => {
    const result = await run(visit);
    const to = `${backOf(visit)}#${place}`;
    return isRefusal(result) ? notDone(to, result) : done(to, text);
  };

async function createFeed(visit: Visit): Promise<Reply> {
  const { api, session } = visit;
  const feed = await api.post("/account_users/:id/feeds", {
    id: session.actor.accountUserId,
    name: "My shifts",
  });
  if (isRefusal(feed)) return notDone(`${backOf(visit)}#feeds`, feed);
  return pageOf(visit)(visit, feed.url);
}

async function sendTest(visit: Visit): Promise<Reply> {
  const alert = await visit.api.post("/test_pages");
  if (isRefusal(alert)) return notDone(`${backOf(visit)}#test`, alert);
  return { kind: "goto", to: `/set-up?test=${alert.prefix_id}#test` };
}

async function signOutOf({ context, db, form, session }: Visit): Promise<Reply> {
  const id = textOf(form, "id");
  const everywhere = id === "all";
  await endSessions(db, session.actor.userId, everywhere ? null : id);
  if (!everywhere) return done("/settings", "Session signed out.");
  dropCookie(context, "session");
  dropCookie(context, "claim");
  const text = "Signed out everywhere. This can take up to 30 seconds.";
  return { kind: "goto", to: "/sign-in", flash: { tone: "good", text } };
}

/** A device with push opened the console: whether it is still subscribed. */
async function seePush(visit: Visit): Promise<Reply> {
  const { accountUserId } = visit.session.actor;
  const isSubscribed = await noteOpened(visit, accountUserId, textOf(visit.form, "endpoint"));
  return { kind: "data", value: { isSubscribed } };
}

const changeUser = (body: (visit: Visit) => Readonly<Record<string, unknown>>) => (visit: Visit) =>
  visit.api.put("/users/:id", { ...body(visit), id: visit.session.actor.userId });

const useRule = ({ api, form, session }: Visit) =>
  api.put("/account_users/:id", {
    id: session.actor.accountUserId,
    notification_rule_id: textOf(form, "notification_rule_id") || null,
  });

const subscriptionOf = ({ form }: Visit) => ({
  endpoint: textOf(form, "endpoint"),
  keys: { p256dh: textOf(form, "p256dh"), auth: textOf(form, "auth") },
  name: textOf(form, "name").slice(0, 255),
});

export const settingsActions: readonly ConsolePage[] = [
  action("/settings/profile", changeProfile),
  action("/settings/channels", changeChannels),
  action("/settings/shifts", changeShifts),
  action(
    "/settings/rule",
    callAndRedirect("channels", (visit) => useRule(visit), "Changes saved."),
  ),
  action("/settings/phones", addPhone),
  action(
    "/settings/phones/:id/code",
    callAndRedirect(
      "phones",
      (visit) => visit.api.post("/phones/:id/send_code", { id: idOf(visit) }),
      "Code sent.",
    ),
  ),
  action(
    "/settings/phones/:id/confirm",
    callAndRedirect(
      "phones",
      (visit) =>
        visit.api.post("/phones/:id/confirm", {
          id: idOf(visit),
          code: textOf(visit.form, "code"),
        }),
      "Number confirmed.",
    ),
  ),
  action(
    "/settings/phones/:id/remove",
    callAndRedirect(
      "phones",
      changeUser(({ params }) => ({ phones_attributes: [{ id: params.id, _destroy: true }] })),
      "Number removed.",
    ),
  ),
  action("/settings/emails", addEmail),
  action(
    "/settings/emails/:id/link",
    callAndRedirect(
      "emails",
      (visit) => visit.api.post("/emails/:id/send_link", { id: idOf(visit) }),
      "Verification e-mail sent. Follow its link to verify the address.",
    ),
  ),
  action(
    "/settings/emails/:id/remove",
    callAndRedirect(
      "emails",
      changeUser(({ params }) => ({ emails_attributes: [{ id: params.id, _destroy: true }] })),
      "Address removed.",
    ),
  ),
  action(
    "/settings/push",
    callAndRedirect(
      "push",
      (visit) => visit.api.post("/push_subscriptions", subscriptionOf(visit)),
      "Push notifications enabled on this device.",
    ),
  ),
  action("/settings/push/seen", seePush),
  action(
    "/settings/push/:id/remove",
    callAndRedirect(
      "push",
      (visit) => visit.api.delete("/push_subscriptions/:id", { id: idOf(visit) }),
      "Device removed.",
    ),
  ),
  action("/settings/feeds", createFeed),
  action(
    "/settings/feeds/:id/remove",
    callAndRedirect(
      "feeds",
      (visit) => visit.api.delete("/feeds/:id", { id: idOf(visit) }),
      "Calendar feed revoked.",
    ),
  ),
  action("/settings/theme", async ({ context, form }) => {
    keepTheme(context, textOf(form, "theme"));
    return done("/settings#look", "Theme saved for this browser.");
  }),
  action("/settings/test", sendTest),
  action("/settings/sessions", signOutOf),
];
