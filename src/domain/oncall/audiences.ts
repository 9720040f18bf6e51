// Who of a team is told when nobody answered an alert, and when a shift begins.
export const NOTIFICATION_AUDIENCES = [
  "none",
  "team_all",
  "team_admins",
  "oncall_rotation",
  "specific_users",
] as const;
