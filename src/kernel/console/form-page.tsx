// A narrow page that is not a resource's: a heading and a panel, most often with a form.
import type { Child } from "hono/jsx";
import type { Refusal } from "../../domain/shared/refusal.ts";
import { Heading, Panel } from "./panel.tsx";
import { type Reply, statusAfter } from "./reply.ts";

export const formPage = ({
  title,
  heading = title,
  lead,
  back,
  refusal = null,
  status = statusAfter(refusal),
  form,
  above,
  below,
}: {
  readonly title: string;
  /** The heading, if it differs from the title. */
  readonly heading?: string;
  readonly lead?: Child;
  readonly back?: { readonly to: string; readonly label: string };
  readonly refusal?: Refusal | null;
  readonly status?: 200 | 403 | 404 | 409 | 410 | 422;
  readonly form: Child;
  readonly above?: Child;
  readonly below?: Child;
}): Reply => ({
  kind: "page",
  status,
  title,
  body: (
    <div class="narrow">
      <Heading {...{ title: heading, lead, back }} />
      {above}
      <Panel>{form}</Panel>
      {below}
    </div>
  ),
});
