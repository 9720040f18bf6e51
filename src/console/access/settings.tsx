// A person's own settings: contact methods, notification channels, sessions.

import { deviceName } from "../../domain/access/device-name.ts";
import { isRefusal, refuse } from "../../domain/shared/refusal.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import {
  ActionButton,
  Button,
  Form,
  FormFaults,
  SelectField,
  TextField,
} from "../../kernel/console/form.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Heading, LinkButton, Panel } from "../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { readTheme, THEMES } from "../../kernel/console/theme.ts";
import { textOf } from "../../kernel/console/values.ts";
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
  Step,
  Test,
  Zone,
} from "../people/reach-panels.tsx";
import { ShiftSettings } from "../people/shift-settings.tsx";
import { readMe } from "./me.ts";
import { TestResult } from "./test-result.tsx";

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

const THEME_WORDS = { system: "system", light: "light", dark: "dark" } as const;

const Appearance = ({ visit }: { readonly visit: Visit }) => (
  <Panel title="Appearance" id="look">
    <Form to="/settings/theme" kind="fields">
      <SelectField
        name="theme"
        label="Theme in this browser"
        choices={THEMES.map((value) => ({ value, label: THEME_WORDS[value] }))}
        value={readTheme(visit.context)}
      />
      <Button tone="plain">Save theme</Button>
    </Form>
  </Panel>
);

const Sessions = ({ visit, me }: PanelProps & { readonly visit: Visit }) => {
  return (
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
};

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
          <Step
            title="Phones"
            id="phones"
            state={user.phones.some(({ confirmed, blocked }) => confirmed && !blocked)}
          >
            <Phones {...contact("phones")} />
          </Step>
          <Step title="Push notifications" id="push" state={me.subscriptions.length > 0}>
            <Push me={me} />
          </Step>
          <Step title="Messaging apps" id="addresses">
            <Addresses {...contact("addresses")} />
          </Step>
          <Step title="Chat accounts" id="chats">
            <ChatAccounts accounts={me.chatAccounts} />
          </Step>
          <Step title="Notification channels" id="channels">
            <RuleChoice me={me} />
            <Channels me={me} />
          </Step>
          <Step title="Test page" id="test">
            <p>
              Pages you now by your own rules and channels, as a real alert would. At most five
              times an hour.
            </p>
            {result}
            <Test />
          </Step>
        </div>
        <div>
          <Profile me={me} />
          <Emails {...contact("emails")} />
          <Step title="Shift notifications" id="shifts">
            <ShiftSettings me={me} />
          </Step>
          <Step title="Calendar feeds" id="feeds">
            <Feeds me={me} made={made} />
          </Step>
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
