// A person's own settings: contact methods, notification channels, sessions.
import { deviceName } from "../../domain/access/device-name.ts";
import { isRefusal, refuse } from "../../domain/shared/refusal.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { Current } from "../../kernel/console/current.tsx";
import {
  ActionButton,
  Button,
  Form,
  FormFaults,
  SelectField,
  TextField,
} from "../../kernel/console/form.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Heading, LinkButton, Notice, Panel } from "../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { readTheme, THEMES } from "../../kernel/console/theme.ts";
import { textOf } from "../../kernel/console/values.ts";
import { NotificationLines } from "../alerts/alert-panels.tsx";
import { asChoices } from "../choices.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { Addresses } from "../people/addresses.tsx";
import { rolesText } from "../people/membership.tsx";
import { CONTACT_CARD, Phones } from "../people/phones.tsx";
import {
  Channels,
  ChatAccounts,
  type ContactProps,
  Feeds,
  type PanelProps,
  Push,
  Reach,
  type RefusedForm,
  RuleChoice,
  StepState,
  Zone,
} from "../people/reach-panels.tsx";
import { ShiftSettings } from "../people/shift-settings.tsx";
import { allOf, readNames } from "../reads.ts";
import { readMe } from "./me.ts";

const Profile = ({ me }: PanelProps) => (
  <Panel title="Profile" id="zone">
    <Form to="/settings/profile" kind="fields">
      <TextField name="name" label="Name" value={me.person.user.name} maxlength={255} required />
      <Button tone="plain">Save name</Button>
    </Form>
    <Zone me={me} />
  </Panel>
);

const Emails = ({ visit, me, refused }: ContactProps) => (
  <Panel title="E-mail addresses" id="emails">
    <ul class="contacts">
      {me.person.user.emails.map((email) => (
        <li class="contact">
          <span>
            {email.email} {email.primary ? <span class="soft">primary</span> : ""}
            {email.blocked ? <span class="faults"> bounced</span> : null}
            {email.verified ? null : <Badge tone="warn">not verified</Badge>}
          </span>
          <div class="buttons">
            {email.verified || email.blocked ? null : (
              <ActionButton to={`/settings/emails/${email.id}/link`} label="Resend verification" />
            )}
            {email.primary ? null : (
              <ActionButton to={`/settings/emails/${email.id}/remove`} label="Remove address" />
            )}
          </div>
        </li>
      ))}
    </ul>
    <Form to="/settings/emails" kind="fields">
      <FormFaults refusal={refused} fields={["emails_attributes[0].email"]} />
      <TextField
        name="email"
        parameter="emails_attributes[0].email"
        label="New address"
        value={refused === null ? "" : textOf(visit.form, "email")}
        refusal={refused}
        type="email"
        autocomplete="email"
        help="A verification link is sent to this address. After verification you can sign in with it."
        required
      />
      <Button tone="plain">Add address</Button>
    </Form>
  </Panel>
);

const Appearance = ({ visit }: { readonly visit: Visit }) => (
  <Panel title="Appearance" id="look">
    <Form to="/settings/theme" kind="fields">
      <SelectField
        name="theme"
        label="Theme in this browser"
        choices={asChoices(THEMES)}
        value={readTheme(visit.context)}
      />
      <Button tone="plain">Save theme</Button>
    </Form>
  </Panel>
);

const Sessions = ({ visit, me }: PanelProps & { readonly visit: Visit }) => (
  <Panel title="Sessions">
    <Table
      label="Sessions"
      rows={me.sessions}
      columns={[
        {
          title: "Browser",
          cell: (it) => (
            <>
              {deviceName(it.browser)}
              {it.id === visit.session.id ? <span class="soft"> (this session)</span> : null}
            </>
          ),
        },
        { title: "Last used", cell: (it) => <Moment at={it.lastSeenAt} /> },
        { title: "Signed in", cell: (it) => <Moment at={it.createdAt} /> },
        {
          title: "Sign out",
          kind: "actions",
          cell: (it) =>
            it.id === visit.session.id ? null : (
              <ActionButton to="/settings/sessions" label="Sign out" fields={{ id: it.id }} />
            ),
        },
      ]}
    />
    <div class="buttons">
      <ActionButton
        to="/settings/sessions"
        label="Sign out everywhere"
        tone="danger"
        fields={{ id: "all" }}
        confirm="Sign out of all sessions, including this one?"
      />
      {visit.session.hasPassword ? <LinkButton to="/password">Change password</LinkButton> : null}
    </div>
  </Panel>
);

