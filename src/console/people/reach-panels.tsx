// A person's contact methods with their actions: the panels of the settings.
import { CHAT_TITLES } from "../../domain/people/chat.ts";
import { channelWord } from "../../domain/people/messengers.ts";
import type { Refusal } from "../../domain/shared/refusal.ts";
import { TIME_ZONE_NAMES } from "../../domain/shared/time-zones.ts";
import { UpdateUser } from "../../features/people/users/parameters.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { declareForm } from "../../kernel/console/declared-form.ts";
import { ActionButton, Button, Form, SelectField } from "../../kernel/console/form.tsx";
import { FormFields } from "../../kernel/console/form-fields.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Notice } from "../../kernel/console/panel.tsx";
import { useViewer } from "../../kernel/console/viewer.tsx";
import type { Me } from "../access/me.ts";
import { asChoices } from "../choices.ts";
import type { Visit } from "../page.ts";
import { ruleChoices } from "./membership.tsx";

export type PanelProps = { readonly me: Me };

export type ContactProps = PanelProps & {
  readonly visit: Visit;
  /** The refusal of its form; the submitted values are in the visit. */
  readonly refused: Refusal | null;
};

/** Why a form of these pages is shown again. */
export type RefusedForm = {
  readonly form: "phones" | "emails" | "addresses";
  readonly refusal: Refusal;
};

/**
 * Whether and on which channels this person can be notified now, computed like a real notification.
 */
export const Reach = ({ me }: PanelProps) => {
  const { now } = useViewer();
  const ways = me.ways.filter(({ channel }) => channel !== null && channel !== "log");
  if (ways.length === 0) {
    return (
      <Notice tone="bad" title="You cannot be reached.">
        None of your channels works. Confirm a phone number or enable push notifications on a
        device.
      </Notice>
    );
  }
  const onlyMail = ways.every(({ channel }) => channel === "email");
  return (
    <Notice
      tone={onlyMail ? "warn" : "good"}
      title={onlyMail ? "You can be reached by e-mail only." : "You can be reached."}
    >
      {ways.map(({ channel, at }, i) => (
        <>
          {i === 0 ? "Channels: " : ", "}
          {channelWord(channel ?? "")}
          {Date.parse(at) > now + 1_000 ? (
            <>
              {" "}
              at <Moment at={at} />
            </>
          ) : null}
        </>
      ))}
      {ways[0]?.decided_by ? ` (${ways[0].decided_by.replace("their own", "your own")})` : null}.
      {onlyMail ? " Confirm a phone number or enable push notifications on a device." : null}
    </Notice>
  );
};

export const Zone = ({ me }: PanelProps) => (
  <Form to="/settings/profile" kind="fields">
    <SelectField
      name="time_zone"
      label="Time zone"
      choices={asChoices(TIME_ZONE_NAMES)}
      value={me.person.user.time_zone ?? "UTC"}
      help={
        <>
          Times are shown in this time zone. <span data-device-zone></span>
        </>
      }
    />
    <Button tone="plain">Save time zone</Button>
  </Form>
);

/**
 * What a push notification cannot do by itself, by platform. A browser offers to install the app
 * only some time after the page has loaded: within the folded part, the button moves nothing.
 */
const WakeHints = () => (
  <details>
    <summary>Install Tocsin, and make a push notification wake you</summary>
    <button type="button" class="button plain" data-install hidden>
      Install Tocsin as an app
    </button>
    <ul>
      <li>
        iPhone, iPad: in Settings, Focus, choose each Focus that you use at night, and add Tocsin to
        the allowed apps. Silent mode still mutes it.
      </li>
      <li>
        Android: in Settings, Apps, allow the browser (or the installed app) to override Do Not
        Disturb, and exclude it from battery optimization.
      </li>
      <li>
        Computer: the browser must be running. Do Not Disturb of the system hides notifications.
      </li>
      <li>
        No browser can override silent mode on every phone. To be woken, also enable a phone call,
        and allow calls from its number in every Focus.
      </li>
    </ul>
  </details>
);

