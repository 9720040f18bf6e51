// By what a person is reached, each with what is to be done about it: the same panels in the guided set-up and in the
// settings. `back` is the page that they stand on.
import type { Phone } from "../../contract/people/contact.ts";
import { TIME_ZONE_NAMES } from "../../domain/time-zones.ts";
import type { Me } from "../me.ts";
import type { Visit } from "../page.ts";
import { Badge } from "./badge.tsx";
import { ActionButton, Button, CheckField, Form, SelectField, TextField } from "./form.tsx";
import { Moment } from "./moment.tsx";
import { channelName } from "./notifications.tsx";
import { Notice, Panel } from "./panel.tsx";

export type PanelProps = {
  readonly visit: Visit;
  readonly me: Me;
  readonly back: "/settings" | "/set-up";
};

const Back = ({ back }: { readonly back: string }) => (
  <input type="hidden" name="back" value={back} />
);

/** Whether this person can be reached, and how: what the pager itself would do now. */
export const Reach = ({ visit, me }: PanelProps) => {
  const ways = me.ways.filter(({ channel }) => channel !== null && channel !== "log");
  if (ways.length === 0) {
    return (
      <Notice tone="bad" title="You cannot be reached.">
        No channel works for you yet: a page to you would find nobody. Confirm a phone, or let this
        device be pushed to.
      </Notice>
    );
  }
  const times = { zone: visit.session.timeZone, now: visit.now };
  const onlyMail = ways.every(({ channel }) => channel === "email");
  return (
    <Notice
      tone={onlyMail ? "warn" : "good"}
      title={onlyMail ? "You are reached by mail alone." : "You can be reached."}
    >
      {ways.map(({ channel, at }, i) => (
        <>
          {i === 0 ? "By " : ", "}
          {channelName(channel ?? "")}
          {Date.parse(at) > visit.now + 1_000 ? (
            <>
              {" "}
              at <Moment at={at} {...times} />
            </>
          ) : null}
        </>
      ))}
      {ways[0]?.decided_by ? ` (${ways[0].decided_by.replace("their own", "your own")})` : null}.
      {onlyMail ? " A mail wakes nobody: confirm a phone, or let this device be pushed to." : null}
    </Notice>
  );
};

export const Zone = ({ visit, me, back }: PanelProps) => {
  const zone = me.person.user.time_zone ?? "UTC";
  const names = TIME_ZONE_NAMES.includes(zone) ? TIME_ZONE_NAMES : [zone, ...TIME_ZONE_NAMES];
  return (
    <Form to="/settings/profile" session={visit.session} kind="fields">
      <Back back={back} />
      <SelectField
        name="time_zone"
        label="Time zone"
        choices={names.map((value) => ({ value, label: value }))}
        value={zone}
        help={
          <>
            By it every time is shown to you. <span data-device-zone></span>
          </>
        }
      />
      <Button tone="plain">Keep this zone</Button>
    </Form>
  );
};

const PhoneLine = ({ visit, back, phone }: PanelProps & { readonly phone: Phone }) => {
  const { session } = visit;
  const to = `/settings/phones/${phone.id}`;
  return (
    <li class="contact">
      <div class="alert-facts">
        <strong>{phone.phone}</strong>
        {phone.confirmed ? (
          <Badge tone="good">confirmed</Badge>
        ) : (
          <Badge tone="warn">not confirmed</Badge>
        )}
        {phone.blocked ? <Badge tone="bad">blocked: send START from it</Badge> : null}
        {phone.primary ? <Badge tone="neutral">first</Badge> : null}
      </div>
      {phone.confirmed ? null : (
        <Form to={`${to}/confirm`} session={session}>
          <Back back={back} />
          <input
            class="code-field"
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxlength={9}
            aria-label={`Code sent to ${phone.phone}`}
            placeholder="Six digits"
            required
          />
          <Button>Confirm</Button>
        </Form>
      )}
      <div class="buttons">
        {phone.confirmed ? null : (
          <ActionButton to={`${to}/code`} session={session} label="Send a code" fields={{ back }} />
        )}
        <ActionButton
          to={`${to}/remove`}
          session={session}
          label="Remove"
          fields={{ back }}
          confirm={`Remove ${phone.phone}? You are not reached by it any more.`}
        />
      </div>
    </li>
  );
};

