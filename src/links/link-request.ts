// The two operations of a link's purpose: show its page, and act. Showing changes nothing, since
// mail scanners and previews open every link.
import type { LinkSubject } from "../channels/links/links.ts";
import type { Page } from "./page.ts";

export type LinkRequest = {
  readonly env: Cloudflare.Env;
  /** Reads the primary, so that it sees the latest writes. */
  readonly db: D1DatabaseSession;
  readonly subject: LinkSubject;
  readonly now: number;
};

export type LinkPages = {
  /** Renders the page of a GET. */
  readonly show: (request: LinkRequest) => Promise<Page>;
  /** Handles a POST of a button; `action` is the button's value, not validated. */
  readonly act: (request: LinkRequest, action: string) => Promise<Page>;
};
