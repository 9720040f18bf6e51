// The page of a form that is not a resource's: a heading and a panel with the form.
import type { Child } from "hono/jsx";
import type { Refusal } from "../../domain/shared/refusal.ts";
import { Heading, Panel } from "./panel.tsx";
import { statusAfter } from "./replies.ts";
import type { Reply, Section } from "./reply.ts";

export const formPage = ({
  section,
  title,
  heading = title,
  lead,
  back,
  refusal,
  form,
  below,
}: {
  readonly section: Section;
  readonly title: string;
  /** The heading, if it differs from the title. */
  readonly heading?: string;
  readonly lead?: Child;
  readonly back: { readonly to: string; readonly label: string };
  readonly refusal: Refusal | null;
  readonly form: Child;
  readonly below?: Child;
}): Reply => ({
  kind: "page",
  status: statusAfter(refusal),
  title,
  section,
  body: (
    <div class="narrow">
      <Heading title={heading} lead={lead} back={back} />
      <Panel>{form}</Panel>
      {below}
    </div>
  ),
});
