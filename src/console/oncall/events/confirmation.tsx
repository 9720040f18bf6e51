// The page that shows what a change does to who is on call, and asks for a confirmation.

import type { Child } from "hono/jsx";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import { Button, type ButtonTone, Form, HiddenFields } from "../../../kernel/console/form.tsx";
import { formPage } from "../../../kernel/console/form-page.tsx";
import { LinkButton } from "../../../kernel/console/panel.tsx";
import type { Reply } from "../../../kernel/console/reply.ts";
import { textOf } from "../../../kernel/console/values.ts";
import type { Visit } from "../../page.ts";
import type { Names } from "../../reads.ts";
import { readPlan } from "../rotation/plan.ts";
import { TitledPlan } from "../rotation/plan-panel.tsx";

/** Who would be on call on the event's schedule after a previewed change. */
export async function planAfter(
  visit: Visit,
  event: Event,
  preview: OnCallPreview,
  names: Names,
): Promise<Child> {
  const [scheduleId] = event.schedule_ids;
  if (scheduleId === undefined) return null;
  const plan = await readPlan(visit, scheduleId, [event.layer], [preview]);
  return isRefusal(plan) ? null : <TitledPlan plan={plan} names={names} zone={event.time_zone} />;
}

/** Whether the form confirms exactly what was shown. */
export const isConfirmed = ({ form }: Visit, confirmed: string): boolean =>
  textOf(form, "confirmed") === confirmed;

type Confirmation = {
  readonly title: string;
  readonly lead: string;
  readonly back: { readonly to: string; readonly label: string };
  /** What is confirmed: it is valid only for this. */
  readonly confirmed: string;
  readonly button: string;
  readonly tone?: ButtonTone;
  /** Below the confirmation: other ways to go on. */
  readonly further?: Child;
  readonly children: Child;
};

export const confirmationPage = (
  visit: Visit,
  { confirmed, button, tone, further, children, ...page }: Confirmation,
): Reply =>
  formPage({
    ...page,
    form: (
      <>
        {textOf(visit.form, "confirmed") === "" ? null : (
          <p role="status">The schedule has changed meanwhile: this is what happens now.</p>
        )}
        {children}
        <Form to={visit.url.pathname} kind="fields">
          <HiddenFields form={visit.form} />
          <input type="hidden" name="confirmed" value={confirmed} />
          <div class="buttons">
            <Button tone={tone}>{button}</Button>
            <LinkButton to={page.back.to}>Cancel</LinkButton>
          </div>
        </Form>
        {further}
      </>
    ),
  });
