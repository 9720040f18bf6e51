// What can be done to an alert from its message in a chat, by its status (contract 3).

export type AlertAction = "acknowledge" | "reject" | "resolve" | "snooze" | "hand_off" | "comment";

export const ACTION_LABELS: Readonly<Record<AlertAction, string>> = {
  acknowledge: "Acknowledge",
  reject: "Pass on",
  resolve: "Resolve",
  snooze: "Snooze",
  hand_off: "Hand off",
  comment: "Comment",
};

const AFTERWARDS: readonly AlertAction[] = ["resolve", "snooze", "hand_off", "comment"];

export function alertActionsOf(status: unknown): readonly AlertAction[] {
  switch (status) {
    case "open":
      return ["acknowledge", "reject", ...AFTERWARDS];
    case "dropped":
      return ["acknowledge", ...AFTERWARDS];
    case "acknowledged":
      return AFTERWARDS;
    case "suppressed":
      return ["acknowledge"];
    case "resolved":
      return ["comment"];
    default:
      return [];
  }
}
