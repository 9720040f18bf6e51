// The filters of a list, stored in the query string: chips, a search, further fields and pages.
import type { Child } from "hono/jsx";
import { pageOf } from "./list-view.ts";
import { useViewer } from "./viewer.tsx";

/** The path of the current page with parameters changed; null removes one. */
export function withQuery(
  url: URL,
  changes: Readonly<Record<string, string | number | null>>,
): string {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") changed.searchParams.delete(name);
    else changed.searchParams.set(name, String(value));
  }
  return `${changed.pathname}${changed.search}`;
}

export type Chip = { readonly value: string; readonly label: string; readonly count?: number };

type Segment = {
  readonly to: string;
  readonly label: string;
  readonly count?: number | undefined;
  readonly isCurrent: boolean;
};

/** Links of which one is current: one segmented control, or chips. */
export const Segments = ({
  label,
  links,
  joined = true,
}: {
  readonly label: string;
  readonly links: readonly Segment[];
  readonly joined?: boolean | undefined;
}) => (
  <nav class={joined ? "segments" : "chips"} aria-label={label}>
    {links.map(({ to, label: text, count, isCurrent }) => (
      <a href={to} aria-current={isCurrent ? "true" : undefined}>
        {text}
        {joined && count !== undefined ? " " : null}
        {count === undefined ? null : <span class="count">{count}</span>}
      </a>
    ))}
  </nav>
);

/**
 * Links that choose one of a few values. `initial`, by default the first, applies without a
 * parameter.
 */
export const Chips = ({
  url = useViewer().url,
  name,
  label,
  chips,
  initial = chips[0]?.value,
  joined = false,
}: {
  readonly url?: URL;
  readonly name: string;
  readonly label: string;
  readonly chips: readonly Chip[];
  readonly initial?: string | undefined;
  /** Rendered as one segmented control: for different views of the same content. */
  readonly joined?: boolean;
}) => {
  const chosen = url.searchParams.get(name) ?? initial;
  return (
    <Segments
      {...{ label, joined }}
      links={chips.map(({ value, label: text, count }) => ({
        to: withQuery(url, { [name]: value === initial ? null : value, page: null }),
        label: text,
        count,
        isCurrent: value === chosen,
      }))}
    />
  );
};

/** A form of filters. */
export const Filters = ({
  keep = [],
  children,
}: {
  /** Other parameters of the query string, which the form preserves. */
  readonly keep?: readonly string[];
  readonly children: Child;
}) => {
  const { url } = useViewer();
  return (
    <search>
      <form class="filters" method="get" action={url.pathname}>
        {keep.map((name) => {
          const value = url.searchParams.get(name);
          return value === null ? null : <input type="hidden" name={name} value={value} />;
        })}
        {children}
        <button type="submit" class="button plain">
          Apply
        </button>
      </form>
    </search>
  );
};

/** Filters that a phone shows only when they are asked for; says how many of them are set. */
export const Folded = ({
  label,
  names,
  children,
}: {
  readonly label: string;
  /** The parameters of the fields inside. */
  readonly names: readonly string[];
  readonly children: Child;
}) => {
  const { url } = useViewer();
  const set = names.filter((name) => (url.searchParams.get(name) ?? "") !== "").length;
  return (
    <details class="folded">
      <summary>
        {label}
        {set > 0 ? <span class="count">{set}</span> : null}
      </summary>
      {children}
    </details>
  );
};

export const Search = ({ label }: { readonly label: string }) => (
  <input
    type="search"
    name="q"
    value={useViewer().url.searchParams.get("q") ?? ""}
    placeholder={label}
    aria-label={label}
    aria-keyshortcuts="/"
  />
);

export const Choose = ({
  name,
  label,
  choices,
}: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}) => (
  <select name={name} aria-label={label}>
    <option value="">{label}</option>
    {choices.map((choice) => (
      <option
        value={choice.value}
        selected={choice.value === useViewer().url.searchParams.get(name)}
      >
        {choice.label}
      </option>
    ))}
  </select>
);

/** Links to the previous and the next page, if they exist. */
export const Pager = ({
  url = useViewer().url,
  limit,
  total,
  page = pageOf(url),
  labels: [previous, next] = ["Newer", "Older"],
}: {
  readonly url?: URL;
  readonly limit: number;
  readonly total: number;
  readonly page?: number;
  /** Of the links; by default those of a list from the newest to the oldest. */
  readonly labels?: readonly [string, string];
}) => {
  const from = (page - 1) * limit;
  if (total <= limit && page === 1) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <span class="soft">
        {Math.min(from + 1, total)}–{Math.min(from + limit, total)} of {total}
      </span>
      {page > 1 ? (
        <a class="button plain" rel="prev" href={withQuery(url, { page: page - 1 })}>
          {previous}
        </a>
      ) : null}
      {from + limit < total ? (
        <a class="button plain" rel="next" href={withQuery(url, { page: page + 1 })}>
          {next}
        </a>
      ) : null}
    </nav>
  );
};
