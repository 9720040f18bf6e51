// The building blocks of pages: headings, panels, facts, empty states and notices.
import type { Child } from "hono/jsx";
import { Icon, type IconName } from "./icons.tsx";

/** A word that is longer (in characters) is broken where a phone has no room for it; others are kept whole. */
const MAX_WORD = 18;

const hasLongWord = (title: Child): boolean =>
  typeof title !== "string" || title.split(/\s+/).some((word) => word.length > MAX_WORD);

/** A link that looks like a button. */
export const LinkButton = ({
  to,
  tone = "plain",
  children,
}: {
  readonly to: string;
  readonly tone?: "primary" | "plain";
  readonly children: Child;
}) => (
  <a class={`button ${tone}`} href={to}>
    {children}
  </a>
);

/** A page's heading; `children` are its buttons and links. */
export const Heading = ({
  title,
  lead,
  back,
  children,
}: {
  readonly title: Child;
  readonly lead?: Child;
  /** The link above the title to the list or parent page. */
  readonly back?: { readonly to: string; readonly label: string };
  readonly children?: Child;
}) => (
  <header class="heading">
    <div>
      {back ? (
        <a class="back" href={back.to}>
          <Icon name="back" />
          <span>{back.label}</span>
        </a>
      ) : null}
      <h1 class={hasLongWord(title) ? "long-word" : undefined}>{title}</h1>
      {lead ? <p class="lead">{lead}</p> : null}
    </div>
    {children ? <div class="buttons">{children}</div> : null}
  </header>
);

export const Panel = ({
  title,
  id,
  kind,
  aside,
  children,
}: {
  readonly title?: string;
  readonly id?: string;
  /** Additional classes. */
  readonly kind?: string;
  /** Beside the title: a link or a badge. */
  readonly aside?: Child;
  readonly children: Child;
}) => (
  <section
    class={kind ? `panel ${kind}` : "panel"}
    id={id}
    aria-labelledby={id && title ? `${id}-title` : undefined}
  >
    {title ? (
      <div class="panel-title">
        <h2 id={id ? `${id}-title` : undefined}>{title}</h2>
        {aside}
      </div>
    ) : null}
    {children}
  </section>
);

/** Names and values; entries without a value are left out. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, Child])[] }) => (
  <dl class="facts">
    {facts
      .filter(
        ([, value]) => value !== null && value !== undefined && value !== false && value !== "",
      )
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** What is wrong, in one line above the content of a page; `more` unfolds. */
export const NoticeLine = ({
  tone,
  more,
  children,
}: {
  readonly tone: "warn" | "bad";
  readonly more?: Child;
  readonly children: Child;
}) => {
  const line = (
    <>
      <Icon name="warning" />
      <span>{children}</span>
    </>
  );
  const className = `notice-line ${tone}`;
  return more === undefined ? (
    <p class={className}>{line}</p>
  ) : (
    <details class={className}>
      <summary>{line}</summary>
      {more}
    </details>
  );
};

/** An empty state: what would be listed, and the first thing to do. */
export const Empty = ({
  title,
  children,
  next,
  alone,
}: {
  readonly title: string;
  readonly children?: Child;
  /** Whether it is the only content of the page. */
  readonly alone?: boolean;
  /** The first thing to do. */
  readonly next?: { readonly to: string; readonly label: string };
}) => (
  <div class="empty">
    {alone ? <h1>{title}</h1> : <h2>{title}</h2>}
    {children ? <p>{children}</p> : null}
    {next ? (
      <p>
        <LinkButton to={next.to} tone="primary">
          {next.label}
        </LinkButton>
      </p>
    ) : null}
  </div>
);

const NOTICE_ICONS: Readonly<Record<string, IconName>> = {
  bad: "warning",
  warn: "warning",
  good: "check",
};

/** A message that matters for the whole page. */
export const Notice = ({
  tone,
  title,
  children,
}: {
  readonly tone: "bad" | "warn" | "good" | "neutral";
  readonly title?: string;
  readonly children: Child;
}) => (
  <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
    {NOTICE_ICONS[tone] ? <Icon name={NOTICE_ICONS[tone]} /> : null}
    <div class="notice-text">
      {title ? <strong>{title}</strong> : null}
      <div>{children}</div>
    </div>
  </div>
);

/** A text to copy, such as an address or a key. */
export const CopyField = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div class="copy">
    <input class="code" readonly value={value} aria-label={label} data-copy-from />
    <button type="button" class="button plain" data-copy hidden>
      Copy
    </button>
  </div>
);

/** A text of several lines to copy, such as a part of a configuration. */
export const CopyText = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div class="copy-text">
    <strong>{label}</strong>
    <button type="button" class="button plain" data-copy hidden>
      Copy
    </button>
    <textarea
      class="code"
      readonly
      rows={value.split("\n").length}
      aria-label={label}
      data-copy-from
      spellcheck={false}
    >
      {value}
    </textarea>
  </div>
);
