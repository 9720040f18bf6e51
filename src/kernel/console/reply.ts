// What a console page or an action answers.
import type { Child } from "hono/jsx";
import type { Refusal } from "../../domain/shared/refusal.ts";

export type FlashMessage = {
  readonly tone: "good" | "bad";
  readonly text: string;
  /** The answer that a button of the message undoes, by the path of its action; absent: none. */
  readonly undo?: string;
};

/** The navigation entry that a page belongs to. */
export type Section =
  | "alerts"
  | "on-call"
  | "schedules"
  | "broadcasts"
  | "reports"
  | "configuration"
  | "settings";

export type Reply =
  | {
      readonly kind: "page";
      readonly status?: 200 | 401 | 403 | 404 | 409 | 410 | 422 | 429;
      readonly title: string;
      readonly section?: Section;
      readonly body: Child;
    }
  /** Redirects to a path of this origin after an action, with a flash message. */
  | { readonly kind: "goto"; readonly to: string; readonly flash?: FlashMessage }
  /** Redirects to another configured origin: the provider of single sign-on. */
  | { readonly kind: "leave"; readonly to: URL }
  /** JSON for one of the console's scripts. */
  | { readonly kind: "data"; readonly value: unknown }
  | {
      readonly kind: "file";
      readonly name: string;
      readonly type: string;
      readonly text: string;
    }
  /** Rendered as an error page with the API's status. */
  | Refusal;
