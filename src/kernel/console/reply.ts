// What a console page or an action answers. An action redirects with its result, or shows the form
// again, with what was entered, if it can be corrected.
import type { Child } from "hono/jsx";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { faultText } from "./labels.ts";

export type FlashMessage = {
  readonly tone: "good" | "bad";
  readonly text: string;
  /** The answer that a button of the message undoes, by the path of its action; absent: none. */
  readonly undo?: string;
};

export type Reply =
  | {
      readonly kind: "page";
      readonly status?: 200 | 401 | 403 | 404 | 409 | 410 | 422 | 429;
      readonly title: string;
      /** Whether it says that there is no such page, or that it is not for the viewer. */
      readonly isRefused?: true;
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

/** A page; with a refusal, of the form that it shows again. */
export const pageReply = (title: string, body: Child, refusal: Refusal | null = null): Reply => ({
  ...{ kind: "page", status: statusAfter(refusal), title, body },
});

/** Redirects after a successful action. */
export const done = (to: string, text: string): Reply => ({
  kind: "goto",
  to,
  flash: { tone: "good", text },
});

/** Redirects after an answer to an alert, with a button that undoes it. */
export const answered = (to: string, text: string, undo: string): Reply => ({
  kind: "goto",
  to,
  flash: { tone: "good", text, undo },
});

/** Redirects after a refused action, with the reason. */
export const notDone = (to: string, refusal: Refusal): Reply => ({
  kind: "goto",
  to,
  flash: { tone: "bad", text: refusalText(refusal) },
});

/** Redirects after an action of one call of the API: with its result, or with the reason of its refusal. */
export const outcome = (answer: unknown, to: string, text: string, back = to): Reply =>
  isRefusal(answer) ? notDone(back, answer) : done(to, text);

/** A refusal's messages as one text: "Title can't be blank. Urgency must be one of …." */
export const refusalText = (refusal: Refusal): string =>
  refusal.errors.map((error) => faultText(error)).join(" ");

/** The status of a page that redisplays a form after a refusal. */
export const statusAfter = (refusal: Refusal | null): 200 | 409 | 422 =>
  refusal === null || refusal.errors.length === 0 ? 200 : refusal.reason === "conflict" ? 409 : 422;

/** Redisplays the form for errors that can be corrected in it; else returns the refusal. */
export const redisplayForm = async (
  refusal: Refusal,
  show: (refusal: Refusal) => Reply | Promise<Reply>,
): Promise<Reply> =>
  ["invalid", "conflict", "malformed"].includes(refusal.reason) ? show(refusal) : refusal;
