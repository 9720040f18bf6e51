// Which notifications "Pause for" and "Reopen within", as written in the form, would have withheld.
import { counted } from "../../domain/shared/counted.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Integration } from "../../features/integrations/integrations/contract.ts";
import type {
  IntegrationReplay,
  WithheldAlert,
} from "../../features/integrations/trials/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { Button, FIELDS_FORM } from "../../kernel/console/form.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Table } from "../../kernel/console/table.tsx";
import { textOf } from "../../kernel/console/values.ts";
import type { Visit } from "../page.ts";
import type { WithVisit } from "../reads.ts";
import type { DryRunResult } from "../routing/dry-run.ts";

const NAMES = ["option_pause_for", "option_reopen_within"] as const;

/** Replays the past alerts of a stored integration with the options of its form. */
export async function replayOptions(
  visit: Visit,
  record: Integration | null,
): Promise<DryRunResult> {
  const options = Object.fromEntries(NAMES.map((name) => [name, textOf(visit.form, name)]));
  const id = record?.id ?? "";
  const withheld = await visit.api.post("/integrations/:id/replay", { id, ...options });
  if (isRefusal(withheld)) return { tried: null, refusal: withheld, ofForm: withheld };
  return { tried: null, withheld, refusal: null, ofForm: null };
}

const effectOf = ({ option, continues_id: continued }: WithheldAlert) =>
  option === "pause_for" ? (
    "resolved before anybody would be notified"
  ) : (
    <>
      continues <a href={`/alerts/${continued}`}>another alert</a>
    </>
  );

const Result = ({ withheld }: { readonly withheld: IntegrationReplay }) => {
  const { alerts, paused, continued, pages, answered, results, complete, since } = withheld;
  return (
    <div class="stack" role="status">
      <p>
        Of {counted(alerts, "alert")} {complete ? "in the last 90 days" : "since "}
        {complete ? null : <Moment at={since} />}, {paused} would have been resolved before anybody
        was notified, and {continued} would have continued another one.{" "}
        <strong>{counted(pages, "message")} would not have been sent.</strong>{" "}
        {answered === 0
          ? "Nobody had answered any of these alerts."
          : `Somebody had answered ${counted(answered, "of these alert")}.`}
      </p>
      {results.length > 0 ? (
        <Table
          label="Alerts with fewer notifications"
          rows={results}
          columns={[
            { title: "Time", cell: ({ at }) => <Moment at={at} exact /> },
            {
              title: "Alert",
              cell: ({ alert_id, title, answered: isAnswered }) => (
                <>
                  <a href={`/alerts/${alert_id}`}>{title}</a>{" "}
                  {isAnswered ? <Badge tone="warn">answered</Badge> : null}
                </>
              ),
            },
            { title: "Not sent", cell: (it) => String(it.pages) },
            { title: "Why", cell: effectOf },
          ]}
        />
      ) : null}
    </div>
  );
};

type WithheldProps = WithVisit<{ record: Integration; attempt: DryRunResult | null }>;

/** The button below the options, and its result. */
export const Withheld = ({ record, attempt }: WithheldProps) => (
  <div class="stack" id="withheld">
    <p class="help">
      “Pause for” and “Reopen within” withhold notifications. See first what they would have done
      with the alerts of the last 90 days; nothing is saved or sent.
    </p>
    <Button
      {...{ tone: "plain", form: FIELDS_FORM, unchecked: true }}
      to={`/integrations/${record.prefix_id}/try#withheld`}
    >
      Show the last 90 days
    </Button>
    {attempt?.withheld ? <Result withheld={attempt.withheld} /> : null}
  </div>
);
