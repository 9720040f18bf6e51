// Changes a shift and the following ones, or all shifts: the page first shows the effects and asks
// for a confirmation.

import type { Child } from "hono/jsx";
import type { Event } from "../../../contract/oncall/event.ts";
import type { FollowingPreview } from "../../../contract/oncall/event-following.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { FollowingChange } from "../../oncall/move-shift.ts";
import { idOf, type Reply, type Visit } from "../../page.ts";
import { concernsOthers, Effects, effectsText } from "../../parts/oncall/following-effects.tsx";
import { PlanStyle, PlanView } from "../../parts/oncall/rotation/plan-panel.tsx";
import { Button, Form } from "../../parts/shared/form.tsx";
import { Heading, Panel } from "../../parts/shared/panel.tsx";
import { allOf } from "../../shared/api.ts";
import { NOTHING_CHANGED } from "../../shared/changed.ts";
import { readNames } from "../../shared/names.ts";
import { done, redisplayForm } from "../../shared/replies.ts";
import { textOf } from "../../shared/values.ts";
import { readPlan } from "./rotation/plan.ts";

type ChangeRequest = {
  readonly change: FollowingChange;
  /** Whether only this shift and the following change, which always requires a confirmation. */
  readonly isFollowing: boolean;
  /** The calendar, at the changed time. */
  readonly back: string;
  readonly flash: string;
  /** Redisplays the form after a refusal. */
  readonly again: (refusal: Refusal) => Promise<Reply>;
};

/** Applies a change, or shows its effects and asks for a confirmation. */
export async function changeFollowingShifts(
  visit: Visit,
  event: Event,
  request: ChangeRequest,
): Promise<Reply> {
  const { api, form } = visit;
  const { change, back } = request;
  if (Object.keys(change.body).length === 0) return done(back, NOTHING_CHANGED);
  const body = { action_time: change.action_time, ...change.body, id: idOf(visit) };
  const read = await allOf(
    api.post("/events/:id/preview_following", body),
    api.preview("POST", "/events/:id/change_following", body),
    readNames(api),
  );
  if (isRefusal(read)) return redisplayForm(read, request.again);
  const [effects, preview, names] = read;
  if (effects.unchanged) return done(back, NOTHING_CHANGED);
  const isConfirmed = textOf(form, "confirmed") === effectsText(effects);
  if (!isConfirmed && (request.isFollowing || concernsOthers(effects))) {
    const [scheduleId] = event.schedule_ids;
    const plan = scheduleId && (await readPlan(visit, scheduleId, [event.layer], [preview]));
    const clock = clockOf(visit, event);
    return confirmationPage(
      visit,
      request,
      effects,
      <>
        <Effects {...{ effects, names, clock }} />
        {plan && !isRefusal(plan) ? (
          <>
            <h2>The next six weeks</h2>
            <PlanView plan={plan} names={names} {...clock} />
          </>
        ) : null}
      </>,
    );
  }
  const changed = await api.post("/events/:id/change_following", body);
  if (isRefusal(changed)) return redisplayForm(changed, request.again);
  return done(back, request.flash);
}

const clockOf = ({ now }: Visit, event: Event) => ({ zone: event.time_zone, now });

/** The form's fields as hidden fields, to be submitted again. */
const HiddenFields = ({ form }: { readonly form: Visit["form"] }) => (
  <>
    {Object.entries(form)
      .filter(([name]) => !["form_token", "once", "confirmed", "edit"].includes(name))
      .flatMap(([name, value]) =>
        Array.isArray(value)
          ? value.map((item) => ({ name: `${name}[]`, value: String(item) }))
          : [{ name, value: String(value) }],
      )
      .map(({ name, value }) => (
        <input type="hidden" name={name} value={value} />
      ))}
  </>
);

function confirmationPage(
  visit: Visit,
  { isFollowing, back }: ChangeRequest,
  effects: FollowingPreview,
  effectList: Child,
): Reply {
  return {
    kind: "page",
    title: "Confirm changes",
    section: "schedules",
    body: (
      <div class="narrow">
        <PlanStyle />
        <Heading
          title="Confirm changes"
          back={{ to: back, label: "Calendar" }}
          lead={
            isFollowing
              ? "This and all following shifts change. Earlier shifts do not change."
              : "All shifts of this event change."
          }
        />
        <Panel>
          {effectList}
          <Form to={visit.url.pathname} session={visit.session} kind="fields">
            <HiddenFields form={visit.form} />
            <input type="hidden" name="confirmed" value={effectsText(effects)} />
            <div class="buttons">
              <Button>Confirm changes</Button>
              <a class="button plain" href={back}>
                Cancel
              </a>
            </div>
          </Form>
        </Panel>
      </div>
    ),
  };
}