export const Push = ({ me }: PanelProps) => (
  <>
    {me.pushKey === null ? (
      <p class="soft">Web Push is not set up on this deployment.</p>
    ) : (
      <Form to="/settings/push" id="push-form">
        <input type="hidden" name="endpoint" />
        <input type="hidden" name="p256dh" />
        <input type="hidden" name="auth" />
        <input type="hidden" name="name" />
        <button type="button" class="button primary" data-push-key={me.pushKey} disabled>
          Enable push on this device
        </button>
        <p class="help push-help" data-push-help>
          <noscript>Requires JavaScript.</noscript>
        </p>
        <WakeHints />
      </Form>
    )}
    <ul class="contacts" data-push-devices>
      {me.subscriptions.map((one) => (
        <li class="contact">
          <div class="alert-facts" data-endpoint={one.endpoint}>
            <strong>{one.name || "Browser"}</strong>
            <span>
              added <Moment at={one.created_at} />
            </span>
          </div>
          <ActionButton to={`/settings/push/${one.id}/remove`} label="Remove device" />
        </li>
      ))}
    </ul>
  </>
);

/** The channels of a person without a notification rule. */
export const CHANNELS = declareForm(UpdateUser, [
  { name: "notify_push", label: "Push" },
  { name: "notify_email", label: "E-mail" },
  { name: "notify_sms", label: "SMS" },
  { name: "notify_voice", label: "Phone call (alerts only)" },
  {
    name: "notify_voice_repeat",
    label: "Call again after a minute if nobody has answered the alert",
  },
]);

export const Channels = ({ me }: PanelProps) => (
  <Form to="/settings/channels" kind="fields">
    <fieldset>
      <legend>Channels used when no notification rule applies</legend>
      <FormFields form={CHANNELS} state={{ values: me.person.user, refusal: null }} />
    </fieldset>
    <Button tone="plain">Save channels</Button>
  </Form>
);

export const Feeds = ({ me, made }: PanelProps & { readonly made?: string | undefined }) => (
  <>
    {made ? (
      <Notice tone="good" title="Calendar feed URL, shown only once:">
        <code>{made}</code>
        <p>
          Subscribe to this URL in your calendar application. Anyone who has it can read your
          shifts.
        </p>
      </Notice>
    ) : null}
    <ul class="contacts">
      {me.feeds.map((feed) => (
        <li class="contact">
          <span>
            {feed.name || "My shifts"}, created <Moment at={feed.created_at} />
          </span>
          <ActionButton to={`/settings/feeds/${feed.id}/remove`} label="Revoke feed" />
        </li>
      ))}
    </ul>
    <ActionButton to="/settings/feeds" label="Create calendar feed" />
  </>
);

/** Whether a step of the settings is complete. */
export const StepState = ({ isDone }: { readonly isDone: boolean }) => (
  <Badge tone={isDone ? "good" : "warn"}>{isDone ? "done" : "to do"}</Badge>
);

/** The person's choice, and the way to a rule of their own. */
export const RuleChoice = ({ me }: PanelProps) => {
  const used = me.rules.find(({ id }) => id === me.person.notification_rule_id);
  return (
    <>
      <Form to="/settings/rule" kind="fields">
        <SelectField
          name="notification_rule_id"
          label="Notification rule"
          choices={ruleChoices(me.rules, "yours", "none (the channels below)")}
          value={used?.id ?? ""}
          help="Decides when and on which channels you are notified, step by step."
        />
        <Button tone="plain">Save rule</Button>
      </Form>
      <p>
        {used ? (
          <>
            <a href={`/notification_rules/${used.prefix_id}`}>Open “{used.name}”</a> or{" "}
          </>
        ) : null}
        <a href="/notification_rules/new?mine">{used ? "create" : "Create"} a rule of your own</a>
      </p>
    </>
  );
};

export const ChatAccounts = ({ me: { chatAccounts } }: PanelProps) => (
  <>
    <p>
      {chatAccounts.length === 0
        ? "Press a button of an alert in your team's chat, or write /oncall there: you get a link for your account."
        : "What you do with these accounts in a chat, you do here."}
    </p>
    <ul class="contacts">
      {chatAccounts.map(({ id, product, name, workspace_id: workspace }) => (
        <li class="contact">
          <div class="alert-facts">
            <strong>
              {CHAT_TITLES[product]}: {name}
            </strong>
            <span class="soft">{workspace}</span>
          </div>
          <div class="buttons">
            <ActionButton
              to={`/settings/chats/${id}/remove`}
              label="Unlink account"
              confirm={`Unlink ${CHAT_TITLES[product]} (${name})? You can no longer answer alerts there.`}
            />
          </div>
        </li>
      ))}
    </ul>
  </>
);
