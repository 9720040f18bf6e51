// One's own settings: how one is reached, where one is signed in.
import { isRefusal } from "../../domain/refusal.ts";
import { deviceName } from "../device-name.ts";
import { type Me, readMe } from "../me.ts";
import { type ConsolePage, page, type Reply, type Visit } from "../page.ts";
import { Badge } from "../parts/badge.tsx";
import { ActionButton, Button, Form, SelectField, TextField } from "../parts/form.tsx";
import { Moment } from "../parts/moment.tsx";
import { Heading, Panel } from "../parts/panel.tsx";
import { Channels, Feeds, Phones, Push, Reach, Step, Test, Zone } from "../parts/reach-panels.tsx";
import { Table } from "../parts/table.tsx";
import { readTheme, THEMES } from "../theme.ts";

type Shown = { readonly visit: Visit; readonly me: Me };

const Profile = ({ visit, me }: Shown) => (
  <Panel title="About you">
    <Form to="/settings/profile" session={visit.session} kind="fields">
      <input type="hidden" name="back" value="/settings" />
      <TextField name="name" label="Name" value={me.person.user.name} maxlength={255} required />
      <Button tone="plain">Keep this name</Button>
    </Form>
    <Zone visit={visit} me={me} back="/settings" />
  </Panel>
);

const Emails = ({ visit, me }: Shown) => (
  <Panel title="E-mail addresses" id="emails">
    <ul class="contacts">
      {me.person.user.emails.map((email) => (
        <li class="contact">
          <span>
            {email.email} {email.primary ? <span class="soft">first</span> : ""}
            {email.blocked ? <span class="faults"> mail to it came back</span> : null}
            {email.verified ? null : <Badge tone="warn">not verified</Badge>}
          </span>
          <div class="buttons">
            {email.verified || email.blocked ? null : (
              <ActionButton
                to={`/settings/emails/${email.id}/link`}
                session={visit.session}
                label="Send the mail again"
              />
            )}
            {email.primary ? null : (
              <ActionButton
                to={`/settings/emails/${email.id}/remove`}
                session={visit.session}
                label="Remove"
              />
            )}
          </div>
        </li>
      ))}
    </ul>
    <Form to="/settings/emails" session={visit.session} kind="fields">
      <TextField
        name="email"
        label="Add an address"
        type="email"
        autocomplete="email"
        help="A mail goes there, with a link that proves that it is yours. Only then can you sign in with it."
        required
      />
      <Button tone="plain">Add it</Button>
    </Form>
  </Panel>
);

const THEME_WORDS = { system: "as the system has it", light: "light", dark: "dark" } as const;

const Look = ({ visit }: { readonly visit: Visit }) => (
  <Panel title="Light or dark" id="look">
    <Form to="/settings/theme" session={visit.session} kind="fields">
      <SelectField
        name="theme"
        label="In this browser"
        choices={THEMES.map((value) => ({ value, label: THEME_WORDS[value] }))}
        value={readTheme(visit.context)}
      />
      <Button tone="plain">Keep this</Button>
    </Form>
  </Panel>
);

const Sessions = ({ visit, me }: Shown) => {
  const time = { zone: visit.session.timeZone, now: visit.now };
  return (
    <Panel title="Where you are signed in">
      <Table
        label="Sessions"
        rows={me.sessions}
        columns={[
          {
            title: "Browser",
            cell: (it) => (
              <>
                {deviceName(it.browser)}
                {it.id === visit.session.id ? <span class="soft"> (this one)</span> : null}
              </>
            ),
          },
          { title: "Last used", cell: (it) => <Moment at={it.lastSeenAt} {...time} /> },
          { title: "Since", cell: (it) => <Moment at={it.createdAt} {...time} /> },
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
          confirm="Sign out everywhere, here too?"
        />
        {visit.session.hasPassword ? (
          <a class="button plain" href="/password">
            Change your password
          </a>
        ) : null}
      </div>
    </Panel>
  );
};

/** The page; `made` is a calendar feed's address, shown this once. */
export async function settingsPage(visit: Visit, made?: string): Promise<Reply> {
  const me = await readMe(visit);
  if (isRefusal(me)) return me;
  const shared = { visit, me, back: "/settings" } as const;
  return {
    kind: "page",
    title: "My settings",
    section: "settings",
    body: (
      <>
        <Heading title={me.person.user.name} lead={`Member of ${visit.session.accountName}`}>
          <a class="button plain" href="/set-up">
            Guided set-up
          </a>
        </Heading>
        <Reach {...shared} />
        <div class="columns even">
          <div>
            <Step title="Phones" id="phones">
              <Phones {...shared} />
            </Step>
            <Step title="Push" id="push">
              <Push {...shared} />
            </Step>
            <Step title="Channels" id="channels">
              <Channels {...shared} />
            </Step>
            <Step title="Test" id="test">
              <p>A real page, by every channel that is chosen for you.</p>
              <Test {...shared} />
            </Step>
          </div>
          <div>
            <Profile visit={visit} me={me} />
            <Emails visit={visit} me={me} />
            <Step title="Calendar" id="feeds">
              <Feeds {...shared} made={made} />
            </Step>
            <Look visit={visit} />
          </div>
        </div>
        <Sessions visit={visit} me={me} />
      </>
    ),
  };
}

export const settingsPages: readonly ConsolePage[] = [
  page("/settings", (visit) => settingsPage(visit)),
];
