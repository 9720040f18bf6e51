// A person's own settings: contact methods, notification channels, sessions.

import { deviceName } from "../../domain/access/device-name.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
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
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { statusAfter } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { readTheme, THEMES } from "../../kernel/console/theme.ts";
import { textOf } from "../../kernel/console/values.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { Addresses } from "../people/addresses.tsx";
import { ChatAccounts } from "../people/chat-accounts.tsx";
import { rolesText } from "../people/membership.tsx";
import { CONTACT_CARD, Phones } from "../people/phones.tsx";
import {
  Channels,
  Feeds,
  Push,
  Reach,
  type Refused,
  Step,
  Test,
  Zone,
} from "../people/reach-panels.tsx";
import { RuleChoice } from "../people/rule-choice.tsx";
import { ShiftSettings } from "../people/shift-settings.tsx";
import { type Me, readMe } from "./me.ts";

type SettingsProps = { readonly visit: Visit; readonly me: Me };

const Profile = ({ visit, me }: SettingsProps) => (
  <Panel title="Profile">
    <Form to="/settings/profile" session={visit.session} kind="fields">
      <input type="hidden" name="back" value="/settings" />
      <TextField name="name" label="Name" value={me.person.user.name} maxlength={255} required />
      <Button tone="plain">Save name</Button>
    </Form>
    <Zone visit={visit} me={me} back="/settings" />
  </Panel>
);

const Emails = ({ visit, me, refused }: SettingsProps & { readonly refused: Refusal | null }) => (
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
              <ActionButton
                to={`/settings/emails/${email.id}/link`}
                session={visit.session}
                label="Resend verification"
              />
            )}
            {email.primary ? null : (
              <ActionButton
                to={`/settings/emails/${email.id}/remove`}
                session={visit.session}
                label="Remove address"
              />
            )}
          </div>
        </li>
      ))}
    </ul>
    <Form to="/settings/emails" session={visit.session} kind="fields">
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
    <Form to="/settings/theme" session={visit.session} kind="fields">
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

const Sessions = ({ visit, me }: SettingsProps) => {
  const time = { zone: visit.session.timeZone, now: visit.now };
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
          { title: "Last used", cell: (it) => <Moment at={it.lastSeenAt} {...time} /> },
          { title: "Signed in", cell: (it) => <Moment at={it.createdAt} {...time} /> },
          {
            title: "Sign out",
            kind: "actions",
            cell: (it) =>
              it.id === visit.session.id ? null : (
                <ActionButton
                  to="/settings/sessions"
                  session={visit.session}
                  label="Sign out"
                  fields={{ id: it.id }}
                />
              ),
          },
        ]}
      />
      <div class="buttons">
        <ActionButton
          to="/settings/sessions"
          session={visit.session}
          label="Sign out everywhere"
          tone="danger"
          fields={{ id: "all" }}
          confirm="Sign out of all sessions, including this one?"
        />
        {visit.session.hasPassword ? (
          <a class="button plain" href="/password">
            Change password
          </a>
        ) : null}
      </div>
    </Panel>
  );
};

/** Renders the page; `made` is a new calendar feed's URL, which is shown only once. */
export async function settingsPage(
  visit: Visit,
  made?: string,
  refused: Refused | null = null,
): Promise<Reply> {
  const me = await readMe(visit);
  if (isRefusal(me)) return me;
  const shared = { visit, me, back: "/settings", refused } as const;
  return {
    kind: "page",
    status: statusAfter(refused?.refusal ?? null),
    title: "My settings",
    section: "settings",
    body: (
      <>
        <Heading
          title={me.person.user.name}
          lead={`${rolesText(me.person)} of ${visit.session.accountName}`}
        >
          <a class="button plain" href="/set-up">
            Open setup guide
          </a>
        </Heading>
        <Reach {...shared} />
        <div class="columns even">
          <div>
            <Step title="Phones" id="phones">
              <Phones {...shared} />
            </Step>
            <Step title="Push notifications" id="push">
              <Push {...shared} />
            </Step>
            <Step title="Messaging apps" id="addresses">
              <Addresses visit={visit} me={me} />
            </Step>
            <Step title="Chat accounts" id="chats">
              <ChatAccounts visit={visit} accounts={me.chatAccounts} />
            </Step>
            <Step title="Notification channels" id="channels">
              <RuleChoice visit={visit} me={me} />
              <Channels {...shared} />
            </Step>
            <Step title="Shift notifications" id="shifts">
              <ShiftSettings {...shared} />
            </Step>
            <Step title="Test page" id="test">
              <p>Sends a real notification on your channels.</p>
              <Test {...shared} />
            </Step>
          </div>
          <div>
            <Profile visit={visit} me={me} />
            <Emails
              visit={visit}
              me={me}
              refused={refused?.form === "emails" ? refused.refusal : null}
            />
            <Step title="Calendar feeds" id="feeds">
              <Feeds {...shared} made={made} />
            </Step>
            <Appearance visit={visit} />
          </div>
        </div>
        <Sessions visit={visit} me={me} />
      </>
    ),
  };
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
