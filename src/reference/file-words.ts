// The examples of files that operations answer with, by operation.
import { exampleId } from "../kernel/contract/examples.ts";

const HEAD =
  "person,account_user_id,weekday_hours,night_hours,weekend_hours,holiday_hours,total_hours";
const ROW = `Ada Keeper,${exampleId("account_user")},40.00,24.00,16.00,8.00,88.00`;

const CONFIGURATION = `tocsin: 1
people:
  - email: ada@example.com
    name: Ada Lovelace
    time_zone: London
    roles: [admin]
    notification_rule: null
schedules:
  - key: payments
    name: Payments Schedule
teams:
  - key: payments
    name: Payments
    schedule: payments
    members: [ada@example.com]
    admins: [ada@example.com]
`;

export const FILE_EXAMPLES: Readonly<Record<string, string>> = {
  exportConfiguration: CONFIGURATION,
  exportOnCallHours: `${HEAD}\r\n${ROW}\r\n`,
};
