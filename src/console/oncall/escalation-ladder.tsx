// An escalation as a ladder of people: who is notified at once, who after how long, and what comes
// after the last step.
import { TIMEOUT_UNITS, timeoutMs } from "../../domain/alerts/escalation.ts";
import { SECOND } from "../../domain/shared/time.ts";
import type { EscalationPolicy } from "../../features/routing/escalation-policies/contract.ts";
import type { PageProps } from "../reads.ts";
import { CurrentShift, NextShift, type TeamLayer } from "./team-layers.tsx";

type LadderProps = PageProps<{
  policy: EscalationPolicy;
  layers: readonly TeamLayer[];
  /** The path of the schedule, if the viewer may change it. */
  schedulePath: string | null;
}>;

type Layer = { readonly timeout: number; readonly timeout_unit: string };

/** `1 h 05 min`, `40 s`: a time since the alert's creation. */
export function spanText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** How long a layer waits for an answer, in seconds. */
export const secondsOf = ({ timeout, timeout_unit: unit }: Layer): number =>
  timeoutMs(timeout, TIMEOUT_UNITS.find((it) => it === unit) ?? "minutes") / SECOND;

const NO_SHIFTS = {
  current: null,
  next: null,
  running: null,
  absent: [],
  gaps: [],
  hasShifts: false,
};

/** `once`, `twice`, `3 times`. */
const timesText = (times: number) => ["", "once", "twice"][times] ?? `${times} times`;

const rotationPath = (schedulePath: string, layer: number) =>
  `${schedulePath}/rotations/new?layer=${layer}`;

/** When each step of the ladder begins, as of now: a layer without anybody on call is skipped. */
function rungsOf({ policy, layers }: LadderProps) {
  let at = 0;
  return policy.escalation_layers.map((step) => {
    const found = layers.find(({ layer }) => layer === step.layer);
    const layer = { ...NO_SHIFTS, ...found, layer: step.layer };
    const from = at;
    if (layer.current) at += secondsOf(step);
    return { layer, from, to: at };
  });
}

/** What comes after the last step has timed out. */
const After = ({ policy, names, end }: LadderProps & { readonly end: number }) => {
  const others = [...policy.reassign_team_ids, ...policy.reassign_account_user_ids];
  return (
    <li>
      <span class="soft">{end === 0 ? "Then" : `After ${spanText(end)}`}</span>
      <div>
        {policy.repeat > 0 ? `All steps again, ${timesText(policy.repeat)}. ` : null}
        {others.length > 0 ? (
          <>
            {policy.repeat > 0 ? "Then " : null}
            <strong>{others.map(names.of).join(", ")}</strong>
          </>
        ) : (
          <span class="soft">{policy.repeat > 0 ? "Then nobody is left." : "Nobody is left."}</span>
        )}
      </div>
    </li>
  );
};

export const EscalationLadder = (props: LadderProps) => {
  const { visit, names, schedulePath } = props;
  const rungs = rungsOf(props);
  if (rungs.length === 0) return <p class="nobody">It has no steps: nobody is notified.</p>;
  return (
    <ol class="ladder">
      {rungs.map(({ layer, from }) => (
        <li>
          <span class="soft">
            {layer.current === null
              ? "Skipped"
              : from === 0
                ? "At once"
                : `After ${spanText(from)}`}
          </span>
          <div>
            <CurrentShift visit={visit} layer={layer} names={names} />
            {layer.hasShifts || schedulePath === null ? null : (
              <span class="soft">
                {" "}
                Step {layer.layer} has no shifts.{" "}
                <a href={rotationPath(schedulePath, layer.layer)}>Add rotation</a>
              </span>
            )}
          </div>
          <div>
            {layer.next ? (
              <>
                <span class="soft">next:</span> <NextShift layer={layer} names={names} />
              </>
            ) : null}
          </div>
        </li>
      ))}
      <After {...props} end={rungs.at(-1)?.to ?? 0} />
    </ol>
  );
};
