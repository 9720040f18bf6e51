// The pieces that pages are made of: a heading with its buttons, a panel, facts, and what stands where there is
// nothing yet.
import type { Child } from "hono/jsx";

/** A page's heading; buttons and links stand at its end. */
export const Heading = ({
  title,
  lead,
  children,
}: {
  readonly title: Child;
  readonly lead?: Child;
  readonly children?: Child;
}) => (
  <header class="heading">
    <div>
      <h1>{title}</h1>
      {lead ? <p class="soft">{lead}</p> : null}
    </div>
    {children ? <div class="buttons">{children}</div> : null}
  </header>
);

export const Panel = ({
  title,
  id,
  aside,
  children,
}: {
  readonly title?: string;
  readonly id?: string;
  /** Beside the title: a link, a badge. */
  readonly aside?: Child;
  readonly children: Child;
}) => (
  <section class="panel" id={id} aria-labelledby={id && title ? `${id}-title` : undefined}>
    {title ? (
      <div class="panel-title">
        <h2 id={id ? `${id}-title` : undefined}>{title}</h2>
        {aside}
      </div>
    ) : null}
    {children}
  </section>
);

/** Names and values; those without a value are left out. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, Child])[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== "")
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** What stands where there is nothing: what it would be, and what to do first. */
export const Empty = ({
  title,
  children,
  next,
}: {
  readonly title: string;
  readonly children?: Child;
  /** The first thing to do. */
  readonly next?: { readonly to: string; readonly label: string };
}) => (
  <div class="empty">
    <h2>{title}</h2>
    {children ? <p>{children}</p> : null}
    {next ? (
      <p>
        <a class="button primary" href={next.to}>
          {next.label}
        </a>
      </p>
    ) : null}
  </div>
);

/** Something that has to be known before anything else on the page. */
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
    {title ? <strong>{title}</strong> : null}
    <div>{children}</div>
  </div>
);
