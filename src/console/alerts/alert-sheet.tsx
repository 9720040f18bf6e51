// The steps on an alert that are not in the bar: answer it otherwise, snooze it, hand it off, merge
// it. On a desk they are a panel; on a telephone, a sheet that the bar opens (a popover of the
// browser, which needs no script).

import { DAY, MINUTE } from "../../domain/shared/time.ts";
import { statusWord } from "../../domain/shared/words.ts";
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import { beginning, Unfold } from "../../kernel/console/folded.tsx";
import { Button, Form, SelectField } from "../../kernel/console/form.tsx";
import { dayAndClockOf } from "../../kernel/console/moment.tsx";
import { PickOne } from "../../kernel/console/pick-one.tsx";
import { wallOf } from "../oncall/on-call-window.ts";
import type { Visit } from "../page.ts";
import type { Names, PageProps, WithVisit } from "../reads.ts";
import { FurtherAnswers, SHEET, type Steppable } from "./alert-bar.tsx";
import { destinationsOf } from "./alert-row.tsx";
import { isRunning } from "./alert-state.ts";
import { SNOOZES } from "./bulk-bar.tsx";
import { HandOff } from "./hand-off.tsx";

/** The API's limit. */
const LONGEST_SNOOZE = 30 * DAY;

/** Per choice. */
const TITLE_BYTES = 100;

const Snooze = ({ to, visit: { session, now } }: WithVisit<{ to: string }>) => {
  const wall = (at: number) => wallOf(at, session.timeZone);
  return (
    <>
      <h3>Snooze</h3>
      <Form to={to}>
        {SNOOZES.map(({ value, label }) => (
          <Button tone="plain" name="minutes" value={value}>
            {label}
          </Button>
        ))}
      </Form>
      <Form to={to}>
        <input
          type="datetime-local"
          name="until"
          aria-label="Snooze until"
          min={wall(now + MINUTE)}
          max={wall(now + LONGEST_SNOOZE)}
          required
        />
        <Button tone="plain">Snooze</Button>
      </Form>
    </>
  );
};

/** What tells alerts of one title apart: whose it is, and since when. */
export const factsOfCandidate = (alert: Alert, names: Names, { session, now }: Visit): string =>
  [
    destinationsOf(names)(alert),
    dayAndClockOf(alert.created_at, session.timeZone, now),
    statusWord(alert.status),
  ]
    .filter((fact) => fact !== "")
    .join(" · ");

type MergeProps = PageProps<{
  alert: Alert;
  /** The alerts that it may be merged into; null if they are searched. */
  others: readonly Alert[] | null;
}>;

const Merge = ({ alert, others, names, visit }: MergeProps) => {
  const blank = { value: "", label: others?.length === 0 ? "There is no other alert" : "Title" };
  const help = "Resolves this alert. Its later events go to the other one.";
  return (
    <Form to={`/alerts/${alert.prefix_id}/merge`} kind="fields" id="merge">
      {others === null ? (
        <div class="field">
          <label for="field-into">Merge into</label>
          <PickOne
            {...{ name: "into", label: "Merge into", choices: [blank], value: "", sought: "" }}
            source="alerts"
            except={alert.id}
            described={{ id: "field-into", "aria-describedby": "into-help" }}
            required
          />
          <p class="help" id="into-help">
            {help}
          </p>
          <noscript>
            <Unfold part="merge">List the alerts</Unfold>
          </noscript>
        </div>
      ) : (
        <SelectField
          name="into"
          label="Merge into"
          choices={[
            blank,
            ...others.map((it) => ({
              value: it.prefix_id,
              label: `${beginning(it.title, TITLE_BYTES)} · ${factsOfCandidate(it, names, visit)}`,
            })),
          ]}
          help={help}
          required
        />
      )}
      <Button tone="plain">Merge</Button>
    </Form>
  );
};

type AlertSheetProps = WithVisit<{ held: Steppable & Omit<MergeProps, "visit"> }>;

export const AlertSheet = ({ held, visit }: AlertSheetProps) => {
  const { alert, names } = held;
  if (alert.status === "resolved") return null;
  return (
    <section class="panel" id={SHEET} popover="auto" aria-labelledby={`${SHEET}-title`}>
      <div class="panel-title">
        <h2 id={`${SHEET}-title`}>Actions</h2>
        <button
          type="button"
          class="link opens-sheet"
          popovertarget={SHEET}
          popovertargetaction="hide"
        >
          Close
        </button>
      </div>
      <FurtherAnswers held={held} visit={visit} />
      {isRunning(alert) ? (
        <>
          <Snooze to={`/alerts/${alert.prefix_id}/snooze`} visit={visit} />
          <HandOff {...{ alert, names, visit }} />
        </>
      ) : null}
      <Merge {...held} visit={visit} />
    </section>
  );
};
