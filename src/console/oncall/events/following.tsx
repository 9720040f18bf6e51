// Changes a shift and the following ones, or all shifts: the page first shows the effects and asks
// for a confirmation.

// The effects of a change of a shift and the following ones, shown before the change is confirmed.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import type { FollowingPreview } from "../../../features/oncall/occurrences/contract.ts";
import { NOTHING_CHANGED } from "../../../kernel/console/changed.ts";
import { Button, Form, HiddenFields } from "../../../kernel/console/form.tsx";
import { DayAndClock, Hours } from "../../../kernel/console/moment.tsx";
import { Facts } from "../../../kernel/console/panel.tsx";
import { done, type Reply, redisplayForm } from "../../../kernel/console/reply.ts";
import { isTicked } from "../../../kernel/console/values.ts";
import { idOf, type Visit } from "../../page.ts";
import { Everybody } from "../../people/person-panels.tsx";
import { allOf, type Names, type PageProps, readNames, type WithNames } from "../../reads.ts";
import { nounOf } from "../shift-kind.ts";
import { askBeforeEventChange } from "./confirmation.tsx";
import { callsFor, EXTEND, type FollowingRequest } from "./event-form.ts";

/** Whether the change affects overrides or removed shifts. */
const concernsOthers = (effects: FollowingPreview): boolean =>
  [effects.overrides_removed, effects.exceptions_continued, effects.exceptions_dropped].some(
    (list) => list.length > 0,
  );

/** The effects on others: a confirmation is valid only for those that were shown. */
const effectsOf = (effects: FollowingPreview): readonly unknown[] => [
  effects.overrides_removed,
  effects.exceptions_continued,
  effects.exceptions_dropped,
  effects.extension,
];

const Times = ({ times, zone }: { readonly times: readonly string[]; readonly zone: string }) => (
  <ul>
    {times.map((at) => (
      <li>
        <DayAndClock {...{ at, zone }} />
      </li>
    ))}
  </ul>
);

type EffectsProps = WithNames<{ effects: FollowingPreview; zone: string }>;

const Effects = ({ effects, names, zone }: EffectsProps) => {
  const { first_shift: first, overrides_removed, extension } = effects;
  const { exceptions_continued, exceptions_dropped } = effects;
  return (
    <Facts
      facts={[
        [
          "First shift",
          first && (
            <>
              <Hours from={first.start_time} until={first.end_time} zone={zone} />:{" "}
              {first.account_user_ids.length > 0 ? (
                <Everybody names={names} ids={first.account_user_ids} />
              ) : (
                "nobody"
              )}
            </>
          ),
        ],
        [
          extension?.extended ? "Extended shift" : "Before the first shift",
          extension && (
            <>
              <Hours from={extension.start_time} until={extension.end_time} zone={zone} />:{" "}
              {extension.extended ? (
                <Everybody names={names} ids={extension.account_user_ids} />
              ) : (
                <span class="gap-text">this series has nobody on call</span>
              )}
            </>
          ),
        ],
        [
          "Overrides after its end, which go",
          overrides_removed.length > 0 && overrides_removed.length,
        ],
        [
          "Removed shifts that stay removed",
          exceptions_continued.length > 0 && <Times times={exceptions_continued} zone={zone} />,
        ],
        [
          "Removed shifts with no shift in their place",
          exceptions_dropped.length > 0 && <Times times={exceptions_dropped} zone={zone} />,
        ],
      ]}
    />
  );
};

type OfferExtensionProps = PageProps<{ effects: FollowingPreview }>;

/** Offers to let the people of the shift before stay until the first changed shift. */
const OfferExtension = ({ visit, effects: { extension }, names }: OfferExtensionProps) =>
  extension && !extension.extended ? (
    <Form to={visit.url.pathname} kind="fields">
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
  readonly change: FollowingRequest;
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
  const { api, form } = visit;
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
  if (isFollowing || concernsOthers(effects) || !preview.unchanged) {
    const asked = await askBeforeEventChange(
      visit,
      { event, preview, names },
      {
        ...{ title: "Confirm changes", button: "Confirm changes" },
        lead: isFollowing
          ? "This and all following shifts change. Earlier shifts do not change."
          : `All shifts of this ${nounOf(event)} change.`,
        back: { to: back, label: "Calendar" },
        further: <OfferExtension {...{ visit, effects, names }} />,
      },
      effectsOf(effects),
      <Effects {...{ effects, names, zone: event.time_zone }} />,
    );
    if (asked !== null) return asked;
  }
  const changed = await calls.post("/events/:id/change_following", body);
  if (isRefusal(changed)) return redisplayForm(changed, request.again);
  return done(back, request.flash);
}