export const Phones = (props: PanelProps) => {
  const { visit, me, back } = props;
  return (
    <>
      <ul class="contacts">
        {me.person.user.phones.map((phone) => (
          <PhoneLine {...props} phone={phone} />
        ))}
      </ul>
      <Form to="/settings/phones" session={visit.session} kind="fields">
        <Back back={back} />
        <TextField
          name="phone"
          label="Add a phone"
          type="tel"
          autocomplete="tel"
          placeholder="+14155550123"
          help="With its country code. A code of six digits is sent to it."
          required
        />
        <SelectField
          name="confirmation_method"
          label="Send the code by"
          choices={[
            { value: "sms", label: "SMS" },
            { value: "voice", label: "Call" },
          ]}
        />
        <Button tone="plain">Add it and send a code</Button>
      </Form>
    </>
  );
};

export const Push = ({ visit, me, back }: PanelProps) => (
  <>
    {me.pushKey === null ? (
      <p class="soft">This deployment has no Web Push.</p>
    ) : (
      <Form to="/settings/push" session={visit.session} id="push-form">
        <Back back={back} />
        <input type="hidden" name="endpoint" />
        <input type="hidden" name="p256dh" />
        <input type="hidden" name="auth" />
        <input type="hidden" name="name" />
        <button type="button" class="button primary" data-push-key={me.pushKey} hidden>
          Push to this device
        </button>
        <p class="help" data-push-help>
          Needs a browser with scripts. On an iPhone or iPad, put Tocsin on the home screen first
          (Share, then “Add to Home Screen”), and open it from there.
        </p>
      </Form>
    )}
    <ul class="contacts">
      {me.subscriptions.map((one) => (
        <li class="contact">
          <div class="alert-facts" data-endpoint={one.endpoint}>
            <strong>{one.name || "A browser"}</strong>
            <span>
              since <Moment at={one.created_at} zone={visit.session.timeZone} now={visit.now} />
            </span>
          </div>
          <ActionButton
            to={`/settings/push/${one.id}/remove`}
            session={visit.session}
            label="Remove"
            fields={{ back }}
          />
        </li>
      ))}
    </ul>
  </>
);

const CHANNELS = [
  ["notify_push", "Push"],
  ["notify_email", "E-mail"],
  ["notify_sms", "SMS"],
  ["notify_voice", "Call (alerts only)"],
] as const;

export const Channels = ({ visit, me, back }: PanelProps) => (
  <Form to="/settings/channels" session={visit.session} kind="fields">
    <Back back={back} />
    <fieldset>
      <legend>When no rule says otherwise, tell me by</legend>
      {CHANNELS.map(([name, label]) => (
        <CheckField name={name} label={label} checked={me.person.user[name] === true} />
      ))}
    </fieldset>
    <Button tone="plain">Keep these</Button>
  </Form>
);

export const Feeds = ({
  visit,
  me,
  back,
  made,
}: PanelProps & { readonly made?: string | undefined }) => (
  <>
    {made ? (
      <Notice tone="good" title="Your calendar's address, shown this once:">
        <code>{made}</code>
        <p>Subscribe to it in your calendar program. Who has the address can read your shifts.</p>
      </Notice>
    ) : null}
    <ul class="contacts">
      {me.feeds.map((feed) => (
        <li class="contact">
          <span>
            {feed.name || "Your shifts"}, since{" "}
            <Moment at={feed.created_at} zone={visit.session.timeZone} now={visit.now} />
          </span>
          <ActionButton
            to={`/settings/feeds/${feed.id}/remove`}
            session={visit.session}
            label="Revoke"
            fields={{ back }}
          />
        </li>
      ))}
    </ul>
    <ActionButton
      to="/settings/feeds"
      session={visit.session}
      label="Make an address for my calendar"
      fields={{ back }}
    />
  </>
);

export const Test = ({ visit, back }: PanelProps) => (
  <ActionButton
    to="/settings/test"
    session={visit.session}
    label="Send me a test page"
    tone="primary"
    fields={{ back }}
  />
);

/** A panel around one of them. */
export const Step = ({
  title,
  id,
  state,
  children,
}: {
  readonly title: string;
  readonly id: string;
  /** Whether it is done; undefined where that is not to be said. */
  readonly state?: boolean;
  readonly children: unknown;
}) => (
  <Panel
    title={title}
    id={id}
    aside={
      state === undefined ? null : (
        <Badge tone={state ? "good" : "warn"}>{state ? "done" : "to do"}</Badge>
      )
    }
  >
    {children as never}
  </Panel>
);
