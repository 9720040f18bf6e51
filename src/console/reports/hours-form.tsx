// The form of the report of on-call hours. It is sent by GET, so that its address can be stored.
import type { Refusal } from "../../domain/shared/refusal.ts";
import type { HolidayRegion } from "../../features/oncall/holidays/contract.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import type { Choice } from "../../kernel/console/choice.ts";
import {
  Button,
  CheckField,
  FormFaults,
  SelectField,
  TextField,
} from "../../kernel/console/form.tsx";
import { PickMany } from "../../kernel/console/pick-many.tsx";
import { choicesOf, regionChoices, zoneChoices } from "../choices.ts";
import type { HoursForm } from "./hours-query.ts";

const WEEK: readonly Choice[] = [
  { value: "1", label: "Monday" },
  { value: "2", label: "Tuesday" },
  { value: "3", label: "Wednesday" },
  { value: "4", label: "Thursday" },
  { value: "5", label: "Friday" },
  { value: "6", label: "Saturday" },
  { value: "0", label: "Sunday" },
];

/** The API's names of fields whose errors the form shows at the field. */
const FIELDS = [
  ...["from", "start", "to", "end", "zone", "time_zone", "night_start", "night_end"],
  ...["weekend_days", "holiday_region", "schedule_ids"],
];

export const HoursFields = ({
  form,
  regions,
  schedules,
  refusal,
}: {
  readonly form: HoursForm;
  readonly regions: readonly HolidayRegion[];
  readonly schedules: readonly Schedule[];
  readonly refusal: Refusal | null;
}) => {
  const names = (refusal?.errors ?? []).map(({ field }) => field);
  /** The parameter whose error a field shows: its own, or the one that it stands for in the API. */
  const parameter = (own: string, other: string) => (names.includes(other) ? other : own);
  return (
    <form class="fields" method="get" action="/reports/hours">
      <FormFaults refusal={refusal} fields={FIELDS} />
      <div class="side-by-side">
        <TextField
          {...{ name: "from", label: "First day", type: "date", required: true }}
          {...{ value: form.from, refusal, parameter: parameter("from", "start") }}
        />
        <TextField
          {...{ name: "to", label: "Last day", type: "date", required: true }}
          {...{ value: form.to, refusal, parameter: parameter("to", "end") }}
        />
      </div>
      <div class="side-by-side">
        <SelectField
          {...{ name: "schedule", label: "Schedule", value: form.schedule, refusal }}
          parameter="schedule_ids"
          choices={[{ value: "", label: "All schedules" }, ...choicesOf(schedules)]}
        />
        <SelectField
          {...{ name: "zone", label: "Time zone", value: form.zone, refusal }}
          parameter={parameter("zone", "time_zone")}
          choices={zoneChoices(form.zone)}
        />
      </div>
      <SelectField
        {...{ name: "region", label: "Public holidays of", value: form.region, refusal }}
        parameter="holiday_region"
        choices={[{ value: "", label: "No public holidays" }, ...regionChoices(regions)]}
      />
      <CheckField
        name="company_holidays"
        label="Company holidays"
        help={
          <>
            The days in <a href="/calendars#holidays">the company's own list</a> count as holidays.
          </>
        }
        checked={form.companyHolidays}
      />
      <div class="side-by-side">
        <TextField
          {...{ name: "night_start", label: "Night from", type: "time", required: true }}
          {...{ value: form.nightStart, refusal }}
        />
        <TextField
          {...{ name: "night_end", label: "Night until", type: "time", required: true }}
          {...{ value: form.nightEnd, refusal }}
        />
      </div>
      <PickMany
        {...{ name: "weekend_days", label: "Weekend days", refusal }}
        choices={WEEK}
        chosen={form.weekendDays}
      />
      <Button>Calculate hours</Button>
    </form>
  );
};
