// The effects of a change of a shift and the following ones, shown before the change is confirmed.
import type { FollowingPreview } from "../../../features/oncall/occurrences/contract.ts";
import { dayAndClockOf } from "../../../kernel/console/moment.tsx";
import { Facts } from "../../../kernel/console/panel.tsx";
import type { Names } from "../../names.ts";
import { Everybody } from "../../people/person-panels.tsx";

type Clock = { readonly zone: string; readonly now: number };

/** Whether the change affects overrides or removed shifts. */
export const concernsOthers = (effects: FollowingPreview): boolean =>
  [effects.overrides_removed, effects.exceptions_continued, effects.exceptions_dropped].some(
    (list) => list.length > 0,
  );

/** The effects on others: a confirmation is valid only for those that were shown. */
export const effectsOf = (effects: FollowingPreview): readonly unknown[] => [
  effects.overrides_removed,
  effects.exceptions_continued,
  effects.exceptions_dropped,
  effects.extension,
];

const Times = ({ times, clock }: { readonly times: readonly string[]; readonly clock: Clock }) => (
  <ul>
    {times.map((at) => (
      <li>{dayAndClockOf(at, clock.zone, clock.now)}</li>
    ))}
  </ul>
);

export const Effects = ({
  effects,
  names,
  clock,
}: {
  readonly effects: FollowingPreview;
  readonly names: Names;
  readonly clock: Clock;
}) => {
  const when = (at: string) => dayAndClockOf(at, clock.zone, clock.now);
  const { first_shift: first, overrides_removed, extension } = effects;
  const { exceptions_continued, exceptions_dropped } = effects;
  return (
    <Facts
      facts={[
        [
          "First shift",
          first && (
            <>
              {when(first.start_time)} – {when(first.end_time)}:{" "}
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
              {when(extension.start_time)} – {when(extension.end_time)}:{" "}
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
          exceptions_continued.length > 0 && <Times times={exceptions_continued} clock={clock} />,
        ],
        [
          "Removed shifts with no shift in their place",
          exceptions_dropped.length > 0 && <Times times={exceptions_dropped} clock={clock} />,
        ],
      ]}
    />
  );
};
