// The examples of files that operations answer with, by operation.
import { exampleId } from "../../contract/shared/examples.ts";

const HEAD =
  "person,account_user_id,weekday_hours,night_hours,weekend_hours,holiday_hours,total_hours";
const ROW = `Ada Keeper,${exampleId("account_user")},40.00,24.00,16.00,8.00,88.00`;

export const FILE_EXAMPLES: Readonly<Record<string, string>> = {
  exportOnCallHours: `${HEAD}\r\n${ROW}\r\n`,
};
