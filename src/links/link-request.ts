// The two operations of a link's purpose: show its page, and act. Showing changes nothing: mail scanners and previews open
// every link.
import type { LinkSubject } from "../channels/links/links.ts";
import type { Page } from "./page.ts";

export type LinkRequest = {
  readonly env: Cloudflare.Env;
  /** Reads the primary: what somebody did a moment ago is seen. */
  readonly db: D1DatabaseSession;
  readonly subject: LinkSubject;
  readonly now: number;
};

export type LinkPages = {
  /** The page of a GET. */
  readonly show: (request: LinkRequest) => Promise<Page>;
  /** Acts, for a POST of a button; `action` is the button's value, or whatever else was sent. */
  readonly act: (request: LinkRequest, action: string) => Promise<Page>;
};
