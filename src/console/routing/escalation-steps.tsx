// The steps of an escalation policy in its form: how long each waits for an answer, who is on it now,
// and the buttons that add, remove and move one. They submit the form, which is shown again.
import type { Child } from "hono/jsx";
import { TIMEOUT_UNITS } from "../../domain/alerts/escalation.ts";
import { counted } from "../../domain/shared/counted.ts";
import type { OnCallTeam } from "../../features/oncall/on-call/contract.ts";
import type { Team } from "../../features/oncall/teams/contract.ts";
import { EnterSaves, RowsButton, RowTools } from "../../kernel/console/form-rows.tsx";
import { ROW_BUTTON } from "../../kernel/console/picker-search.ts";
import { fieldText, textOf, type Values } from "../../kernel/console/values.ts";
import { mayChangeAssigned } from "../access/reach.ts";
import { secondsOf, spanText } from "../oncall/escalation-ladder.tsx";
import { Everybody } from "../people/person-panels.tsx";
import type { PageProps } from "../reads.ts";

/** The teams of which a step names the people. */
const MOST_TEAMS = 3;

const NEW_STEP = { id: "", timeout: "10", timeout_unit: "minutes" };

/** A layer of the policy; one with an empty timeout is removed. */
type StepRow = {
  /** Empty: a new one. */
  readonly id: string;
  readonly layer: number;
  readonly timeout: string;
  readonly timeout_unit: string;
};

const isKept = ({ timeout }: StepRow) => timeout !== "";

function sentRows(values: Values): readonly StepRow[] {
  const rows = Object.values((values.layers ?? values.escalation_layers ?? {}) as object);
  return rows
    .map((row: Values, at) => ({
      id: fieldText(row, "id"),
      layer: Number(fieldText(row, "layer")) || at + 1,
      timeout: fieldText(row, "timeout"),
      timeout_unit: fieldText(row, "timeout_unit") || "minutes",
    }))
    .toSorted((one, other) => one.layer - other.layer);
}

/** The lowest number that no step has. */
const freeLayer = (rows: readonly StepRow[]): number =>
  Array.from({ length: rows.length + 1 }, (_, at) => at + 1).find(
    (layer) => !rows.some((row) => row.layer === layer),
  ) ?? 1;

/** Exchanges the numbers of two rows: each waits in the place of the other. */
const swapped = (rows: readonly StepRow[], one: StepRow, other: StepRow): readonly StepRow[] =>
  rows.map((row) => {
    if (row === one) return { ...row, layer: other.layer };
    return row === other ? { ...row, layer: one.layer } : row;
  });

/** Adds, removes or moves a row: `add`, `remove 2`, `up 2`; the number is the layer's. */
export function changedRows(rows: readonly StepRow[], change: string): readonly StepRow[] {
  const [what, layer] = change.split(" ");
  const kept = rows.filter(isKept);
  if (what === "add") return [...rows, { ...NEW_STEP, layer: freeLayer(kept) }];
  const at = kept.findIndex((row) => row.layer === Number(layer));
  const [before, row] = [kept[at - 1], kept[at]];
  if (!row) return rows;
  if (what === "remove") return rows.map((it) => (it === row ? { ...it, timeout: "" } : it));
  return what === "up" && before ? swapped(rows, before, row) : rows;
}

/** The rows of the form, ascending, with the change of the button that submitted it. */
const rowsOf = (values: Values): readonly StepRow[] =>
  changedRows(sentRows(values), textOf(values, ROW_BUTTON)).toSorted(
    (one, other) => one.layer - other.layer,
  );

/** A layer with a timeout is updated or added; a layer with an empty timeout is removed. */
export const layersOf = (form: Values): readonly Values[] =>
  sentRows(form.layers === undefined ? {} : form).flatMap((row): readonly Values[] => {
    const { id, ...layer } = row;
    if (isKept(row)) return [{ ...(id && { id }), ...layer }];
    return id === "" ? [] : [{ id, _destroy: true }];
  });

type StepsProps = PageProps<{
  to: string;
  /** Who is on call now, by team. */
  onCall: readonly OnCallTeam[];
  /** The ids of the teams that use the policy. */
  teamIds: readonly string[];
  values: Values;
}>;

type OnLayerProps = Pick<StepsProps, "visit" | "names"> & {
  readonly team: Team;
  readonly onCall: OnCallTeam | undefined;
  readonly layer: number;
};

