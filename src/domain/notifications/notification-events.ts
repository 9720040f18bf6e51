// The events that people are notified of.

export const NOTIFICATION_EVENTS = [
  "alert.open",
  "alert.acknowledged",
  "alert.rejected",
  "alert.resolved",
  "alert.dropped",
  "alert.timeout",
  "alert.handoff",
  "oncall.handoff",
  "oncall.shift_added",
  "oncall.shift_removed",
  "oncall.shift_changed",
  "oncall.shift_taken",
  "oncall.shift_reminder",
  "oncall.digest",
  "oncall.gap",
  "oncall.cover_request",
  "oncall.cover_answer",
  "broadcast.sent",
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];