async function TestResult(visit: Visit, id: string) {
  const read = await allOf(
    visit.api.get("/alerts/:id", { id }),
    visit.api.get("/alerts/:id/notifications", { id, event: "alert.open" }),
    readNames(visit.api),
  );
  if (isRefusal(read)) return null;
  const [alert, { data }, names] = read;
  const answered = alert.acknowledged_at !== null || alert.resolved_at !== null;
  return (
    <Current from={`/settings?test=${encodeURIComponent(id)}`} trigger="every 3s" kind="stack">
      {answered ? (
        <Notice tone="good" title="Test page answered.">
          Notifications reach you, and you can answer them.
        </Notice>
      ) : (
        <p>
          Test page sent. Acknowledge it in the message or on{" "}
          <a href={`/alerts/${alert.prefix_id}`}>the alert page</a>.
        </p>
      )}
      <NotificationLines notifications={data} names={names} />
    </Current>
  );
}

/** Renders the page; `made` is a new calendar feed's URL, which is shown only once. */
export async function settingsPage(
  visit: Visit,
  made?: string,
  refused: RefusedForm | null = null,
): Promise<Reply> {
  const test = visit.query.get("test");
  const [me, result] = await Promise.all([
    readMe(visit),
    test === null ? null : TestResult(visit, test),
  ]);
  if (isRefusal(me)) return me;
  const { user } = me.person;
  const hasPhone = user.phones.some(({ confirmed, blocked }) => confirmed && !blocked);
  const contact = (form: RefusedForm["form"]) => ({
    ...{ visit, me, refused: refused?.form === form ? refused.refusal : null },
  });
  return pageReply(
    "My settings",
    <>
      <Heading title={user.name} lead={`${rolesText(me.person)} of ${visit.session.accountName}`} />
      <Reach me={me} />
      <div class="columns even">
        <div>
          <Panel title="Phones" id="phones" aside={<StepState isDone={hasPhone} />}>
            <Phones {...contact("phones")} />
          </Panel>
          <Panel
            title="Push notifications"
            id="push"
            aside={<StepState isDone={me.subscriptions.length > 0} />}
          >
            <Push me={me} />
          </Panel>
          <Panel title="Messaging apps" id="addresses">
            <Addresses {...contact("addresses")} />
          </Panel>
          <Panel title="Chat accounts" id="chats">
            <ChatAccounts me={me} />
          </Panel>
          <Panel title="Notification channels" id="channels">
            <RuleChoice me={me} />
            <Channels me={me} />
          </Panel>
          <Panel title="Test page" id="test">
            <p>
              Pages you now by your own rules and channels, as a real alert would. At most five
              times an hour.
            </p>
            {result}
            <ActionButton to="/settings/test" label="Page me now" tone="primary" />
          </Panel>
        </div>
        <div>
          <Profile me={me} />
          <Emails {...contact("emails")} />
          <Panel title="Shift notifications" id="shifts">
            <ShiftSettings me={me} />
          </Panel>
          <Panel title="Calendar feeds" id="feeds">
            <Feeds me={me} made={made} />
          </Panel>
          <Appearance visit={visit} />
        </div>
      </div>
      <Sessions visit={visit} me={me} />
    </>,
    refused?.refusal ?? null,
  );
}

const NO_CARD = refuse("not_found", "this deployment has no number of its own");

async function downloadContactCard({ api }: Visit): Promise<Reply> {
  const card = await api.get("/phones/contact_card");
  if (isRefusal(card)) return card;
  if (card.vcard === null) return NO_CARD;
  return { kind: "file", name: "tocsin.vcf", type: "text/vcard; charset=utf-8", text: card.vcard };
}

export const settingsPages: readonly ConsolePage[] = [
  page("/settings", (visit) => settingsPage(visit)),
  page(CONTACT_CARD, downloadContactCard),
];
