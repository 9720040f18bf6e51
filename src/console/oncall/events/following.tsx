// Changes a shift and the following ones, or all shifts: the page first shows the effects and asks
// for a confirmation.

import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import type { FollowingPreview } from "../../../features/oncall/occurrences/contract.ts";
import { NOTHING_CHANGED } from "../../../kernel/console/changed.ts";
import { Button, Form, HiddenFields } from "../../../kernel/console/form.tsx";
import { done, redisplayForm } from "../../../kernel/console/replies.ts";
import type { Reply } from "../../../kernel/console/reply.ts";
import { isTicked } from "../../../kernel/console/values.ts";
import { allOf } from "../../api.ts";
import { type Names, readNames } from "../../names.ts";
import { idOf, type Visit } from "../../page.ts";
import { callsFor } from "../past-shift.ts";
import { nounOf } from "../shift-kind.ts";
import { confirmationPage, isConfirmed, planAfter } from "./confirmation.tsx";
import { concernsOthers, Effects, effectsOf } from "./following-effects.tsx";
import { EXTEND, type FollowingChange } from "./move-shift.ts";
import { previewedText } from "./previewed-text.ts";

/** Offers to let the people of the shift before stay until the first changed shift. */
const OfferExtension = ({
  visit,
  effects: { extension },
  names,
}: {
  readonly visit: Visit;
  readonly effects: FollowingPreview;
  readonly names: Names;
}) =>
  extension && !extension.extended ? (
    <Form to={visit.url.pathname} session={visit.session} kind="fields">
      <HiddenFields form={visit.form} />
      <input type="hidden" name={EXTEND} value="true" />
      <div class="buttons">
        <Button tone="plain">
          Let {namesOf(names, extension.account_user_ids)} stay until the first shift
        </Button>
      </div>
    </Form>
  ) : null;

const namesOf = (names: Names, ids: readonly string[]) =>
  ids.map((id) => names.of(id)).join(" and ");

type ChangeRequest = {
  readonly change: FollowingChange;
  /** Whether only this shift and the following change, not all of them. */
  readonly isFollowing: boolean;
  /** Whether it changes who was on call before now, too. */
  readonly isCorrection: boolean;
  /** The calendar, at the changed time. */
  readonly back: string;
  readonly flash: string;
  /** Redisplays the form after a refusal. */
  readonly again: (refusal: Refusal) => Promise<Reply>;
};

/**
 * Applies a change, or shows its effects and asks for a confirmation: unless it changes all shifts,
 * but neither who is on call nor an override nor a removed shift.
 */
export async function changeFollowingShifts(
  visit: Visit,
  event: Event,
  request: ChangeRequest,
): Promise<Reply> {
  const { api, form, now } = visit;
  const { change, back, isFollowing, isCorrection } = request;
  const calls = callsFor(visit, isCorrection);
  if (Object.keys(change.body).length === 0) return done(back, NOTHING_CHANGED);
  const extending = isTicked(form, EXTEND) ? { [EXTEND]: true } : {};
  const parameters = { action_time: change.action_time, ...change.body, ...extending };
  const body = { ...parameters, id: idOf(visit) };
  const read = await allOf(
    api.post("/events/:id/preview_following", body),
    calls.preview("POST", "/events/:id/change_following", body),
    readNames(api),
  );
  if (isRefusal(read)) return redisplayForm(read, request.again);
  const [effects, preview, names] = read;
  if (effects.unchanged) return done(back, NOTHING_CHANGED);
  const needsConfirmation = isFollowing || concernsOthers(effects) || !preview.unchanged;
  const confirmed = previewedText(preview, now, effectsOf(effects));
  if (needsConfirmation && !isConfirmed(visit, confirmed)) {
    return confirmationPage(visit, {
      title: "Confirm changes",
      lead: isFollowing
        ? "This and all following shifts change. Earlier shifts do not change."
        : `All shifts of this ${nounOf(event)} change.`,
      back: { to: back, label: "Calendar" },
      confirmed,
      button: "Confirm changes",
      further: <OfferExtension {...{ visit, effects, names }} />,
      children: (
        <>
          <Effects {...{ effects, names, clock: { zone: event.time_zone, now } }} />
          {await planAfter(visit, event, preview, names)}
        </>
      ),
    });
  }
  const changed = await calls.post("/events/:id/change_following", body);
  if (isRefusal(changed)) return redisplayForm(changed, request.again);
  return done(back, request.flash);
}
