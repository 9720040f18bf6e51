// The frame of every page: head, navigation, flash message, content.

import { PALETTE } from "../domain/shared/palette.ts";
import type { Session } from "../features/access/sessions/session.ts";
import type { DeploymentNotice } from "../features/operations/audits/read-deployment-notice.ts";
import { MissingAssets, Script, Style } from "../kernel/console/asset-names.tsx";
import { Button, Form } from "../kernel/console/form.tsx";
import { Icon, type IconName } from "../kernel/console/icons.tsx";
import { Notice } from "../kernel/console/panel.tsx";
import type { FlashMessage, Reply } from "../kernel/console/reply.ts";
import type { Theme } from "../kernel/console/theme.ts";
import { useViewer } from "../kernel/console/viewer.tsx";
import { DeploymentNotices } from "./deployment-notice.tsx";
import { type Uncovered, UncoveredNotice } from "./oncall/uncovered-notice.tsx";

type NavigationEntry = {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The first segments of the paths of its pages. */
  readonly pages: readonly string[];
  /** Left out of the navigation bar on phones; the setup page links to it. */
  readonly wide?: true;
};

export const ENTRIES: readonly NavigationEntry[] = [
  { to: "/", label: "Home", icon: "home", pages: [""] },
  { to: "/alerts", label: "Alerts", icon: "bell", pages: ["alerts", "broadcasts"] },
  {
    ...{ to: "/on-call", label: "On call", icon: "people" },
    pages: [
      ...["on-call", "teams", "schedules", "events", "absences", "calendars"],
      ...["escalation_policies", "maintenance_windows"],
    ],
  },
  { to: "/reports", label: "Reports", icon: "chart", wide: true, pages: ["reports"] },
  {
    ...{ to: "/configuration", label: "Setup", icon: "gear" },
    pages: [
      ...["configuration", "people", "readiness", "drills", "integrations", "routers", "api_keys"],
      "notification_rules",
    ],
  },
  {
    ...{ to: "/settings", label: "My settings", icon: "person" },
    pages: ["settings", "password", "verify", "chat"],
  },
];

/** The navigation bar; `page`: the first segment of the path of the page. */
const Navigation = ({ page }: { readonly page: string | undefined }) => (
  <nav class="navigation" aria-label="Main">
    {ENTRIES.map((entry) => (
      <a
        href={entry.to}
        class={entry.wide ? "wide" : undefined}
        title={entry.label}
        aria-current={page !== undefined && entry.pages.includes(page) ? "page" : undefined}
      >
        <Icon name={entry.icon} />
        <span>{entry.label}</span>
      </a>
    ))}
  </nav>
);

const Member = ({ session }: { readonly session: Session }) => (
  <div class="member">
    {session.memberships.length > 1 ? (
      <details class="menu">
        <summary>{session.accountName}</summary>
        <div class="menu-sheet">
          {session.memberships.map(({ id, name }) => (
            <Form to="/account">
              <button
                type="submit"
                name="account_user_id"
                value={id}
                aria-current={id === session.actor.accountUserId ? "true" : undefined}
              >
                {name}
              </button>
            </Form>
          ))}
        </div>
      </details>
    ) : (
      <span class="account">{session.accountName}</span>
    )}
    <Form to="/sign-out">
      <button type="submit" class="link">
        Sign out
      </button>
    </Form>
  </div>
);

/** The background colours, for the browser's own bars. */
const BACKGROUNDS = { light: PALETTE.ground[0], dark: PALETTE.ground[1] } as const;

const Colours = ({ theme }: { readonly theme: Theme }) =>
  theme === "system" ? (
    <>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={BACKGROUNDS.light} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={BACKGROUNDS.dark} />
    </>
  ) : (
    <>
      <meta name="color-scheme" content={theme} />
      <meta name="theme-color" content={BACKGROUNDS[theme]} />
    </>
  );

/** In the page: a request for it would cost more than its text. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#b42318"/><path d="M32 14a13 13 0 0 0-13 13v9l-4 7h34l-4-7v-9a13 13 0 0 0-13-13Zm-5.500 33a5.500 5.500 0 0 0 11 0" fill="none" stroke="#fff" stroke-width="3.600" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;

const Head = ({ title, theme }: { readonly title: string; readonly theme: Theme }) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <Colours theme={theme} />
    <meta
      name="htmx-config"
      content='{"includeIndicatorCSS":false,"history":false,"defaultTimeout":15000,"morphIgnore":["data-htmx-powered","data-chosen","open"]}'
    />
    <title>{title} · Tocsin</title>
    <link rel="icon" href={ICON} type="image/svg+xml" />
    <link rel="apple-touch-icon" href="/assets/icon-192.png" />
    <link rel="manifest" href="/manifest.webmanifest" />
    <Style name="style" />
    <Script name="console" />
  </head>
);

/** The result of an action. After an answer to an alert it has a button that undoes the answer. */
const Flash = ({ flash: { tone, text, undo } }: { readonly flash: FlashMessage }) => {
  const { session, url } = useViewer();
  return (
    <Notice tone={tone}>
      {text}
      {undo && session ? (
        <Form to={undo} retry>
          <input type="hidden" name="back" value={`${url.pathname}${url.search}`} />
          <Button tone="plain">Undo</Button>
        </Form>
      ) : null}
    </Notice>
  );
};

/** What is wrong with the account, above the content of its pages. */
export type PageNotices = {
  readonly deployment: DeploymentNotice | null;
  readonly uncovered: Uncovered;
};

type DocumentProps = {
  readonly reply: Extract<Reply, { readonly kind: "page" }>;
  readonly session: Session | null;
  readonly flash: FlashMessage | null;
  readonly notices: PageNotices;
  readonly theme: Theme;
};

export const Document = ({ reply, session, flash, notices, theme }: DocumentProps) => (
  <html lang="en" data-theme={theme}>
    <Head title={reply.title} theme={theme} />
    <body class={session ? "inside" : "outside"}>
      <a class="skip" href="#main">
        Skip to main content
      </a>
      {session ? (
        <header class="top">
          <a class="brand" href="/">
            <Icon name="bell" />
            <span>Tocsin</span>
          </a>
          {session.mustChoosePassword ? null : (
            <>
              <Navigation
                page={reply.isRefused ? undefined : useViewer().url.pathname.split("/")[1]}
              />
              <search class="find" aria-label="Search everything">
                <form action="/search">
                  <input
                    type="search"
                    name="q"
                    placeholder="Search"
                    aria-label="Search everything"
                    aria-keyshortcuts="Control+K Meta+K"
                  />
                </form>
              </search>
            </>
          )}
          <Member session={session} />
        </header>
      ) : null}
      <main id="main" tabindex={-1}>
        <MissingAssets />
        <p id="connection" class="notice warn" role="status" hidden></p>
        {flash ? <Flash flash={flash} /> : null}
        {notices.deployment ? <DeploymentNotices notice={notices.deployment} /> : null}
        {session ? <UncoveredNotice uncovered={notices.uncovered} /> : null}
        {reply.body}
      </main>
      <div id="toast" role="status"></div>
      {session ? (
        <footer class="foot">
          All times in <a href="/settings">{session.timeZone}</a> unless stated otherwise.{" "}
          <button type="button" class="link" data-key-help>
            Keyboard shortcuts
          </button>
        </footer>
      ) : null}
    </body>
  </html>
);
