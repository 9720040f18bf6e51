// A page without a session: one message, and a link to the sign-in page.
import type { Child } from "hono/jsx";
import type { Reply } from "./reply.ts";

export const card = (
  status: 200 | 401 | 403 | 404 | 410 | 422 | 429,
  title: string,
  body: Child,
): Reply => ({
  kind: "page",
  status,
  title,
  body: (
    <div class="card">
      <h1>{title}</h1>
      {body}
      <p class="help">
        <a href="/sign-in">Sign in</a>
      </p>
    </div>
  ),
});
