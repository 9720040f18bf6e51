// The fields of a region that follows the sun: its clock, and its hours of the day.
import { SelectField, TextField } from "../../../kernel/console/form.tsx";
import { fieldText } from "../../../kernel/console/values.ts";
import type { PartProps } from "./hours-fields.tsx";
import { REGION_HOURS, regionField, regionHoursFields } from "./regions.ts";
import { ZoneField } from "./rotation-fields.tsx";

export const RegionFields = ({ part, ...shown }: PartProps) => {
  const { values, refusal } = shown;
  const names = regionHoursFields(part);
  return (
    <>
      <ZoneField {...shown} name={regionField(part)} label="Time zone" />
      <div class="hours">
        <SelectField
          name={names.hours}
          parameter="restrictions"
          label="Hours on call"
          choices={REGION_HOURS}
          value={fieldText(values, names.hours) || "share"}
          refusal={refusal}
        />
        <div class="own-hours">
          <p class="help">On the region's own clock, every day.</p>
          <div class="side-by-side tight">
            <TextField
              name={names.from}
              label="From"
              type="time"
              value={fieldText(values, names.from) || "09:00"}
            />
            <TextField
              name={names.until}
              label="Until"
              type="time"
              value={fieldText(values, names.until) || "17:00"}
            />
          </div>
        </div>
      </div>
    </>
  );
};
