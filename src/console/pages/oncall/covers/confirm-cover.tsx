// The page that shows what a change of a cover does to who is on call, and asks for a confirmation.
import type { OnCallPreview } from "../../../../contract/oncall/on-call-preview.ts";
import { isRefusal } from "../../../../domain/shared/refusal.ts";
import type { Reply, Visit } from "../../../page.ts";
import { CoverEffects, coverEffectsText } from "../../../parts/oncall/covers/cover-effects.tsx";
import { Button, type ButtonTone, Form, HiddenFields } from "../../../parts/shared/form.tsx";
import { Heading, Panel } from "../../../parts/shared/panel.tsx";
import { allOf } from "../../../shared/api.ts";
import { readNames } from "../../../shared/names.ts";
import { textOf } from "../../../shared/values.ts";

type Confirmation = {
  readonly title: string;
  readonly back: { readonly to: string; readonly label: string };
  readonly button: string;
  readonly tone?: ButtonTone;
};

/** Whether the form confirms exactly the effects of this preview. */
export const isConfirmed = ({ form, now }: Visit, preview: OnCallPreview): boolean =>
  textOf(form, "confirmed") === coverEffectsText(preview, now);

export async function confirmCover(
  visit: Visit,
  preview: OnCallPreview,
  { title, back, button, tone }: Confirmation,
): Promise<Reply> {
  const { api, session, now, form, url } = visit;
  const read = await allOf(readNames(api), api.every("/schedules"));
  if (isRefusal(read)) return read;
  const [names, schedules] = read;
  const clock = { zone: session.timeZone, now };
  return {
    kind: "page",
    title,
    section: "on-call",
    body: (
      <div class="narrow">
        <Heading title={title} back={back} lead={`All times in ${session.timeZone}`} />
        <Panel>
          <CoverEffects {...{ preview, schedules, names, clock }} />
          <Form to={url.pathname} session={session} kind="fields">
            <HiddenFields form={form} />
            <input type="hidden" name="confirmed" value={coverEffectsText(preview, now)} />
            <div class="buttons">
              <Button {...(tone && { tone })}>{button}</Button>
              <a class="button plain" href={back.to}>
                Cancel
              </a>
            </div>
          </Form>
        </Panel>
      </div>
    ),
  };
}
