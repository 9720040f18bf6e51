// What of the API's records the pages of schedules and configuration read. The reference has them whole.

type Record = { readonly id: string; readonly prefix_id: string; readonly created_at: string };

export type Schedule = Record & { readonly name: string };

/** An on-call event as it was written: not yet repeated or rotated. */
export type Duty = Record & {
  readonly parent_id: string | null;
  readonly start_datetime: string;
  readonly end_datetime: string;
  readonly layer: number;
  readonly time_zone: string;
  readonly repeat: boolean;
  readonly frequency: number | null;
  readonly frequency_unit: string | null;
  readonly days_of_week: readonly number[];
  readonly repeat_end_datetime: string | null;
  readonly terminated_at: string | null;
  readonly begins_at: string | null;
  readonly rotation: boolean;
  readonly schedule_ids: readonly string[];
  /** In order; null: nobody's turn. */
  readonly account_user_ids: readonly (string | null)[];
  readonly exceptions: readonly { readonly id: string; readonly start_datetime: string }[];
  /** Of one event alone. */
  readonly clock_changes?: readonly {
    readonly local_start: string;
    readonly local_end: string;
    readonly start: string | null;
    readonly end: string | null;
    readonly happens: boolean;
    readonly longer_by_minutes: number | null;
  }[];
};

/** One occurrence of an event; where overrides split it, the part that was asked for. */
export type DutyOccurrence = {
  readonly start_time: string;
  readonly end_time: string;
  readonly part_start_time: string;
  readonly part_end_time: string;
  readonly parts: number;
  readonly attendees: readonly { readonly attendee_id: string }[];
};

/** What a change from an occurrence on would do. */
export type FollowingEffects = {
  readonly unchanged: boolean;
  readonly first_shift: {
    readonly start_time: string;
    readonly end_time: string;
    readonly account_user_ids: readonly string[];
  } | null;
  readonly overrides_continued: readonly string[];
  readonly overrides_kept_as_shifts: readonly {
    readonly event_id: string;
    readonly start_time: string;
    readonly end_time: string;
    readonly account_user_ids: readonly string[];
  }[];
  readonly exceptions_continued: readonly string[];
  readonly exceptions_dropped: readonly string[];
};

type Stretch = { readonly start_time: string; readonly end_time: string };

export type Coverage = {
  readonly layers: readonly {
    readonly layer: number;
    readonly share: number;
    readonly gaps: readonly Stretch[];
  }[];
  readonly people: readonly { readonly account_user_id: string; readonly hours: number }[];
};

export type Policy = Record & {
  readonly name: string;
  readonly repeat: number;
  readonly reassign_team_ids: readonly string[];
  readonly reassign_account_user_ids: readonly string[];
  readonly team_ids: readonly string[];
  readonly escalation_layers: readonly {
    readonly id: string;
    readonly layer: number;
    readonly timeout: number;
    readonly timeout_unit: string;
  }[];
};

export type WholeTeam = Record & {
  readonly name: string;
  readonly notes: string | null;
  readonly schedule_id: string | null;
  readonly escalation_policy_id: string | null;
  readonly member_account_user_ids: readonly string[];
  readonly admin_account_user_ids: readonly string[];
  readonly drop_notifications: string;
  readonly handoff_notifications: string;
  readonly drop_notification_account_user_ids: readonly string[];
  readonly handoff_notification_account_user_ids: readonly string[];
};

export type IntegrationType = Record & {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly options: readonly {
    readonly key: string;
    readonly type: "string" | "boolean" | "integer" | "secret";
    readonly required: boolean;
    readonly default: string | number | boolean | null;
    readonly help: string;
  }[];
};

export type Integration = Record & {
  readonly name: string;
  readonly enabled: boolean;
  readonly urgency: string;
  readonly integration_type: { readonly id: string; readonly name: string; readonly title: string };
  readonly options: Readonly<{ [key: string]: unknown }>;
  readonly account_user_ids: readonly string[];
  readonly router_ids: readonly string[];
  readonly team_ids: readonly string[];
  /** Only of those that the viewer may send to. */
  readonly url?: string;
  readonly intake_key?: string;
};

export type Router = Record & {
  readonly name: string;
  readonly enabled: boolean;
  readonly rules: string;
  readonly default_receiver_team_id: string | null;
  readonly default_receiver_router_id: string | null;
  readonly default_receiver_account_user_id: string | null;
};

export type NotificationRule = Record & {
  readonly name: string;
  readonly enabled: boolean;
  readonly rules: string;
};

export type MaintenanceWindow = Record & {
  readonly name: string;
  readonly description: string | null;
  readonly start_datetime: string;
  readonly end_datetime: string;
  readonly time_zone: string;
  readonly integration_ids: readonly string[];
};

export type Broadcast = Record & {
  readonly title: string;
  readonly description: string | null;
  readonly status: string;
  readonly response_requested: boolean;
  readonly response_requested_by: string | null;
  readonly destination_team_ids: readonly string[];
  readonly destination_account_user_ids: readonly string[];
  readonly account_user_id: string | null;
  readonly broadcast_response_options: readonly {
    readonly id: string;
    readonly value: string;
    readonly broadcast_responses_count: number;
  }[];
  readonly broadcast_responses: readonly {
    readonly account_user_id: string;
    readonly broadcast_response_option_id: string;
    readonly channel: string;
    readonly created_at: string;
  }[];
};

export type ApiKey = Record & {
  readonly name: string;
  readonly read_only: boolean;
  readonly account_user_id: string;
  /** Once: in the answer that made it. */
  readonly key?: string;
};
