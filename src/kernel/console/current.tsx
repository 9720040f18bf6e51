// The part of a page that refreshes itself.
import type { Child } from "hono/jsx";

type CurrentProps = {
  /** The path of the page, with its query string. */
  readonly from: string;
  /** How often; undefined: not any more. */
  readonly trigger: string | undefined;
  readonly kind?: string;
  /** What the scripts read of it. */
  readonly data?: Readonly<Record<`data-${string}`, string | number | boolean | undefined>>;
  readonly children: Child;
};

export const Current = ({ from, trigger, kind, data, children }: CurrentProps) => (
  <div
    id="current"
    class={kind}
    hx-get={from}
    hx-trigger={trigger}
    hx-select="#current"
    hx-swap="outerMorph"
    data-current
    {...data}
  >
    {children}
  </div>
);