/** Who of a team is on a layer now; a layer without shifts offers to add a rotation. */
const OnLayer = ({ visit, names, team, onCall, layer }: OnLayerProps) => {
  const entries = onCall?.entries.filter((entry) => entry.layer === layer) ?? [];
  const people = entries.flatMap(({ attendees }) => attendees.map((it) => it.attendee_id));
  const hasShifts = onCall?.layers.some((it) => it.layer === layer && it.has_shifts) ?? false;
  const id = team.schedule_id;
  return (
    <li>
      {people.length > 0 ? <Everybody names={names} ids={[...new Set(people)]} /> : null}
      {people.length === 0 ? (hasShifts ? "Nobody now" : "No shifts") : null}{" "}
      <span class="soft">
        in <a href={`/teams/${team.prefix_id}`}>{team.name}</a>
      </span>{" "}
      {!hasShifts && id !== null && mayChangeAssigned(visit, names, "schedule_id", id) ? (
        <a href={`/schedules/${id}/rotations/new?layer=${layer}`}>Add rotation</a>
      ) : null}
    </li>
  );
};

type StepFieldsProps = {
  readonly to: string;
  readonly row: StepRow;
  /** Its place among the fields of the form. */
  readonly at: number;
  /** After how many seconds it begins. */
  readonly begins: number;
  readonly children: Child;
};

const StepFields = ({ to, row, at, begins, children }: StepFieldsProps) => {
  const { id, layer, timeout, timeout_unit } = row;
  return (
    <li class="layer-row">
      <input type="hidden" name={`layers[${at}][id]`} value={id} />
      <input type="hidden" name={`layers[${at}][layer]`} value={String(layer)} />
      <strong>
        Step {layer}{" "}
        <span class="soft">{begins === 0 ? "at once" : `after ${spanText(begins)}`}</span>
      </strong>
      <label>
        <span class="word">waits</span>
        <input
          aria-label="Timeout"
          type="number"
          min={1}
          required
          name={`layers[${at}][timeout]`}
          value={timeout}
        />
      </label>
      <select name={`layers[${at}][timeout_unit]`} aria-label="Timeout unit">
        {TIMEOUT_UNITS.map((value) => (
          <option value={value} selected={value === timeout_unit}>
            {value}
          </option>
        ))}
      </select>
      <RowTools
        {...{ to, row: layer, remove: `Remove step ${layer}` }}
        up={at === 0 ? null : `Move the wait of step ${layer} up`}
      />
      {children}
    </li>
  );
};

export const EscalationSteps = ({ to, visit, names, onCall, teamIds, values }: StepsProps) => {
  const steps = `${to}#steps`;
  const all = rowsOf(values);
  const rows = all.filter(isKept);
  const removed = all.filter((row) => !isKept(row));
  const teams = names.teams.filter(({ id }) => teamIds.includes(id));
  const byTeam = new Map(onCall.map((it) => [it.team_id, it]));
  let begins = 0;
  const starts = rows.map(({ timeout, timeout_unit }) => {
    const start = begins;
    begins += secondsOf({ timeout: Number(timeout) || 0, timeout_unit });
    return start;
  });
  return (
    <fieldset class="group" id="steps">
      <legend>Steps</legend>
      <p class="help">
        Each step notifies the people on call on it, and waits for an answer before the next.
      </p>
      <EnterSaves />
      <ol class="stack">
        {rows.map((row, at) => (
          <StepFields to={steps} row={row} at={at} begins={starts[at] ?? 0}>
            {teams.length === 0 ? null : (
              <ul class="plain-list">
                {teams.slice(0, MOST_TEAMS).map((team) => (
                  <OnLayer
                    {...{ visit, names, team, layer: row.layer }}
                    onCall={byTeam.get(team.id)}
                  />
                ))}
                {teams.length > MOST_TEAMS ? (
                  <li class="soft">
                    and those of {counted(teams.length - MOST_TEAMS, "more team")}
                  </li>
                ) : null}
              </ul>
            )}
          </StepFields>
        ))}
      </ol>
      {removed.map(({ id }, at) =>
        id === "" ? null : (
          <>
            <input type="hidden" name={`layers[${rows.length + at}][id]`} value={id} />
            <input type="hidden" name={`layers[${rows.length + at}][timeout]`} value="" />
          </>
        ),
      )}
      {rows.length === 0 ? <p class="nobody">Without steps nobody is notified.</p> : null}
      <RowsButton to={steps} change="add">
        Add step
      </RowsButton>
    </fieldset>
  );
};
